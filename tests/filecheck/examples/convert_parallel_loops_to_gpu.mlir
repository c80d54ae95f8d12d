// A parallel loop that is mapped to blocks and threads becomes a launch.
// RUN: xgpu-opt %s --convert-parallel-loops-to-gpu | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0)[s0, s1] -> ((d0 - s0) ceildiv s1)>
// CHECK-NEXT: #map1 = affine_map<(d0)[s0, s1] -> (d0 * s0 + s1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16x32xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c1_0 = arith.constant 1 : index
// CHECK-NEXT:     %0 = affine.apply #map(%c16)[%c0, %c1]
// CHECK-NEXT:     %1 = affine.apply #map(%c32)[%c0, %c1]
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %0, %arg9 = %c1_0, %arg10 = %c1_0) threads(%arg5, %arg6, %arg7) in (%arg11 = %1, %arg12 = %c1_0, %arg13 = %c1_0) {
// CHECK-NEXT:       %2 = affine.apply #map1(%arg2)[%c1, %c0]
// CHECK-NEXT:       %3 = affine.apply #map1(%arg5)[%c1, %c0]
// CHECK-NEXT:       memref.store %arg1, %arg0[%2, %3] : memref<16x32xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {SCFToGPU_visited}
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
  } {mapping = [
    #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>,
    #gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}
