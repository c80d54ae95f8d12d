// A clone becomes an allocation and a copy.
// RUN: xgpu-opt %s --convert-bufferization-to-memref | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<8xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
// CHECK-NEXT:     return %alloc : memref<8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<8xf32>) -> memref<8xf32> {
  %0 = bufferization.clone %m : memref<8xf32> to memref<8xf32>
  return %0 : memref<8xf32>
}
