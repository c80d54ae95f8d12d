// The shape of a tensor becomes a tensor of its sizes.
// RUN: xgpu-opt %s --convert-shape-to-std | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?x4xf32>) -> tensor<?xindex> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %from_elements = tensor.from_elements %dim, %c4 : tensor<2xindex>
// CHECK-NEXT:     %cast = tensor.cast %from_elements : tensor<2xindex> to tensor<?xindex>
// CHECK-NEXT:     return %cast : tensor<?xindex>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%t: tensor<?x4xf32>) -> tensor<?xindex> {
  %0 = shape.shape_of %t : tensor<?x4xf32> -> tensor<?xindex>
  return %0 : tensor<?xindex>
}
