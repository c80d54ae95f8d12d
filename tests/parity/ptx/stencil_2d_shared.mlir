gpu.func @k(%A: memref<512x512xf32>, %B: memref<512x512xf32>)
    workgroup(%tile : memref<18x18xf32, #gpu.address_space<workgroup>>)
    kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %x = gpu.global_id x
  %y = gpu.global_id y
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %quarter = arith.constant 0.25 : f32
  %lx = arith.addi %tx, %c1 : index
  %ly = arith.addi %ty, %c1 : index
  %v = memref.load %A[%y, %x] : memref<512x512xf32>
  memref.store %v, %tile[%ly, %lx] : memref<18x18xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %rx = arith.addi %tx, %c2 : index
  %ry = arith.addi %ty, %c2 : index
  %n = memref.load %tile[%ty, %lx] : memref<18x18xf32, #gpu.address_space<workgroup>>
  %s = memref.load %tile[%ry, %lx] : memref<18x18xf32, #gpu.address_space<workgroup>>
  %w = memref.load %tile[%ly, %tx] : memref<18x18xf32, #gpu.address_space<workgroup>>
  %e = memref.load %tile[%ly, %rx] : memref<18x18xf32, #gpu.address_space<workgroup>>
  %0 = arith.addf %n, %s : f32
  %1 = arith.addf %w, %e : f32
  %2 = arith.addf %0, %1 : f32
  %3 = arith.mulf %2, %quarter : f32
  memref.store %3, %B[%y, %x] : memref<512x512xf32>
  gpu.return
}
