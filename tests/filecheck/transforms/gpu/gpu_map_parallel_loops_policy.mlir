// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(gpu-map-parallel-loops{mapping-policy=innermost-first}))" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(gpu-map-parallel-loops{mapping-policy=outermost-first}))" %s | filecheck %s --match-full-lines --check-prefix=OUTERMOST

// CHECK: module {
// CHECK-NEXT:   func.func @four(%arg0: index, %arg1: memref<?x?x?x?xf32>, %arg2: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.parallel (%arg3, %arg4, %arg5, %arg6) = (%c0, %c0, %c0, %c0) to (%arg0, %arg0, %arg0, %arg0) step (%c1, %c1, %c1, %c1) {
// CHECK-NEXT:       scf.parallel (%arg7, %arg8) = (%c0, %c0) to (%arg0, %arg0) step (%c1, %c1) {
// CHECK-NEXT:         scf.parallel (%arg9) = (%c0) to (%arg0) step (%c1) {
// CHECK-NEXT:           memref.store %arg2, %arg1[%arg3, %arg4, %arg7, %arg9] : memref<?x?x?x?xf32>
// CHECK-NEXT:           scf.reduce
// CHECK-NEXT:         } {mapping = [#gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       } {mapping = [#gpu.loop_dim_map<processor = thread_y, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     } {mapping = [#gpu.loop_dim_map<processor = block_z, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = block_y, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// OUTERMOST: module {
// OUTERMOST-NEXT:   func.func @four(%arg0: index, %arg1: memref<?x?x?x?xf32>, %arg2: f32) {
// OUTERMOST-NEXT:     %c0 = arith.constant 0 : index
// OUTERMOST-NEXT:     %c1 = arith.constant 1 : index
// OUTERMOST-NEXT:     scf.parallel (%arg3, %arg4, %arg5, %arg6) = (%c0, %c0, %c0, %c0) to (%arg0, %arg0, %arg0, %arg0) step (%c1, %c1, %c1, %c1) {
// OUTERMOST-NEXT:       scf.parallel (%arg7, %arg8) = (%c0, %c0) to (%arg0, %arg0) step (%c1, %c1) {
// OUTERMOST-NEXT:         scf.parallel (%arg9) = (%c0) to (%arg0) step (%c1) {
// OUTERMOST-NEXT:           memref.store %arg2, %arg1[%arg3, %arg4, %arg7, %arg9] : memref<?x?x?x?xf32>
// OUTERMOST-NEXT:           scf.reduce
// OUTERMOST-NEXT:         } {mapping = [#gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// OUTERMOST-NEXT:         scf.reduce
// OUTERMOST-NEXT:       } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = thread_y, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// OUTERMOST-NEXT:       scf.reduce
// OUTERMOST-NEXT:     } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = block_y, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = block_z, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// OUTERMOST-NEXT:     return
// OUTERMOST-NEXT:   }
// OUTERMOST-NEXT: }
func.func @four(%n: index, %m: memref<?x?x?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j, %k, %l) = (%c0, %c0, %c0, %c0) to (%n, %n, %n, %n) step (%c1, %c1, %c1, %c1) {
    scf.parallel (%a, %b) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
      scf.parallel (%s) = (%c0) to (%n) step (%c1) {
        memref.store %x, %m[%i, %j, %a, %s] : memref<?x?x?x?xf32>
      }
    }
  }
  return
}
