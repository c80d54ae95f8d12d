// A padded tensor gets the static sizes that its operands give.
// RUN: xgpu-opt %s --reify-result-shapes | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<4xf32>, %arg1: f32) -> tensor<?xf32> {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[%c2] high[2] {
// CHECK-NEXT:     ^bb0(%arg2: index):
// CHECK-NEXT:       tensor.yield %arg1 : f32
// CHECK-NEXT:     } : tensor<4xf32> to tensor<8xf32>
// CHECK-NEXT:     %cast = tensor.cast %padded : tensor<8xf32> to tensor<?xf32>
// CHECK-NEXT:     return %cast : tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%t: tensor<4xf32>, %z: f32) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[%c2] high[2] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
