// A reduction of rows becomes additions of their columns.
// RUN: xgpu-opt %s --lower-vector-multi-reduction | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: vector<4x4xf32>, %arg1: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = vector.transpose %arg0, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
// CHECK-NEXT:     %1 = vector.extract %0[0] : vector<4xf32> from vector<4x4xf32>
// CHECK-NEXT:     %2 = arith.addf %1, %arg1 : vector<4xf32>
// CHECK-NEXT:     %3 = vector.extract %0[1] : vector<4xf32> from vector<4x4xf32>
// CHECK-NEXT:     %4 = arith.addf %3, %2 : vector<4xf32>
// CHECK-NEXT:     %5 = vector.extract %0[2] : vector<4xf32> from vector<4x4xf32>
// CHECK-NEXT:     %6 = arith.addf %5, %4 : vector<4xf32>
// CHECK-NEXT:     %7 = vector.extract %0[3] : vector<4xf32> from vector<4x4xf32>
// CHECK-NEXT:     %8 = arith.addf %7, %6 : vector<4xf32>
// CHECK-NEXT:     return %8 : vector<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%v: vector<4x4xf32>, %acc: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.multi_reduction <add>, %v, %acc [1] : vector<4x4xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}
