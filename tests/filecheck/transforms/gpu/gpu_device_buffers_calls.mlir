// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(gpu-device-buffers))" %s | filecheck %s --match-full-lines

// Callers free on the device what a callee has allocated there.
// CHECK: module {
// CHECK-NEXT:   func.func @g(%arg0: memref<9xf32>) -> memref<9xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<9xf32>
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c9, %arg11 = %c1, %arg12 = %c1) {
// CHECK-NEXT:       %0 = memref.load %arg0[%arg4] : memref<9xf32>
// CHECK-NEXT:       memref.store %0, %memref[%arg4] : memref<9xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return %memref : memref<9xf32>
// CHECK-NEXT:   }
func.func @g(%x: memref<9xf32>) -> memref<9xf32> {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %m = memref.alloc() : memref<9xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c9, %sy = %c1, %sz = %c1) {
    %0 = memref.load %x[%tx] : memref<9xf32>
    memref.store %0, %m[%tx] : memref<9xf32>
    gpu.terminator
  }
  return %m : memref<9xf32>
}
// CHECK-NEXT:   func.func @f(%arg0: memref<9xf32>) -> memref<9xf32> {
// CHECK-NEXT:     %0 = call @g(%arg0) : (memref<9xf32>) -> memref<9xf32>
// CHECK-NEXT:     %1 = call @g(%0) : (memref<9xf32>) -> memref<9xf32>
// CHECK-NEXT:     gpu.dealloc  %0 : memref<9xf32>
// CHECK-NEXT:     return %1 : memref<9xf32>
// CHECK-NEXT:   }
func.func @f(%x: memref<9xf32>) -> memref<9xf32> {
  %0 = call @g(%x) : (memref<9xf32>) -> memref<9xf32>
  %1 = call @g(%0) : (memref<9xf32>) -> memref<9xf32>
  memref.dealloc %0 : memref<9xf32>
  return %1 : memref<9xf32>
}
// CHECK-NEXT:   func.func @h(%arg0: memref<9xf32>) {
// CHECK-NEXT:     %0 = call @f(%arg0) : (memref<9xf32>) -> memref<9xf32>
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %0 : memref<9xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:     gpu.dealloc  %base_buffer : memref<f32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @h(%x: memref<9xf32>) {
  %0 = call @f(%x) : (memref<9xf32>) -> memref<9xf32>
  %b, %o, %s, %t = memref.extract_strided_metadata %0 : memref<9xf32> -> memref<f32>, index, index, index
  memref.dealloc %b : memref<f32>
  return
}
