// RUN: xgpu-opt --gpu-device-buffers %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   memref.global "private" constant @table : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: memref<?xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = memref.get_global @table : memref<4xf32>
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<4xf32>
// CHECK-NEXT:     gpu.memcpy  %memref, %0 : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:     %memref_0 = gpu.alloc  (%arg0) : memref<?xf32>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:     memref.copy %0, %alloc : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %arg0, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c1, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       %1 = memref.load %memref[%arg5] : memref<4xf32>
// CHECK-NEXT:       memref.store %1, %memref_0[%arg2] : memref<?xf32>
// CHECK-NEXT:       %2 = memref.load %memref_0[%arg2] : memref<?xf32>
// CHECK-NEXT:       memref.store %2, %arg1[%arg2] : memref<?xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.dealloc  %memref_0 : memref<?xf32>
// CHECK-NEXT:     memref.dealloc %alloc : memref<4xf32>
// CHECK-NEXT:     gpu.dealloc  %memref : memref<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%n: index, %o: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %t = memref.get_global @table : memref<4xf32>
  %m = memref.alloc(%n) : memref<?xf32>
  %host = memref.alloc() : memref<4xf32>
  memref.copy %t, %host : memref<4xf32> to memref<4xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = memref.load %t[%tx] : memref<4xf32>
    memref.store %x, %m[%i] : memref<?xf32>
    %y = memref.load %m[%i] : memref<?xf32>
    memref.store %y, %o[%i] : memref<?xf32>
    gpu.terminator
  }
  memref.dealloc %m : memref<?xf32>
  memref.dealloc %host : memref<4xf32>
  return
}
