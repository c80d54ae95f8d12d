gpu.func @k(%A: memref<?xindex>) kernel {
  %t = gpu.thread_id z
  %b = gpu.block_dim y
  %g = gpu.grid_dim x
  %q = gpu.grid_dim y
  %0 = index.mul %t, %b
  %1 = index.ceildivs %0, %g
  %2 = index.floordivs %1, %q
  %3 = index.remu %2, %b
  %4 = index.maxs %3, %t
  %5 = arith.ceildivui %4, %b : index
  memref.store %5, %A[%t] : memref<?xindex>
  gpu.return
}
