// RUN: xgpu-opt %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @forms(%arg0: index, %arg1: tensor<4x?xf32>, %arg2: tensor<*xf32>) {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK-NEXT:     %1 = bufferization.alloc_tensor(%arg0) {memory_space = 1 : i64} : tensor<4x?xf32>
// CHECK-NEXT:     %2 = bufferization.alloc_tensor() copy(%arg1) {note} : tensor<4x?xf32>
// CHECK-NEXT:     %3 = bufferization.alloc_tensor(%arg0, %arg0) size_hint=%arg0 : tensor<?x?xf32>
// CHECK-NEXT:     %4 = bufferization.alloc_tensor() copy(%arg1) size_hint=%arg0 : tensor<4x?xf32>
// CHECK-NEXT:     %5 = bufferization.alloc_tensor() copy(%arg2) : tensor<*xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @forms(%n: index, %t: tensor<4x?xf32>, %u: tensor<*xf32>) {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  %1 = bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<4x?xf32>
  %2 = bufferization.alloc_tensor() copy(%t) {note} : tensor<4x?xf32>
  %3 = bufferization.alloc_tensor(%n, %n) size_hint=%n : tensor<?x?xf32>
  %4 = bufferization.alloc_tensor() copy(%t) size_hint=%n : tensor<4x?xf32>
  %5 = bufferization.alloc_tensor() copy(%u) : tensor<*xf32>
  return
}
