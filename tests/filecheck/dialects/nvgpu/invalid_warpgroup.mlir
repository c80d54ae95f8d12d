// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What verifiers of TMA and of products of a warpgroup refuse.

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = interleave_16b>, %dst: memref<32x32xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{Interleave options are not supported yet.}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = interleave_16b>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x32xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<32x32xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the tensor map descriptor has incorrect address space, it must be shared memory address space.}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x32xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<?x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<32x32xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the tensor map descriptor must be static shaped}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<?x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x32xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x512xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<32x512xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the tensor map descriptor must have dimensions between 1 and 256 but it is 512}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x512xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x512xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>, %dst: memref<32x32xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the tensormap descriptor must have last dimension of 64 bytes but it is 128 bytes}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x32xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<32x32xf16, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the element type of tensor map descriptor and memref must be same}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x32xf16, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<32x32xf32>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the destination memref has incorrect address space, it must be shared memory address space.}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x32xf32>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<?x32xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the destination memref must be static shaped}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<?x32xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<32xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the shape of tensor map descriptor and memref must have same rank}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<16x32xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{memref and tensor map shapes mismatch 'memref<32x32xf32, 3>' != 'memref<16x32xf32, 3>'}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<16x32xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x3xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<32x3xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{the bytes in the last dimension of the tensor map must be a multiple of 16}}
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x3xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x3xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<32x32xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{number of coordinates do not match with the rank of tensor descriptor map.}}
  nvgpu.tma.async.load %d[%i, %i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x32xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<2x2x2x2x2x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %dst: memref<2x2x2x2x2x8xf32, 3>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %i: index) {
  // expected-error@+1 {{Maximum 5 coordinates are supported.}}
  nvgpu.tma.async.load %d[%i, %i, %i, %i, %i, %i], %b[%i] to %dst : !nvgpu.tensormap.descriptor<tensor = memref<2x2x2x2x2x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<2x2x2x2x2x8xf32, 3>
  return
}

// -----

func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %m: memref<32x32xf32, 3>, %i: index) {
  // expected-error@+1 {{number of coordinates do not match with the rank of tensor descriptor map.}}
  nvgpu.tma.async.store %m to %d[%i] : memref<32x32xf32, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%m: memref<*xf32>, %i: index) {
  // expected-error@+1 {{Maximum 5 coordinates are supported.}}
  %0 = nvgpu.tma.create.descriptor %m box[%i, %i, %i, %i, %i, %i] : memref<*xf32> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @f(%m: memref<64x64xf16, 3>, %d: !nvgpu.tensormap.descriptor<tensor = memref<64x32xf16, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>) {
  // expected-error@+1 {{supports only swizzle_128b is supported for the time being}}
  %0 = nvgpu.warpgroup.generate.descriptor %m, %d : memref<64x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<64x32xf16, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none> -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op supports non-transpose A (Row Major) and transpose B (Column Major) for the time being}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c {transposeA} : !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op type of matrix C and matrix D must be the same}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf16>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x16x1xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op has matrices A, B, C and D, they must be 2 dimensional}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<64x16x1xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x32xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op 2nd dim matrix-A (32)!= 1st dim matrix-B (16 )}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<64x32xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x16xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op 1st dim matrix-A ( 128 )!= 1st dim matrix-C ( 64 )}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<128x16xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x32xf32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op 2nd dim matrix-B ( 64 ) != 2nd dim matrix-C ( 32 )}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x32xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x32xf32>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf32, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op 'f32' += 'f16' * 'f32', it is not supported.}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf32, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x12xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x12xf32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op has input type 'memref<16x12xf16, 3>' n is set to 12, it is not supported}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x12xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x12xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x12xf32>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xi8, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xi8, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xi32>>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma' op 'i32' += 'i8' * 'i8', it is not supported.}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : !nvgpu.warpgroup.descriptor<tensor = memref<64x16xi8, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<16x64xi8, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xi32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xi32>>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf16>>, %m: memref<64x64xf16, 3>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma.store' op hit a limitation: only f32 results for the time being}}
  nvgpu.warpgroup.mma.store %a, %m : !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf16>> to memref<64x64xf16, 3>
  return
}

// -----

func.func @f(%a: !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>, %m: memref<32x64xf32, 3>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma.store' op results ['vector<64x64xf32>'][64] values. However, destination memref[32][64]  does not have same size as results}}
  nvgpu.warpgroup.mma.store %a, %m : !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>> to memref<32x64xf32, 3>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'nvgpu.warpgroup.mma.init.accumulator' op has type 'vector<60x64xf32>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction (or not supported yet)}}
  %0 = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<60x64xf32>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'nvgpu.warpgroup.mma.init.accumulator' op has type 'vector<64xf32>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction (or not supported yet)}}
  %0 = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64xf32>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'nvgpu.warpgroup.mma.init.accumulator' op has type 'vector<64x12xf32>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction (or not supported yet)}}
  %0 = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x12xf32>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'nvgpu.warpgroup.mma.init.accumulator' op has type 'vector<64x64xf64>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction (or not supported yet)}}
  %0 = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf64>>
  return
}
