// chip: sm_90 +ptx80
// launched
!tile = memref<64x64xf16, #gpu.address_space<workgroup>>
!descriptor = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @main(%A: memref<*xf16>, %C: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %smem = arith.constant 8192 : i32
  %d = nvgpu.tma.create.descriptor %A box[%c64, %c64] : memref<*xf16> -> !descriptor
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             dynamic_shared_memory_size %smem {
    %bytes = arith.constant 8192 : index
    %ticks = arith.constant 10000000 : index
    %false = arith.constant false
    %p = arith.cmpi eq, %tx, %c0 : index
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %s = memref.view %m[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to !tile
    %b = nvgpu.mbarrier.create -> !barrier
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %p : !barrier
    nvgpu.tma.prefetch.descriptor %d, predicate = %p : !descriptor
    nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %p : !barrier
    nvgpu.tma.async.load %d[%c0, %c0], %b[%c0] to %s, predicate = %p
      : !descriptor, !barrier -> !tile
    nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barrier
    %v = memref.load %s[%tx, %c0] : !tile
    memref.store %v, %C[%tx, %c0] : memref<64x64xf16>
    gpu.terminator
  }
  return
}
