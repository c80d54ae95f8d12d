gpu.func @k(%A: memref<16x16xf16, 3>, %C: memref<64x2x2xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %a = nvgpu.ldmatrix %A[%c0, %t] {numTiles = 4 : i32, transpose = false}
    : memref<16x16xf16, 3> -> vector<4x2xf16>
  %b = nvgpu.ldmatrix %A[%t, %c0] {numTiles = 2 : i32, transpose = true}
    : memref<16x16xf16, 3> -> vector<2x2xf16>
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %d = nvgpu.mma.sync(%a, %b, %z) {mmaShape = [16, 8, 16]}
    : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %d0 = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
  %d1 = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
  %c1 = arith.constant 1 : index
  vector.store %d0, %C[%t, %c0, %c0] : memref<64x2x2xf32>, vector<2xf32>
  vector.store %d1, %C[%t, %c1, %c0] : memref<64x2x2xf32>, vector<2xf32>
  gpu.return
}
