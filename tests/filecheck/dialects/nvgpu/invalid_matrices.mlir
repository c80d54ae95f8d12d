// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What verifiers of copies and products of a warp refuse.

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{destination memref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)}}
  %0 = nvgpu.device_async_copy %g[%i, %i], %g[%i, %i], 8 : memref<16x16xf16> to memref<16x16xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{source and destination must have the same element type}}
  %0 = nvgpu.device_async_copy %h[%i, %i], %m[%i, %i], 8 : memref<16x16xf32> to memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.device_async_copy' op expected 2 destination indices, got 1}}
  %0 = nvgpu.device_async_copy %g[%i, %i], %m[%i], 8 : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.device_async_copy' op expected 2 source indices, got 1}}
  %0 = nvgpu.device_async_copy %g[%i], %m[%i, %i], 8 : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{Requested copy elements is 3 with width 16. But copy elements could be one of 2, 4, 8.}}
  %0 = nvgpu.device_async_copy %g[%i, %i], %m[%i, %i], 3 : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.device_async_copy' op bypassL1 does not satify alignment for 'memref<16x16xf16, 3>' with destination element 4. Unset bypassL1, or set destination element to 8}}
  %0 = nvgpu.device_async_copy %g[%i, %i], %m[%i, %i], 4 {bypassL1} : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{source memref most minor dim must have unit stride}}
  %0 = nvgpu.device_async_copy %col[%i, %i], %m[%i, %i], 8 : memref<16x16xf16, strided<[1, 16]>> to memref<16x16xf16, 3>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{expected nvgpu.ldmatrix srcMemref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)}}
  %0 = nvgpu.ldmatrix %g[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16> -> vector<4x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{nvgpu.ldmatrix works for 32b or lower}}
  %0 = nvgpu.ldmatrix %f64m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf64, 3> -> vector<4x1xf64>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{nvgpu.ldmatrix transpose works only at 16b granularity}}
  %0 = nvgpu.ldmatrix %i8[%i, %i] {numTiles = 4 : i32, transpose = true} : memref<16x16xi8, 3> -> vector<4x4xi8>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{results must be 2 dimensional vector}}
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<8xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{expected vector register shape[1] = 2}}
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x4xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{expected vector register shape[0] and numTiles to match}}
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 2 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{matrixA must be 2 dimensional vector}}
  %0 = nvgpu.mma.sync (%a1, %b, %c) {mmaShape = [16, 8, 16]} : (vector<8xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.mma.sync' op expected 512 warp-wide matrix A elements}}
  %0 = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.mma.sync' op expected 128 warp-wide matrix B elements}}
  %0 = nvgpu.mma.sync (%a, %a, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.mma.sync' op expected 128 warp-wide matrix C elements}}
  %0 = nvgpu.mma.sync (%a, %b, %a) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<4x2xf16>) -> vector<4x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.mma.sync' op expected tf32 tensor cores only for F32 operands}}
  %0 = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16], tf32Enabled} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.mma.sp.sync' op expected 512 warp-wide matrix A elements}}
  %0 = nvgpu.mma.sp.sync (%b, %a, %c) metadata (%meta) {mmaShape = [16, 8, 32]} : (vector<2x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.mma.sp.sync' op sparsity selector should be 0 or 1}}
  %0 = nvgpu.mma.sp.sync (%b, %b, %c) metadata (%meta) {mmaShape = [16, 8, 16], sparsitySelector = 2 : i32} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{f64 is not supported for sparse mode}}
  %0 = nvgpu.mma.sp.sync (%d1, %d1, %d2) metadata (%meta) {mmaShape = [8, 8, 4]} : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.rcp' op has a limitation. #nvgpu<rcp_rounding_mode rn> or non-ftz is not supported yet.}}
  %0 = nvgpu.rcp %w {rounding = rn} : vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.rcp' op has a limitation. #nvgpu<rcp_rounding_mode approx> or non-ftz is not supported yet.}}
  %0 = nvgpu.rcp %w {rounding = approx} : vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<16x16xf16, 3>, %g: memref<16x16xf16>, %i8: memref<16x16xi8, 3>, %f64m: memref<16x16xf64, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %a1: vector<8xf16>, %x: vector<4x1xf32>, %y: vector<2x1xf32>, %z: vector<2x2xf32>, %d1: vector<1x1xf64>, %d2: vector<1x2xf64>, %col: memref<16x16xf16, strided<[1, 16]>>, %w: vector<4xf32>, %tri: memref<16x16xi24, 3>, %h: memref<16x16xf32>) {
  // expected-error@+1 {{'nvgpu.rcp' op has a limitation. #nvgpu<rcp_rounding_mode rz> or non-ftz is not supported yet.}}
  %0 = nvgpu.rcp %w {rounding = rz, ftz} : vector<4xf32>
  return
}
