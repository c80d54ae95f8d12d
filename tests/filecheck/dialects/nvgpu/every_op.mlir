// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// Every operation of the dialect.

!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
func.func @copies(%src: memref<128x128xf32>, %dst: memref<3x16x128xf32, 3>, %i: index) {
  %0 = nvgpu.device_async_copy %src[%i, %i], %dst[%i, %i, %i], 4 : memref<128x128xf32> to memref<3x16x128xf32, 3>
  %1 = nvgpu.device_async_create_group %0
  nvgpu.device_async_wait %1 {numGroups = 1 : i32}
  return
}
func.func @matrices(%m: memref<?x?xf16, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %sb: vector<4x2xf16>) {
  %0 = nvgpu.ldmatrix %m[%i, %i] {transpose = false, numTiles = 4 : i32} : memref<?x?xf16, 3> -> vector<4x2xf16>
  %1 = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  %2 = nvgpu.mma.sp.sync (%a, %sb, %c) metadata (%meta) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}
func.func @barriers(%i: index, %n: index, %p: i1) {
  %b = nvgpu.mbarrier.create -> !barriers
  nvgpu.mbarrier.init %b[%i], %n : !barriers
  nvgpu.mbarrier.init %b[%i], %n, predicate = %p : !barriers
  %ptr = nvgpu.mbarrier.get %b[%i] : !barriers -> i32
  %t = nvgpu.mbarrier.arrive %b[%i] : !barriers -> !nvgpu.mbarrier.token
  %u = nvgpu.mbarrier.arrive.nocomplete %b[%i], %n : !barriers -> !nvgpu.mbarrier.token
  nvgpu.mbarrier.arrive.expect_tx %b[%i], %n : !barriers
  %done = nvgpu.mbarrier.test.wait %b[%i], %t : !barriers, !nvgpu.mbarrier.token
  nvgpu.mbarrier.try_wait.parity %b[%i], %p, %n : !barriers
  return
}
func.func @tma(%tensor: memref<*xf16>, %i: index, %d: !map, %dst: memref<64x64xf16, 3>, %b: !barriers, %p: i1, %mask: i16) {
  %map = nvgpu.tma.create.descriptor %tensor box[%i, %i] : memref<*xf16> -> !map
  nvgpu.tma.prefetch.descriptor %d : !map
  nvgpu.tma.fence.descriptor %d : !map
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !map, !barriers -> memref<64x64xf16, 3>
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst multicast_mask = %mask, predicate = %p : !map, !barriers -> memref<64x64xf16, 3>
  nvgpu.tma.async.store %dst to %d[%i, %i] : memref<64x64xf16, 3> -> !map
  return
}
func.func @warpgroup(%a: memref<128x64xf16, 3>, %b: memref<64x128xf16, 3>, %ma: !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %mb: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %out: memref<128x128xf32, 3>) {
  %acc = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
  %da = nvgpu.warpgroup.generate.descriptor %a, %ma : memref<128x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
  %db = nvgpu.warpgroup.generate.descriptor %b, %mb : memref<64x128xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
  %r = nvgpu.warpgroup.mma %da, %db, %acc {transposeB} : <tensor = memref<128x64xf16, 3>>, <tensor = memref<64x128xf16, 3>>, <fragmented = vector<128x128xf32>> -> <fragmented = vector<128x128xf32>>
  nvgpu.warpgroup.mma.store %r, %out : <fragmented = vector<128x128xf32>> to memref<128x128xf32, 3>
  return
}
func.func @rcp(%v: vector<2xf32>) -> vector<2xf32> {
  %0 = nvgpu.rcp %v {rounding = approx, ftz} : vector<2xf32>
  return %0 : vector<2xf32>
}

// CHECK: module {
// CHECK-NEXT: func.func @copies(%arg0: memref<128x128xf32>, %arg1: memref<3x16x128xf32, 3>, %arg2: index) {
// CHECK-NEXT: %0 = nvgpu.device_async_copy %arg0[%arg2, %arg2], %arg1[%arg2, %arg2, %arg2], 4 : memref<128x128xf32> to memref<3x16x128xf32, 3>
// CHECK-NEXT: %1 = nvgpu.device_async_create_group %0
// CHECK-NEXT: nvgpu.device_async_wait %1 {numGroups = 1 : i32}
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func @matrices(%arg0: memref<?x?xf16, 3>, %arg1: index, %arg2: vector<4x2xf16>, %arg3: vector<2x2xf16>, %arg4: vector<2x2xf16>, %arg5: vector<2xi16>, %arg6: vector<4x2xf16>) {
// CHECK-NEXT: %0 = nvgpu.ldmatrix %arg0[%arg1, %arg1] {numTiles = 4 : i32, transpose = false} : memref<?x?xf16, 3> -> vector<4x2xf16>
// CHECK-NEXT: %1 = nvgpu.mma.sync(%arg2, %arg3, %arg4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
// CHECK-NEXT: %2 = nvgpu.mma.sp.sync(%arg2, %arg6, %arg4) metadata(%arg5) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func @barriers(%arg0: index, %arg1: index, %arg2: i1) {
// CHECK-NEXT: %0 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT: nvgpu.mbarrier.init %0[%arg0], %arg1 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT: nvgpu.mbarrier.init %0[%arg0], %arg1, predicate = %arg2 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT: %1 = nvgpu.mbarrier.get %0[%arg0] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i32
// CHECK-NEXT: %2 = nvgpu.mbarrier.arrive %0[%arg0] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> !nvgpu.mbarrier.token
// CHECK-NEXT: %3 = nvgpu.mbarrier.arrive.nocomplete %0[%arg0], %arg1 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> !nvgpu.mbarrier.token
// CHECK-NEXT: nvgpu.mbarrier.arrive.expect_tx %0[%arg0], %arg1 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT: %4 = nvgpu.mbarrier.test.wait %0[%arg0], %2 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, !nvgpu.mbarrier.token
// CHECK-NEXT: nvgpu.mbarrier.try_wait.parity %0[%arg0], %arg2, %arg1 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func @tma(%arg0: memref<*xf16>, %arg1: index, %arg2: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %arg3: memref<64x64xf16, 3>, %arg4: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, %arg5: i1, %arg6: i16) {
// CHECK-NEXT: %0 = nvgpu.tma.create.descriptor %arg0 box[%arg1, %arg1] : memref<*xf16> -> <tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
// CHECK-NEXT: nvgpu.tma.prefetch.descriptor %arg2 : <tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
// CHECK-NEXT: nvgpu.tma.fence.descriptor %arg2 : <tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
// CHECK-NEXT: nvgpu.tma.async.load %arg2[%arg1, %arg1], %arg4[%arg1] to %arg3 : <tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> memref<64x64xf16, 3>
// CHECK-NEXT: nvgpu.tma.async.load %arg2[%arg1, %arg1], %arg4[%arg1] to %arg3 multicast_mask = %arg6, predicate = %arg5 : <tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> memref<64x64xf16, 3>
// CHECK-NEXT: nvgpu.tma.async.store %arg3 to %arg2[%arg1, %arg1] : memref<64x64xf16, 3> -> <tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func @warpgroup(%arg0: memref<128x64xf16, 3>, %arg1: memref<64x128xf16, 3>, %arg2: !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %arg3: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %arg4: memref<128x128xf32, 3>) {
// CHECK-NEXT: %0 = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<128x128xf32>>
// CHECK-NEXT: %1 = nvgpu.warpgroup.generate.descriptor %arg0, %arg2 : memref<128x64xf16, 3>, <tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> <tensor = memref<128x64xf16, 3>>
// CHECK-NEXT: %2 = nvgpu.warpgroup.generate.descriptor %arg1, %arg3 : memref<64x128xf16, 3>, <tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> <tensor = memref<64x128xf16, 3>>
// CHECK-NEXT: %3 = nvgpu.warpgroup.mma %1, %2, %0 {transposeB} : <tensor = memref<128x64xf16, 3>>, <tensor = memref<64x128xf16, 3>>, <fragmented = vector<128x128xf32>> -> <fragmented = vector<128x128xf32>>
// CHECK-NEXT: nvgpu.warpgroup.mma.store %3, %arg4 : <fragmented = vector<128x128xf32>> to memref<128x128xf32, 3>
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func @rcp(%arg0: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT: %0 = nvgpu.rcp %arg0{rounding =  approx, ftz} : vector<2xf32>
// CHECK-NEXT: return %0 : vector<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
