gpu.func @k(%A: memref<64x4x2xf16>, %M: memref<64xvector<2xi16>>, %C: memref<64x2xf16>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %p = vector.load %A[%t, %c0, %c0] : memref<64x4x2xf16>, vector<2xf16>
  %one = arith.constant dense<1.0> : vector<4x2xf16>
  %a = vector.insert %p, %one [2] : vector<2xf16> into vector<4x2xf16>
  %m = memref.load %M[%t] : memref<64xvector<2xi16>>
  %z = arith.constant dense<0.0> : vector<2x2xf16>
  %d = nvgpu.mma.sp.sync(%a, %a, %z) metadata(%m) {mmaShape = [16, 8, 32]}
    : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  %d0 = vector.extract %d[0] : vector<2xf16> from vector<2x2xf16>
  vector.store %d0, %C[%t, %c0] : memref<64x2xf16>, vector<2xf16>
  gpu.return
}
