gpu.func @k(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
  %t = gpu.global_id x
  %a = memref.load %A[%t] : memref<?xf32>
  %b = memref.load %B[%t] : memref<?xf32>
  %0 = arith.mulf %a, %b fastmath<contract> : f32
  %1 = arith.addf %0, %b fastmath<contract> : f32
  %2 = arith.divf %1, %a fastmath<fast> : f32
  %3 = math.sqrt %2 fastmath<fast> : f32
  %4 = math.exp %3 fastmath<afn> : f32
  %5 = math.powf %4, %b : f32
  %6 = math.atan2 %5, %a : f32
  %7 = math.copysign %6, %b : f32
  memref.store %7, %A[%t] : memref<?xf32>
  gpu.return
}
