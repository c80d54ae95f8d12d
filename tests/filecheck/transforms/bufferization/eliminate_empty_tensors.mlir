// RUN: xgpu-opt --eliminate-empty-tensors %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @slice(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index, %arg3: index) -> tensor<?xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[%arg2] [%arg3] [1] : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:     %0 = tensor.empty(%arg3) : tensor<?xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg1 : f32) outs(%extracted_slice : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %1 into %arg0[%arg2] [%arg3] [1] : tensor<?xf32> into tensor<?xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<?xf32>
// CHECK-NEXT:   }
func.func @slice(%t: tensor<?xf32>, %x: f32, %i: index, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.insert_slice %f into %t[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-NEXT:   func.func @memory(%arg0: memref<5xf32>, %arg1: f32) {
// CHECK-NEXT:     %0 = bufferization.to_tensor %arg0 restrict writable : memref<5xf32> to tensor<5xf32>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<5xf32>
// CHECK-NEXT:     %2 = linalg.fill ins(%arg1 : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
// CHECK-NEXT:     bufferization.materialize_in_destination %2 in writable %arg0 : (tensor<5xf32>, memref<5xf32>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @memory(%m: memref<5xf32>, %x: f32) {
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}

// The offset is computed later, and moves up.
// CHECK-NEXT:   func.func @moved(%arg0: tensor<10xf32>, %arg1: f32, %arg2: index) -> tensor<10xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<5xf32>
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %1 = arith.addi %arg2, %c5 : index
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[%1] [5] [1] : tensor<10xf32> to tensor<5xf32>
// CHECK-NEXT:     %2 = linalg.fill ins(%arg1 : f32) outs(%extracted_slice : tensor<5xf32>) -> tensor<5xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %2 into %arg0[%1] [5] [1] : tensor<5xf32> into tensor<10xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<10xf32>
// CHECK-NEXT:   }
func.func @moved(%t: tensor<10xf32>, %x: f32, %i: index) -> tensor<10xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %c5 = arith.constant 5 : index
  %j = arith.addi %i, %c5 : index
  %r = tensor.insert_slice %f into %t[%j] [5] [1] : tensor<5xf32> into tensor<10xf32>
  return %r : tensor<10xf32>
}

// Both are wanted.
// CHECK-NEXT:   func.func @conflict(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0] [%arg2] [1] : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:     %0 = tensor.empty(%arg2) : tensor<?xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg1 : f32) outs(%extracted_slice : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %1 into %arg0[0] [%arg2] [1] : tensor<?xf32> into tensor<?xf32>
// CHECK-NEXT:     return %1, %inserted_slice : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @conflict(%t: tensor<?xf32>, %x: f32, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.insert_slice %f into %t[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %f, %r : tensor<?xf32>, tensor<?xf32>
}
