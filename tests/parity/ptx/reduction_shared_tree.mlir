gpu.func @k(%A: memref<?xf32>, %B: memref<?xf32>)
    workgroup(%tile : memref<256xf32, #gpu.address_space<workgroup>>)
    kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %t = gpu.thread_id x
  %i = gpu.global_id x
  %b = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %A[%i] : memref<?xf32>
  memref.store %v, %tile[%t] : memref<256xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %last = scf.while (%width = %c128) : (index) -> index {
    %more = arith.cmpi sge, %width, %c1 : index
    scf.condition(%more) %width : index
  } do {
  ^bb0(%width: index):
    %active = arith.cmpi slt, %t, %width : index
    scf.if %active {
      %other = arith.addi %t, %width : index
      %x = memref.load %tile[%t] : memref<256xf32, #gpu.address_space<workgroup>>
      %y = memref.load %tile[%other] : memref<256xf32, #gpu.address_space<workgroup>>
      %s = arith.maximumf %x, %y : f32
      memref.store %s, %tile[%t] : memref<256xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %half = arith.shrui %width, %c1 : index
    scf.yield %half : index
  }
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    %r = memref.load %tile[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %r, %B[%b] : memref<?xf32>
  }
  gpu.return
}
