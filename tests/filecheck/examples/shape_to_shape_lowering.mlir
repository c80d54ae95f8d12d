// The number of elements becomes a product of the sizes.
// RUN: xgpu-opt %s --shape-to-shape-lowering | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?xindex>) -> index {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = shape.reduce(%arg0, %c1) : tensor<?xindex> -> index {
// CHECK-NEXT:     ^bb0(%arg1: index, %arg2: index, %arg3: index):
// CHECK-NEXT:       %1 = shape.mul %arg2, %arg3 : index, index -> index
// CHECK-NEXT:       shape.yield %1 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%t: tensor<?xindex>) -> index {
  %0 = shape.num_elements %t : tensor<?xindex> -> index
  return %0 : index
}
