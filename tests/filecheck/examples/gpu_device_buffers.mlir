// A buffer that kernels use is allocated on the device.
// RUN: xgpu-opt %s --gpu-device-buffers | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: f32) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %memref = gpu.alloc  (%arg0) : memref<?xf32>
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %arg0, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c1, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       memref.store %arg1, %memref[%arg2] : memref<?xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.dealloc  %memref : memref<?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%n: index, %x: f32) {
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  memref.dealloc %m : memref<?xf32>
  return
}
