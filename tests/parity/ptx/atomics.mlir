gpu.func @k(%A: memref<64xf32>, %B: memref<64xi32>) kernel {
  %i = gpu.thread_id x
  %f = arith.constant 1.5 : f32
  %n = arith.constant 3 : i32
  %0 = memref.atomic_rmw addf %f, %A[%i] : (f32, memref<64xf32>) -> f32
  %1 = memref.atomic_rmw maxs %n, %B[%i] : (i32, memref<64xi32>) -> i32
  gpu.return
}
