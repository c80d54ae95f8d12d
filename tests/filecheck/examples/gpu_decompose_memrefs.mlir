// Inside of a launch, indices become offsets into a buffer of one dimension.
// RUN: xgpu-opt %s --gpu-decompose-memrefs | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0, s1, s2] -> (s0 * s1 + s2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<?x?xf32>, %arg1: f32, %arg2: index) {
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg2, %arg10 = %arg2, %arg11 = %arg2) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg2, %arg13 = %arg2, %arg14 = %arg2) {
// CHECK-NEXT:       %0 = affine.apply #map()[%arg3, %strides#0, %arg6]
// CHECK-NEXT:       %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [], strides: [] : memref<f32> to memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:       memref.store %arg1, %reinterpret_cast[] : memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<?x?xf32>, %x: f32, %n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.store %x, %m[%bx, %tx] : memref<?x?xf32>
    gpu.terminator
  }
  return
}
