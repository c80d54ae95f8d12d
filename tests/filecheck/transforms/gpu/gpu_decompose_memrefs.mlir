// RUN: xgpu-opt --allow-unregistered-dialect --gpu-decompose-memrefs %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0, s1, s2] -> (s0 * s1 + s2)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1, s2, s3] -> (s0 + s1 * s2 + s3)>
// CHECK-NEXT: #map2 = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @store(%arg0: memref<?x?xf32>, %arg1: f32) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c1 : memref<?x?xf32>
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %dim, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %dim, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       %0 = affine.apply #map()[%arg5, %strides#0, %arg2]
// CHECK-NEXT:       %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [], strides: [] : memref<f32> to memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:       memref.store %arg1, %reinterpret_cast[] : memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @store(%m: memref<?x?xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c1 : memref<?x?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    memref.store %x, %m[%tx, %bx] : memref<?x?xf32>
    gpu.terminator
  }
  return
}

// CHECK-NEXT:   func.func @load(%arg0: memref<8x4xf32, strided<[?, 1], offset: ?>>, %arg1: memref<f32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<8x4xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c1, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c1, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       %0 = affine.apply #map1()[%offset, %arg5, %strides#0, %arg6]
// CHECK-NEXT:       %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [], strides: [] : memref<f32> to memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:       %1 = memref.load %reinterpret_cast[] : memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:       memref.store %1, %arg1[] : memref<f32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @load(%m: memref<8x4xf32, strided<[?, 1], offset: ?>>, %out: memref<f32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %0 = memref.load %m[%tx, %ty] : memref<8x4xf32, strided<[?, 1], offset: ?>>
    memref.store %0, %out[] : memref<f32>
    gpu.terminator
  }
  return
}

// CHECK-NEXT:   func.func @subview(%arg0: memref<?x?xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c1, %arg11 = %c1, %arg12 = %c1) {
// CHECK-NEXT:       %0 = affine.apply #map2()[%arg1, %strides#0]
// CHECK-NEXT:       %1 = affine.apply #map()[%arg4, %strides#0, %arg5]
// CHECK-NEXT:       %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%1], sizes: [2, 2], strides: [%0, 1] : memref<f32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:       "test.use"(%reinterpret_cast) : (memref<2x2xf32, strided<[?, 1], offset: ?>>) -> ()
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @subview(%m: memref<?x?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.subview %m[%tx, %ty] [2, 2] [%bx, 1] : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
    "test.use"(%v) : (memref<2x2xf32, strided<[?, 1], offset: ?>>) -> ()
    gpu.terminator
  }
  return
}

// Outside of launches nothing changes.
// CHECK-NEXT:   func.func @outside(%arg0: memref<?x?xf32>, %arg1: index) -> f32 {
// CHECK-NEXT:     %0 = memref.load %arg0[%arg1, %arg1] : memref<?x?xf32>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @outside(%m: memref<?x?xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i, %i] : memref<?x?xf32>
  return %0 : f32
}
