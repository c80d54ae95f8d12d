gpu.func @k(%A: memref<1024xf64>, %B: memref<1024xf64>) kernel {
  %i = gpu.global_id x
  %c1 = arith.constant 1 : index
  %c1022 = arith.constant 1022 : index
  %w = arith.constant 0.25 : f64
  %lo = arith.cmpi sgt, %i, %c1 : index
  %hi = arith.cmpi slt, %i, %c1022 : index
  %in = arith.andi %lo, %hi : i1
  scf.if %in {
    %l = arith.subi %i, %c1 : index
    %a = memref.load %A[%l] : memref<1024xf64>
    %b = memref.load %A[%i] : memref<1024xf64>
    %s = arith.addf %a, %b : f64
    %u = arith.mulf %s, %w : f64
    memref.store %u, %B[%i] : memref<1024xf64>
  }
  gpu.return
}
