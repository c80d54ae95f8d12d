gpu.func @k(%A: memref<128x8xf16>, %S: memref<128x8xf16, 3>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %S[%t, %i] : memref<128x8xf16, 3>
    memref.store %v, %A[%t, %i] : memref<128x8xf16>
  }
  gpu.return
}
