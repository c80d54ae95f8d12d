gpu.func @k(%A: memref<?xf16>, %B: memref<?xbf16>) kernel {
  %i = gpu.global_id x
  %a = memref.load %A[%i] : memref<?xf16>
  %b = memref.load %B[%i] : memref<?xbf16>
  %c = math.exp %a : f16
  %d = math.tanh %b : bf16
  %e = math.sqrt %c : f16
  %f = math.absf %d : bf16
  memref.store %e, %A[%i] : memref<?xf16>
  memref.store %f, %B[%i] : memref<?xbf16>
  gpu.return
}
