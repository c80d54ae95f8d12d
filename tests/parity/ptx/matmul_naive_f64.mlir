gpu.func @k(%A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>, %n: index) kernel {
  %row = gpu.global_id y
  %col = gpu.global_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %in_row = arith.cmpi slt, %row, %n : index
  %in_col = arith.cmpi slt, %col, %n : index
  %in = arith.andi %in_row, %in_col : i1
  scf.if %in {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z) -> f64 {
      %a = memref.load %A[%row, %k] : memref<?x?xf64>
      %b = memref.load %B[%k, %col] : memref<?x?xf64>
      %c = math.fma %a, %b, %acc : f64
      scf.yield %c : f64
    }
    memref.store %s, %C[%row, %col] : memref<?x?xf64>
  }
  gpu.return
}
