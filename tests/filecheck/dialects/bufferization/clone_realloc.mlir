// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s

// A realloc frees, but it is not what can go with a clone.

// CHECK: module {
// CHECK-NEXT:   func.func @realloc_of_clone(%arg0: memref<?xi8>) {
// CHECK-NEXT:     %0 = bufferization.clone %arg0 : memref<?xi8> to memref<16xi8>
// CHECK-NEXT:     "test.use"(%0) : (memref<16xi8>) -> ()
// CHECK-NEXT:     %1 = memref.realloc %0 : memref<16xi8> to memref<24xi8>
// CHECK-NEXT:     "test.use"(%1) : (memref<24xi8>) -> ()
// CHECK-NEXT:     memref.dealloc %1 : memref<24xi8>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @realloc_of_clone(%m: memref<?xi8>) {
  %copy = bufferization.clone %m : memref<?xi8> to memref<16xi8>
  "test.use"(%copy) : (memref<16xi8>) -> ()
  %larger = memref.realloc %copy : memref<16xi8> to memref<24xi8>
  "test.use"(%larger) : (memref<24xi8>) -> ()
  memref.dealloc %larger : memref<24xi8>
  return
}
