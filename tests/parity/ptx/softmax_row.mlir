gpu.func @k(%A: memref<?x128xf32>) kernel {
  %row = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %max = scf.for %j = %c0 to %c128 step %c1 iter_args(%m = %low) -> f32 {
    %x = memref.load %A[%row, %j] : memref<?x128xf32>
    %n = arith.maxnumf %m, %x : f32
    scf.yield %n : f32
  }
  %sum = scf.for %j = %c0 to %c128 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %A[%row, %j] : memref<?x128xf32>
    %d = arith.subf %x, %max : f32
    %e = math.exp %d : f32
    memref.store %e, %A[%row, %j] : memref<?x128xf32>
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  %j = gpu.thread_id x
  gpu.barrier
  %e = memref.load %A[%row, %j] : memref<?x128xf32>
  %q = arith.divf %e, %sum : f32
  memref.store %q, %A[%row, %j] : memref<?x128xf32>
  gpu.return
}
