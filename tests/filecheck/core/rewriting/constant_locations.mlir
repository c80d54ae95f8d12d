// RUN: xgpu-opt --canonicalize --mlir-print-debuginfo %s | filecheck %s --match-full-lines

// A constant keeps its location where it only moves up in its block; not where it leaves it, and
// not where it stands for several.

module {
  func.func @f(%a: memref<8xi32> loc("a"), %i: index loc("i"), %x: i32 loc("x")) -> i32 {
    memref.store %x, %a[%i] : memref<8xi32> loc("store")
    %c7 = arith.constant 7 : i32 loc("moves")
    %0 = arith.addi %x, %c7 : i32 loc("sum")
    %again = arith.constant 7 : i32 loc("again")
    %c9 = arith.constant 9 : i32 loc("moves, too")
    %1 = arith.muli %0, %c9 : i32 loc("product")
    %2 = arith.addi %1, %again : i32 loc("end")
    affine.for %k loc("k") = 0 to 8 {
      %inner = arith.constant 3 : i32 loc("leaves")
      memref.store %inner, %a[%k] : memref<8xi32> loc("inside")
    } loc("loop")
    return %2 : i32 loc("return")
  } loc("f")
} loc("module")

// CHECK: #loc2 = loc("a")
// CHECK-NEXT: #loc3 = loc("i")
// CHECK-NEXT: #loc4 = loc("x")
// CHECK-NEXT: #loc12 = loc("k")
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<8xi32> loc("a"), %arg1: index loc("i"), %arg2: i32 loc("x")) -> i32 {
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32 loc(#loc5)
// CHECK-NEXT:     %c9_i32 = arith.constant 9 : i32 loc(#loc6)
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32 loc(#loc5)
// CHECK-NEXT:     memref.store %arg2, %arg0[%arg1] : memref<8xi32> loc(#loc7)
// CHECK-NEXT:     %0 = arith.addi %arg2, %c7_i32 : i32 loc(#loc8)
// CHECK-NEXT:     %1 = arith.muli %0, %c9_i32 : i32 loc(#loc9)
// CHECK-NEXT:     %2 = arith.addi %1, %c7_i32 : i32 loc(#loc10)
// CHECK-NEXT:     affine.for %arg3 loc("k") = 0 to 8 {
// CHECK-NEXT:       memref.store %c3_i32, %arg0[%arg3] : memref<8xi32> loc(#loc13)
// CHECK-NEXT:     } loc(#loc11)
// CHECK-NEXT:     return %2 : i32 loc(#loc14)
// CHECK-NEXT:   } loc(#loc1)
// CHECK-NEXT: } loc(#loc)
// CHECK-NEXT: #loc = loc("module")
// CHECK-NEXT: #loc1 = loc("f")
// CHECK-NEXT: #loc5 = loc(unknown)
// CHECK-NEXT: #loc6 = loc("moves, too")
// CHECK-NEXT: #loc7 = loc("store")
// CHECK-NEXT: #loc8 = loc("sum")
// CHECK-NEXT: #loc9 = loc("product")
// CHECK-NEXT: #loc10 = loc("end")
// CHECK-NEXT: #loc11 = loc("loop")
// CHECK-NEXT: #loc13 = loc("inside")
// CHECK-NEXT: #loc14 = loc("return")
