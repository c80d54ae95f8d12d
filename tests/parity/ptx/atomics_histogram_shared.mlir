gpu.func @k(%A: memref<?xi32>, %H: memref<256xi32>)
    workgroup(%bins : memref<256xi32, #gpu.address_space<workgroup>>) kernel {
  %t = gpu.thread_id x
  %i = gpu.global_id x
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 255 : i32
  memref.store %zero, %bins[%t] : memref<256xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  %v = memref.load %A[%i] : memref<?xi32>
  %m = arith.andi %v, %mask : i32
  %bin = arith.index_cast %m : i32 to index
  %0 = memref.atomic_rmw addi %one, %bins[%bin]
    : (i32, memref<256xi32, #gpu.address_space<workgroup>>) -> i32
  gpu.barrier
  %c = memref.load %bins[%t] : memref<256xi32, #gpu.address_space<workgroup>>
  %1 = memref.atomic_rmw addi %c, %H[%t] : (i32, memref<256xi32>) -> i32
  gpu.return
}
