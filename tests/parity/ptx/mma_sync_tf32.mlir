gpu.func @k(%A: memref<64x4x1xf32>, %B: memref<64x2x1xf32>, %C: memref<64x2x2xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = memref.load %A[%t, %c0, %c0] : memref<64x4x1xf32>
  %q = memref.load %B[%t, %c0, %c0] : memref<64x2x1xf32>
  %a = vector.broadcast %p : f32 to vector<4x1xf32>
  %b = vector.broadcast %q : f32 to vector<2x1xf32>
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %d = nvgpu.mma.sync(%a, %b, %z) {mmaShape = [16, 8, 8], tf32Enabled}
    : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
  vector.store %d0, %C[%t, %c1, %c0] : memref<64x2x2xf32>, vector<2xf32>
  gpu.return
}
