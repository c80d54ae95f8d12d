// RUN: xgpu-opt --convert-shard-to-mpi --split-input-file --verify-diagnostics %s

shard.grid @g(shape = 4)
func.func @halo(%a: memref<5x8xf32>) -> memref<5x8xf32> {
  // expected-error@+1 {{a halo of 2 in dimension 0, where each process has 1 elements of its own}}
  %0 = shard.update_halo %a on @g split_axes = [[0]] halo_sizes = [2, 2] : memref<5x8xf32>
  return %0 : memref<5x8xf32>
}
