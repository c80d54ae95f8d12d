gpu.func @k(%A: memref<32xf32>) kernel {
  %i = gpu.lane_id
  %v = memref.load %A[%i] : memref<32xf32>
  %o = arith.constant 1 : i32
  %w = arith.constant 32 : i32
  %s, %p = gpu.shuffle xor %v, %o, %w : f32
  memref.store %s, %A[%i] : memref<32xf32>
  gpu.return
}
