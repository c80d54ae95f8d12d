// RUN: xgpu-opt --empty-tensor-to-alloc-tensor %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @fill(%arg0: index, %arg1: f32) -> tensor<4x?xf32> {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor(%arg0) : tensor<4x?xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg1 : f32) outs(%0 : tensor<4x?xf32>) -> tensor<4x?xf32>
// CHECK-NEXT:     return %1 : tensor<4x?xf32>
// CHECK-NEXT:   }
func.func @fill(%n: index, %x: f32) -> tensor<4x?xf32> {
  %0 = tensor.empty(%n) : tensor<4x?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

// CHECK-NEXT:   func.func @loop(%arg0: index, %arg1: index, %arg2: index) -> tensor<2xf32, "near"> {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor() : tensor<2xf32, "near">
// CHECK-NEXT:     %1 = scf.for %arg3 = %arg0 to %arg1 step %arg2 iter_args(%arg4 = %0) -> (tensor<2xf32, "near">) {
// CHECK-NEXT:       %2 = bufferization.alloc_tensor() : tensor<2xf32, "near">
// CHECK-NEXT:       scf.yield %2 : tensor<2xf32, "near">
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : tensor<2xf32, "near">
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @loop(%lower: index, %upper: index, %step: index) -> tensor<2xf32, "near"> {
  %0 = tensor.empty() : tensor<2xf32, "near">
  %1 = scf.for %i = %lower to %upper step %step iter_args(%state = %0) -> tensor<2xf32, "near"> {
    %2 = tensor.empty() : tensor<2xf32, "near">
    scf.yield %2 : tensor<2xf32, "near">
  }
  return %1 : tensor<2xf32, "near">
}
