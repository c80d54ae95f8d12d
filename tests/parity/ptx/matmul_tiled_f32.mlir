gpu.func @k(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>)
    workgroup(%sa : memref<16x16xf32, #gpu.address_space<workgroup>>,
              %sb : memref<16x16xf32, #gpu.address_space<workgroup>>)
    kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  %s = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %z) -> f32 {
    %kx = arith.addi %k, %tx : index
    %ky = arith.addi %k, %ty : index
    %a = memref.load %A[%ty, %kx] : memref<64x64xf32>
    memref.store %a, %sa[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
    %b = memref.load %B[%ky, %tx] : memref<64x64xf32>
    memref.store %b, %sb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %in = scf.for %j = %c0 to %c16 step %c1 iter_args(%inner = %acc) -> f32 {
      %x = memref.load %sa[%ty, %j] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %y = memref.load %sb[%j, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %m = arith.mulf %x, %y : f32
      %n = arith.addf %inner, %m : f32
      scf.yield %n : f32
    }
    gpu.barrier
    scf.yield %in : f32
  }
  memref.store %s, %C[%ty, %tx] : memref<64x64xf32>
  gpu.return
}
