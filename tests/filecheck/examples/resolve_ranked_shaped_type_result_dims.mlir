// The size of a result is known from operands.
// RUN: xgpu-opt %s --resolve-ranked-shaped-type-result-dims | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?x8xf32>, %arg1: tensor<?x8xf32>) -> index {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     return %dim : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: tensor<?x8xf32>, %out: tensor<?x8xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = linalg.exp ins(%a : tensor<?x8xf32>) outs(%out : tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x8xf32>
  return %1 : index
}
