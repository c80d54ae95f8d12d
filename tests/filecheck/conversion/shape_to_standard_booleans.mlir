// RUN: xgpu-opt --convert-shape-to-std %s | filecheck %s

// The shape of one of several, and a size that is known.

// CHECK: module {
// CHECK-NEXT:   func.func @any(%arg0: tensor<?xindex>, %arg1: tensor<?xindex>) -> tensor<?xindex> {
// CHECK-NEXT:     return %arg0 : tensor<?xindex>
// CHECK-NEXT:   }
func.func @any(%a: tensor<?xindex>, %b: tensor<?xindex>) -> tensor<?xindex> {
  %0 = shape.any %a, %b : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  return %0 : tensor<?xindex>
}

// CHECK-NEXT:   func.func @size() -> index {
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %c5_0 = arith.constant 5 : index
// CHECK-NEXT:     return %c5_0 : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @size() -> index {
  %0 = shape.const_size 5
  %1 = shape.size_to_index %0 : !shape.size
  return %1 : index
}
