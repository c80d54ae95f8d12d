// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// As an unsigned number the step is large, and the loop runs once.

// CHECK: module {
// CHECK-NEXT:   func.func @large(%arg0: memref<?xi32>) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c-8_i32 = arith.constant -8 : i32
// CHECK-NEXT:     scf.for unsigned %arg1 = %c0_i32 to %c1_i32 step %c-8_i32  : i32 {
// CHECK-NEXT:       %0 = arith.index_cast %arg1 : i32 to index
// CHECK-NEXT:       memref.store %c1_i32, %arg0[%0] : memref<?xi32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @large(%m: memref<?xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m8 = arith.constant -8 : i32
  scf.for unsigned %i = %c0 to %c1 step %m8 : i32 {
    %at = arith.index_cast %i : i32 to index
    memref.store %c1, %m[%at] : memref<?xi32>
  }
  return
}
