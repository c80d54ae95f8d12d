// A parallel loop becomes one over tiles and one inside of them.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16x32xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %0 = arith.muli %c1, %c4 : index
// CHECK-NEXT:     %1 = arith.muli %c1, %c8 : index
// CHECK-NEXT:     scf.parallel (%arg2, %arg3) = (%c0, %c0) to (%c16, %c32) step (%0, %1) {
// CHECK-NEXT:       scf.parallel (%arg4, %arg5) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
// CHECK-NEXT:         %2 = arith.addi %arg4, %arg2 : index
// CHECK-NEXT:         %3 = arith.addi %arg5, %arg3 : index
// CHECK-NEXT:         memref.store %arg1, %arg0[%2, %3] : memref<16x32xf32>
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<16x32xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c32) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<16x32xf32>
  }
  return
}
