// A constraint on shapes becomes an assertion.
// RUN: xgpu-opt %s --convert-shape-constraints | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?xindex>, %arg1: tensor<?xindex>) -> !shape.witness {
// CHECK-NEXT:     %0 = shape.const_witness true
// CHECK-NEXT:     %1 = shape.is_broadcastable %arg0, %arg1 : tensor<?xindex>, tensor<?xindex>
// CHECK-NEXT:     cf.assert %1, "required broadcastable shapes"
// CHECK-NEXT:     return %0 : !shape.witness
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: tensor<?xindex>, %b: tensor<?xindex>) -> !shape.witness {
  %0 = shape.cstr_broadcastable %a, %b : tensor<?xindex>, tensor<?xindex>
  return %0 : !shape.witness
}
