// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @poison() -> (i32, vector<4xf32>) {
// CHECK-NEXT:     %0 = ub.poison : i32
// CHECK-NEXT:     %1 = ub.poison : vector<4xf32>
// CHECK-NEXT:     return %0, %1 : i32, vector<4xf32>
// CHECK-NEXT:   }
func.func @poison() -> (i32, vector<4xf32>) {
  %0 = ub.poison : i32
  %1 = ub.poison : vector<4xf32>
  return %0, %1 : i32, vector<4xf32>
}

// CHECK-NEXT:   func.func @unreachable() {
// CHECK-NEXT:     ub.unreachable
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unreachable() {
  ub.unreachable
}
