// RUN: xgpu-opt %s --verify-roundtrip -o %t.out
// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Optional parts, and types with every parameter.

// CHECK: module {
// CHECK-NEXT:   func.func private @tensor_maps(!nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = swizzle_32b, l2promo = l2promo_64b, oob = nan, interleave = interleave_16b>, !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = swizzle_64b, l2promo = l2promo_128b, oob = zero, interleave = interleave_32b>, !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo = l2promo_256b, oob = zero, interleave = none>)
func.func private @tensor_maps(!nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = swizzle_32b, l2promo = l2promo_64b, oob = nan, interleave = interleave_16b>, !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = swizzle_64b, l2promo = l2promo_128b, oob = zero, interleave = interleave_32b>, !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo = l2promo_256b, oob = zero, interleave = none>)

// CHECK-NEXT:   func.func private @types(!nvgpu.device.async.token, !nvgpu.mbarrier.token, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, !nvgpu.mbarrier.group<memorySpace = 3 : i64, num_barriers = 7>, !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>)
func.func private @types(!nvgpu.device.async.token, !nvgpu.mbarrier.token, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, !nvgpu.mbarrier.group<memorySpace = 3 : i64, num_barriers = 7>, !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>)

// CHECK-NEXT:   func.func @copies(%arg0: memref<128x128xf32>, %arg1: memref<16x128xf32, 3>, %arg2: index, %arg3: !nvgpu.device.async.token) {
// CHECK-NEXT:     %0 = nvgpu.device_async_copy %arg0[%arg2, %arg2], %arg1[%arg2, %arg2], 4 {bypassL1} : memref<128x128xf32> to memref<16x128xf32, 3>
// CHECK-NEXT:     %1 = nvgpu.device_async_copy %arg0[%arg2, %arg2], %arg1[%arg2, %arg2], 4, %arg2 : memref<128x128xf32> to memref<16x128xf32, 3>
// CHECK-NEXT:     %2 = nvgpu.device_async_create_group %0, %1
// CHECK-NEXT:     nvgpu.device_async_wait %2
// CHECK-NEXT:     %3 = nvgpu.device_async_create_group
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copies(%src: memref<128x128xf32>, %dst: memref<16x128xf32, 3>, %i: index, %t: !nvgpu.device.async.token) {
  %0 = nvgpu.device_async_copy %src[%i, %i], %dst[%i, %i], 4 {bypassL1} : memref<128x128xf32> to memref<16x128xf32, 3>
  %1 = nvgpu.device_async_copy %src[%i, %i], %dst[%i, %i], 4, %i : memref<128x128xf32> to memref<16x128xf32, 3>
  %2 = nvgpu.device_async_create_group %0, %1
  nvgpu.device_async_wait %2
  %3 = nvgpu.device_async_create_group
  return
}

// CHECK-NEXT:   func.func @products(%arg0: vector<4x1xf32>, %arg1: vector<2x1xf32>, %arg2: vector<2x2xf32>, %arg3: vector<2x1xf32>, %arg4: vector<2x1xf32>, %arg5: vector<2xi16>) {
// CHECK-NEXT:     %0 = nvgpu.mma.sync(%arg0, %arg1, %arg2) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:     %1 = nvgpu.mma.sp.sync(%arg3, %arg4, %arg2) metadata(%arg5) {mmaShape = [16, 8, 8], sparsitySelector = 1 : i32, tf32Enabled} : (vector<2x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @products(%x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %s: vector<2x1xf32>, %t: vector<2x1xf32>, %meta: vector<2xi16>) {
  %0 = nvgpu.mma.sync (%x, %y, %z) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  %1 = nvgpu.mma.sp.sync (%s, %t, %z) metadata (%meta) {mmaShape = [16, 8, 8], sparsitySelector = 1 : i32, tf32Enabled} : (vector<2x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}

// CHECK-NEXT:   func.func @warpgroup(%arg0: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, %arg1: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %arg2: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
// CHECK-NEXT:     %0 = nvgpu.warpgroup.mma %arg0, %arg1, %arg2 {transposeA, transposeB} : <tensor = memref<64x16xf16, 3>>, <tensor = memref<16x64xf16, 3>>, <fragmented = vector<64x64xf32>> -> <fragmented = vector<64x64xf32>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @warpgroup(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  %0 = nvgpu.warpgroup.mma %a, %b, %c {transposeA, transposeB, waitGroup = 1 : i64} : <tensor = memref<64x16xf16, 3>>, <tensor = memref<16x64xf16, 3>>, <fragmented = vector<64x64xf32>> -> <fragmented = vector<64x64xf32>>
  return
}
