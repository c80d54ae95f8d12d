// chip: sm_90a +ptx80
// launched
!lhs = memref<128x64xf16, #gpu.address_space<workgroup>>
!rhs = memref<64x128xf16, #gpu.address_space<workgroup>>
!lhs_map = !nvgpu.tensormap.descriptor<tensor = !lhs, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!rhs_map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
func.func @main(%A: memref<*xf16>, %B: memref<*xf16>, %C: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %smem = arith.constant 32768 : i32
  %da = nvgpu.tma.create.descriptor %A box[%c128, %c64] : memref<*xf16> -> !lhs_map
  %db = nvgpu.tma.create.descriptor %B box[%c64, %c64] : memref<*xf16> -> !rhs_map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1)
             dynamic_shared_memory_size %smem {
    %half = arith.constant 16384 : index
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.view %m[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to !lhs
    %b = memref.view %m[%half][] : memref<?xi8, #gpu.address_space<workgroup>> to !rhs
    %wa = nvgpu.warpgroup.generate.descriptor %a, %da
      : !lhs, !lhs_map -> <tensor = !lhs>
    %wb = nvgpu.warpgroup.generate.descriptor %b, %db
      : !rhs, !rhs_map -> <tensor = !rhs>
    %z = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<128x128xf32>>
    %r = nvgpu.warpgroup.mma %wa, %wb, %z {transposeB}
      : <tensor = !lhs>, <tensor = !rhs>, <fragmented = vector<128x128xf32>>
      -> <fragmented = vector<128x128xf32>>
    nvgpu.warpgroup.mma.store %r, %C
      : <fragmented = vector<128x128xf32>> to memref<128x128xf32>
    gpu.terminator
  }
  return
}
