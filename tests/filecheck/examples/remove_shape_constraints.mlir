// Constraints on shapes count as fulfilled.
// RUN: xgpu-opt %s --remove-shape-constraints | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: !shape.shape, %arg1: !shape.shape) -> !shape.witness {
// CHECK-NEXT:     %0 = shape.const_witness true
// CHECK-NEXT:     return %0 : !shape.witness
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: !shape.shape, %b: !shape.shape) -> !shape.witness {
  %0 = shape.cstr_eq %a, %b : !shape.shape, !shape.shape
  return %0 : !shape.witness
}
