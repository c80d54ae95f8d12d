gpu.func @k(%A: memref<64xi32>, %B: memref<64xi64>, %C: memref<64xf64>) kernel {
  %i = gpu.thread_id x
  %n = arith.constant 3 : i32
  %w = arith.constant 5 : i64
  %f = arith.constant 2.5 : f64
  %0 = memref.atomic_rmw addi %n, %A[%i] : (i32, memref<64xi32>) -> i32
  %1 = memref.atomic_rmw andi %0, %A[%i] : (i32, memref<64xi32>) -> i32
  %2 = memref.atomic_rmw ori %1, %A[%i] : (i32, memref<64xi32>) -> i32
  %3 = memref.atomic_rmw minu %2, %A[%i] : (i32, memref<64xi32>) -> i32
  %4 = memref.atomic_rmw assign %3, %A[%i] : (i32, memref<64xi32>) -> i32
  %5 = memref.atomic_rmw maxu %w, %B[%i] : (i64, memref<64xi64>) -> i64
  %6 = memref.atomic_rmw addf %f, %C[%i] : (f64, memref<64xf64>) -> f64
  gpu.return
}
