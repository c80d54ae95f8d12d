// An outer parallel loop is mapped to blocks, an inner one to threads.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(gpu-map-parallel-loops))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16x32xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       scf.parallel (%arg3) = (%c0) to (%c32) step (%c1) {
// CHECK-NEXT:         memref.store %arg1, %arg0[%arg2, %arg3] : memref<16x32xf32>
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<16x32xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c32) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<16x32xf32>
    }
  }
  return
}
