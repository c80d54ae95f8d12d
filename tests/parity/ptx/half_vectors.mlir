gpu.func @k(%A: memref<?xvector<2xf16>>, %B: memref<?xvector<2xbf16>>) kernel {
  %i = gpu.global_id x
  %a = memref.load %A[%i] : memref<?xvector<2xf16>>
  %b = memref.load %B[%i] : memref<?xvector<2xbf16>>
  %c = arith.mulf %a, %a : vector<2xf16>
  %d = arith.addf %c, %a : vector<2xf16>
  %e = math.fma %b, %b, %b : vector<2xbf16>
  %m = arith.maxnumf %d, %a : vector<2xf16>
  memref.store %m, %A[%i] : memref<?xvector<2xf16>>
  memref.store %e, %B[%i] : memref<?xvector<2xbf16>>
  gpu.return
}
