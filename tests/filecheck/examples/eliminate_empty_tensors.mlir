// A result is computed where it is inserted.
// RUN: xgpu-opt %s --eliminate-empty-tensors | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<16xf32>, %arg1: f32) -> tensor<16xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[4] [8] [1] : tensor<16xf32> to tensor<8xf32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg1 : f32) outs(%extracted_slice : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %1 into %arg0[4] [8] [1] : tensor<8xf32> into tensor<16xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<16xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.insert_slice %1 into %t[4] [8] [1] : tensor<8xf32> into tensor<16xf32>
  return %2 : tensor<16xf32>
}
