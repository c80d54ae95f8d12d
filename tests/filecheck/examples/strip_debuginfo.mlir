// Locations of the source become unknown.
// RUN: xgpu-opt %s --strip-debuginfo --mlir-print-debuginfo | filecheck %s --match-full-lines

func.func @f(%x: i32) -> i32 {
  return %x : i32 loc("kernel.cu":3:5)
}

// CHECK: #loc = loc(unknown)
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: i32 loc(unknown)) -> i32 {
// CHECK-NEXT:     return %arg0 : i32 loc(#loc)
// CHECK-NEXT:   } loc(#loc)
// CHECK-NEXT: } loc(#loc)
