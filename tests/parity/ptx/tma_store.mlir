// chip: sm_90 +ptx80
// launched
!tile = memref<64x8xf32, #gpu.address_space<workgroup>>
!descriptor = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @main(%A: memref<*xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %smem = arith.constant 2048 : i32
  %d = nvgpu.tma.create.descriptor %A box[%c64, %c8] : memref<*xf32> -> !descriptor
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             dynamic_shared_memory_size %smem {
    %f = arith.constant 1.0 : f32
    %p = arith.cmpi eq, %tx, %c0 : index
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %s = memref.view %m[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to !tile
    memref.store %f, %s[%tx, %c0] : !tile
    gpu.barrier
    nvgpu.tma.async.store %s to %d[%c0, %c0], predicate = %p : !tile -> !descriptor
    gpu.terminator
  }
  return
}
