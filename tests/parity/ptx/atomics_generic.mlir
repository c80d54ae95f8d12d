gpu.func @k(%A: memref<64xi32>) kernel {
  %i = gpu.thread_id x
  %two = arith.constant 2 : i32
  %0 = memref.generic_atomic_rmw %A[%i] : memref<64xi32> {
  ^bb0(%old: i32):
    %new = arith.muli %old, %two : i32
    memref.atomic_yield %new : i32
  }
  gpu.return
}
