// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What nvgpu operations cannot be, in MLIR's words.

func.func @shared(%m: memref<8x8xf16>, %i: index) {
  // expected-error@+1 {{expected nvgpu.ldmatrix srcMemref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)}}
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 2 : i32, transpose = false} : memref<8x8xf16> -> vector<2x2xf16>
  return
}

// -----

func.func @width(%m: memref<8x8xf64, 3>, %i: index) {
  // expected-error@+1 {{nvgpu.ldmatrix works for 32b or lower}}
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 2 : i32, transpose = false} : memref<8x8xf64, 3> -> vector<2x1xf64>
  return
}

// -----

func.func @transposed(%m: memref<8x8xi8, 3>, %i: index) {
  // expected-error@+1 {{nvgpu.ldmatrix transpose works only at 16b granularity}}
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 2 : i32, transpose = true} : memref<8x8xi8, 3> -> vector<2x4xi8>
  return
}

// -----

func.func @rank(%m: memref<8x8xf16, 3>, %i: index) {
  // expected-error@+1 {{results must be 2 dimensional vector}}
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 2 : i32, transpose = false} : memref<8x8xf16, 3> -> vector<2xf16>
  return
}

// -----

func.func @element(%a: vector<4x1xi64>, %b: vector<2x1xi64>, %c: vector<2x2xi64>) {
  // expected-error@+1 {{expected input data type (i4,i8,f16,bf16,tf32,f64) supported by nvgpu.mma.sync}}
  %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 4]} : (vector<4x1xi64>, vector<2x1xi64>, vector<2x2xi64>) -> vector<2x2xi64>
  return
}

// -----

func.func @shape_a(%a: vector<2x4xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>) {
  // expected-error@+1 {{'nvgpu.mma.sync' op expected matrix A to be shaped (4 x 2)}}
  %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<2x4xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @sparse_f64(%a: vector<4x1xf64>, %c: vector<2x2xf64>, %m: vector<2xi16>) {
  // expected-error@+1 {{f64 is not supported for sparse mode}}
  %0 = nvgpu.mma.sp.sync(%a, %a, %c) metadata(%m) {mmaShape = [16, 8, 8]} : (vector<4x1xf64>, vector<4x1xf64>, vector<2x2xf64>) -> vector<2x2xf64>
  return
}

// -----

func.func @indices(%s: memref<8x8xf32>, %d: memref<8x8xf32, 3>, %i: index) {
  // expected-error@+1 {{'nvgpu.device_async_copy' op expected 2 source indices, got 1}}
  %0 = nvgpu.device_async_copy %s[%i], %d[%i, %i], 4 : memref<8x8xf32> to memref<8x8xf32, 3>
  return
}

// -----

func.func @stride(%s: memref<8x8xf32>, %d: memref<8x8xf32, strided<[16, 2]>, 3>, %i: index) {
  // expected-error@+1 {{destination memref most minor dim must have unit stride}}
  %0 = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 4 : memref<8x8xf32> to memref<8x8xf32, strided<[16, 2]>, 3>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<4x1024xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @extent(%m: memref<*xi8>, %i: index) {
  // expected-error@+1 {{the tensor map descriptor must have dimensions between 1 and 256 but it is 1024}}
  %0 = nvgpu.tma.create.descriptor %m box[%i, %i] : memref<*xi8> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<4x16xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @box(%m: memref<*xi8>, %i: index) {
  // expected-error@+1 {{Maximum 5 coordinates are supported.}}
  %0 = nvgpu.tma.create.descriptor %m box[%i, %i, %i, %i, %i, %i] : memref<*xi8> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<4x16xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @element_of_map(%d: !map, %m: memref<4x16xf32, 3>, %i: index) {
  // expected-error@+1 {{the element type of tensor map descriptor and memref must be same}}
  nvgpu.tma.async.store %m to %d[%i, %i] : memref<4x16xf32, 3> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<4x16xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @coordinates(%d: !map, %m: memref<4x16xi8, 3>, %i: index) {
  // expected-error@+1 {{number of coordinates do not match with the rank of tensor descriptor map.}}
  nvgpu.tma.async.store %m to %d[%i] : memref<4x16xi8, 3> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x16xf16, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>
!desc = !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>
func.func @swizzle(%m: memref<64x16xf16, 3>, %d: !map) {
  // expected-error@+1 {{supports only swizzle_128b is supported for the time being}}
  %0 = nvgpu.warpgroup.generate.descriptor %m, %d : memref<64x16xf16, 3>, !map -> !desc
  return
}

// -----

func.func @accumulator() {
  // expected-error@+1 {{'nvgpu.warpgroup.mma.init.accumulator' op has type 'vector<60x128xf32>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction (or not supported yet)}}
  %0 = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<60x128xf32>>
  return
}

// -----

!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x16xf32>>
func.func @store(%a: !acc, %m: memref<64x8xf32>) {
  // expected-error@+1 {{'nvgpu.warpgroup.mma.store' op results ['vector<64x16xf32>'][16] values. However, destination memref[64][8]  does not have same size as results}}
  nvgpu.warpgroup.mma.store %a, %m : !acc to memref<64x8xf32>
  return
}
