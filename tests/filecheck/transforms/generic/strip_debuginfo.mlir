// RUN: xgpu-opt --strip-debuginfo --mlir-print-debuginfo %s | filecheck %s --match-full-lines

#loc = loc("a.mlir":1:2)
func.func @f(%x: i32 loc("x")) -> i32 {
  %0 = arith.addi %x, %x : i32 loc(fused[#loc, "b"])
  cf.br ^bb1(%0 : i32) loc(callsite("f" at #loc))
^bb1(%1: i32 loc("argument")):
  return %1 : i32 loc("here")
} loc(#loc)

// CHECK: #loc = loc(unknown)
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: i32 loc(unknown)) -> i32 {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 : i32 loc(#loc)
// CHECK-NEXT:     cf.br ^bb1(%0 : i32) loc(#loc)
// CHECK-NEXT:   ^bb1(%1: i32 loc(unknown)):  // pred: ^bb0
// CHECK-NEXT:     return %1 : i32 loc(#loc)
// CHECK-NEXT:   } loc(#loc)
// CHECK-NEXT: } loc(#loc)
