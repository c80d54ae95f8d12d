// RUN: xgpu-opt --shape-to-shape-lowering %s | filecheck %s
// RUN: xgpu-opt --remove-shape-constraints %s | filecheck %s --check-prefix=REMOVED

// CHECK: module {
// CHECK-NEXT:   func.func @count(%arg0: tensor<?xindex>, %arg1: !shape.shape) -> (index, !shape.size) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = shape.reduce(%arg0, %c1) : tensor<?xindex> -> index {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index, %arg4: index):
// CHECK-NEXT:       %2 = shape.mul %arg3, %arg4 : index, index -> index
// CHECK-NEXT:       shape.yield %2 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     %c1_0 = shape.const_size 1
// CHECK-NEXT:     %1 = shape.reduce(%arg1, %c1_0) : !shape.shape -> !shape.size {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: !shape.size, %arg4: !shape.size):
// CHECK-NEXT:       %2 = shape.mul %arg3, %arg4 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT:       shape.yield %2 : !shape.size
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %1 : index, !shape.size
// CHECK-NEXT:   }
// REMOVED: module {
// REMOVED-NEXT:   func.func @count(%arg0: tensor<?xindex>, %arg1: !shape.shape) -> (index, !shape.size) {
// REMOVED-NEXT:     %0 = shape.num_elements %arg0 : tensor<?xindex> -> index
// REMOVED-NEXT:     %1 = shape.num_elements %arg1 : !shape.shape -> !shape.size
// REMOVED-NEXT:     return %0, %1 : index, !shape.size
// REMOVED-NEXT:   }
func.func @count(%t: tensor<?xindex>, %s: !shape.shape) -> (index, !shape.size) {
  %0 = shape.num_elements %t : tensor<?xindex> -> index
  %1 = shape.num_elements %s : !shape.shape -> !shape.size
  return %0, %1 : index, !shape.size
}

// CHECK-NEXT:   func.func @constraints(%arg0: !shape.shape, %arg1: !shape.shape) -> (!shape.witness, !shape.witness) {
// CHECK-NEXT:     %0 = shape.cstr_broadcastable %arg0, %arg1 : !shape.shape, !shape.shape
// CHECK-NEXT:     %1 = shape.cstr_eq %arg0, %arg1 : !shape.shape, !shape.shape
// CHECK-NEXT:     return %0, %1 : !shape.witness, !shape.witness
// CHECK-NEXT:   }
// CHECK-NEXT: }
// REMOVED-NEXT:   func.func @constraints(%arg0: !shape.shape, %arg1: !shape.shape) -> (!shape.witness, !shape.witness) {
// REMOVED-NEXT:     %0 = shape.const_witness true
// REMOVED-NEXT:     return %0, %0 : !shape.witness, !shape.witness
// REMOVED-NEXT:   }
// REMOVED-NEXT: }
func.func @constraints(%a: !shape.shape, %b: !shape.shape) -> (!shape.witness, !shape.witness) {
  %0 = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  %1 = shape.cstr_eq %a, %b : !shape.shape, !shape.shape
  return %0, %1 : !shape.witness, !shape.witness
}
