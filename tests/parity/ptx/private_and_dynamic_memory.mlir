gpu.func @k(%A: memref<?xf32>)
    private(%p : memref<8xf32, #gpu.address_space<private>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = memref.load %A[%t] : memref<?xf32>
  memref.store %a, %p[%t] : memref<8xf32, #gpu.address_space<private>>
  %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %s = memref.view %m[%c0][] : memref<?xi8, #gpu.address_space<workgroup>>
    to memref<32xf32, #gpu.address_space<workgroup>>
  memref.store %a, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %b = memref.load %s[%c2] : memref<32xf32, #gpu.address_space<workgroup>>
  %c = memref.load %p[%c2] : memref<8xf32, #gpu.address_space<private>>
  %d = arith.subf %b, %c : f32
  memref.store %d, %A[%t] : memref<?xf32>
  gpu.return
}
