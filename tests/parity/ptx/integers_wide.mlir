gpu.func @k(%A: memref<?xi64>, %B: memref<?xi32>) kernel {
  %t = gpu.thread_id x
  %a = memref.load %A[%t] : memref<?xi64>
  %b = memref.load %B[%t] : memref<?xi32>
  %lo, %hi = arith.mului_extended %a, %a : i64
  %x = arith.extsi %b : i32 to i64
  %s, %o = arith.addui_extended %x, %hi : i64, i1
  %c = math.ctpop %s : i64
  %d = math.ctlz %b : i32
  %e = arith.trunci %c : i64 to i32
  %f = arith.select %o, %d, %e : i32
  %g = arith.xori %f, %b : i32
  memref.store %lo, %A[%t] : memref<?xi64>
  memref.store %g, %B[%t] : memref<?xi32>
  gpu.return
}
