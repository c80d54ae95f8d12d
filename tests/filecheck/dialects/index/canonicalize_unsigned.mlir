// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// No unsigned number is below zero: mlir-opt compares the operands, with another result.

// CHECK: module {
// CHECK-NEXT:   func.func @unsigned(%arg0: index, %arg1: index) -> i1 {
// CHECK-NEXT:     %idx0 = index.constant 0
// CHECK-NEXT:     %0 = index.sub %arg0, %arg1
// CHECK-NEXT:     %1 = index.cmp ult(%0, %idx0)
// CHECK-NEXT:     return %1 : i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unsigned(%a: index, %b: index) -> i1 {
  %c0 = index.constant 0
  %c = index.sub %a, %b
  %0 = index.cmp ult(%c, %c0)
  return %0 : i1
}
