// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @slices(%arg0: tensor<8x?xf32>, %arg1: index, %arg2: index) {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[2, %arg1] [4, %arg2] [1, 2] : tensor<8x?xf32> to tensor<4x?xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg0[%arg1, 0] [1, 4] [1, 1] : tensor<8x?xf32> to tensor<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @slices(%t: tensor<8x?xf32>, %i: index, %n: index) {
  %0 = tensor.extract_slice %t[2, %i] [4, %n] [1, 2] : tensor<8x?xf32> to tensor<4x?xf32>
  %1 = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<8x?xf32> to tensor<4xf32>
  return
}

// CHECK-NEXT:   func.func @bitcast(%arg0: tensor<4xi32>) {
// CHECK-NEXT:     %0 = tensor.bitcast %arg0 : tensor<4xi32> to tensor<4xui32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @bitcast(%t: tensor<4xi32>) {
  %0 = tensor.bitcast %t : tensor<4xi32> to tensor<4xui32>
  return
}

// CHECK-NEXT:   func.func @scatter(%arg0: tensor<2x1xf32>, %arg1: tensor<4xf32>, %arg2: tensor<2x1xindex>) {
// CHECK-NEXT:     %scatter = tensor.scatter %arg0 into %arg1[%arg2] scatter_dims([0]) unique : (tensor<2x1xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @scatter(%source: tensor<2x1xf32>, %dest: tensor<4xf32>, %at: tensor<2x1xindex>) {
  %0 = tensor.scatter %source into %dest[%at] scatter_dims([0]) unique : (tensor<2x1xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<4xf32>
  return
}
