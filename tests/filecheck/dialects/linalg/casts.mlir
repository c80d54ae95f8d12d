// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// Structured operations take memrefs of any shape and layout.
// CHECK: module {
// CHECK-NEXT:   func.func @casts(%arg0: memref<4x8xf32>, %arg1: memref<8x4xf32>, %arg2: memref<4x4xf32>, %arg3: memref<?x?xf32>) {
// CHECK-NEXT:     linalg.matmul ins(%arg0, %arg1 : memref<4x8xf32>, memref<8x4xf32>) outs(%arg2 : memref<4x4xf32>)
// CHECK-NEXT:     linalg.exp ins(%arg2 : memref<4x4xf32>) outs(%arg3 : memref<?x?xf32>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @casts(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>, %d: memref<?x?xf32>) {
  %0 = memref.cast %a : memref<4x8xf32> to memref<?x?xf32>
  %1 = memref.cast %b : memref<8x4xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  %2 = memref.cast %c : memref<4x4xf32> to memref<?x?xf32>
  linalg.matmul ins(%0, %1 : memref<?x?xf32>, memref<?x4xf32, strided<[?, 1], offset: ?>>) outs(%2 : memref<?x?xf32>)
  linalg.exp ins(%2 : memref<?x?xf32>) outs(%d : memref<?x?xf32>)
  return
}

// Nothing needs what these give on tensors.
// CHECK-NEXT:   func.func @unused(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: memref<4x8xf32>) {
// CHECK-NEXT:     bufferization.materialize_in_destination %arg0 in restrict writable %arg2 : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
// CHECK-NEXT:     linalg.softmax dimension(1) ins(%arg2 : memref<4x8xf32>) outs(%arg2 : memref<4x8xf32>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unused(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %m: memref<4x8xf32>) {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = bufferization.materialize_in_destination %a in %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  bufferization.materialize_in_destination %a in restrict writable %m : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  linalg.softmax dimension(1) ins(%m : memref<4x8xf32>) outs(%m : memref<4x8xf32>)
  return
}
