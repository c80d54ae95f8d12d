// A read from a slice becomes a read from the tensor.
// RUN: xgpu-opt %s --fold-tensor-subset-ops | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<16xf32>, %arg1: index, %arg2: f32) -> vector<4xf32> {
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%arg1], %arg2 {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%t: tensor<16xf32>, %i: index, %z: f32) -> vector<4xf32> {
  %c = arith.constant 0 : index
  %0 = tensor.extract_slice %t[%i] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %1 = vector.transfer_read %0[%c], %z {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}
