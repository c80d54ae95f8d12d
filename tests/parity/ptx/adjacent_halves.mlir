gpu.func @k(%A: memref<128x2xf16>, %S: memref<128x2xf16, 3>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = memref.load %S[%t, %c0] : memref<128x2xf16, 3>
  %a1 = memref.load %S[%t, %c1] : memref<128x2xf16, 3>
  %b0 = memref.load %A[%t, %c0] : memref<128x2xf16>
  %b1 = memref.load %A[%t, %c1] : memref<128x2xf16>
  %p0 = arith.mulf %a0, %b0 : f16
  %p1 = arith.mulf %a1, %b1 : f16
  %s0 = arith.addf %p0, %b0 : f16
  %s1 = arith.addf %p1, %b1 : f16
  memref.store %s0, %A[%t, %c0] : memref<128x2xf16>
  memref.store %s1, %A[%t, %c1] : memref<128x2xf16>
  gpu.return
}
