gpu.func @k(%A: memref<?xf32>, %H: memref<?xf16>, %B: memref<?xbf16>) kernel {
  %i = gpu.global_id x
  %v = memref.load %A[%i] : memref<?xf32>
  %h = arith.truncf %v : f32 to f16
  %b = arith.truncf %v : f32 to bf16
  memref.store %h, %H[%i] : memref<?xf16>
  memref.store %b, %B[%i] : memref<?xbf16>
  %hf = arith.extf %h : f16 to f32
  %bf = arith.extf %b : bf16 to f32
  %s = arith.addf %hf, %bf : f32
  %n = arith.fptosi %h : f16 to i32
  %u = arith.uitofp %n : i32 to f32
  %r = arith.mulf %s, %u : f32
  memref.store %r, %A[%i] : memref<?xf32>
  gpu.return
}
