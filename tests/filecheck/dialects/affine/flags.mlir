// RUN: xgpu-opt %s --mlir-print-op-generic | filecheck %s

// A flag that is `true` is written without a value, as mlir-opt does.

// CHECK:       "affine.linearize_index"(%arg0, %arg1) <{disjoint, operandSegmentSizes
// CHECK-NEXT:  "affine.linearize_index"(%arg0, %arg1) <{disjoint = false, operandSegmentSizes
func.func @flags(%a: index, %b: index) -> (index, index) {
  %0 = "affine.linearize_index"(%a, %b) <{disjoint = true, operandSegmentSizes = array<i32: 2, 0>, static_basis = array<i64: 6, 5>}> : (index, index) -> index
  %1 = "affine.linearize_index"(%a, %b) <{operandSegmentSizes = array<i32: 2, 0>, static_basis = array<i64: 6, 5>}> : (index, index) -> index
  return %0, %1 : index, index
}
