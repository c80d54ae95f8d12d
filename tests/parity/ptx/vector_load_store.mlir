gpu.func @k(%A: memref<1024xf32>) kernel {
  %i = gpu.thread_id x
  %v = vector.load %A[%i] : memref<1024xf32>, vector<4xf32>
  %w = arith.addf %v, %v : vector<4xf32>
  vector.store %w, %A[%i] : memref<1024xf32>, vector<4xf32>
  gpu.return
}
