gpu.func @k(%A: memref<64x4xi8>, %C: memref<64x2x2xi32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %p = vector.load %A[%t, %c0] : memref<64x4xi8>, vector<4xi8>
  %za = arith.constant dense<1> : vector<4x4xi8>
  %zb = arith.constant dense<2> : vector<2x4xi8>
  %a = vector.insert %p, %za [1] : vector<4xi8> into vector<4x4xi8>
  %b = vector.insert %p, %zb [0] : vector<4xi8> into vector<2x4xi8>
  %z = arith.constant dense<0> : vector<2x2xi32>
  %d = nvgpu.mma.sync(%a, %b, %z) {mmaShape = [16, 8, 32]}
    : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  %d0 = vector.extract %d[1] : vector<2xi32> from vector<2x2xi32>
  vector.store %d0, %C[%t, %c0, %c0] : memref<64x2x2xi32>, vector<2xi32>
  gpu.return
}
