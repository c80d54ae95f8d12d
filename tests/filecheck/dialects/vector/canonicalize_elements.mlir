// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @apart_and_together(%arg0: vector<2x2xf32>) -> (vector<2x2xf32>, f32, f32) {
// CHECK-NEXT:     %0:4 = vector.to_elements %arg0 : vector<2x2xf32>
// CHECK-NEXT:     %1 = arith.negf %0#0 : f32
// CHECK-NEXT:     return %arg0, %1, %0#1 : vector<2x2xf32>, f32, f32
// CHECK-NEXT:   }
func.func @apart_and_together(%v: vector<2x2xf32>) -> (vector<2x2xf32>, f32, f32) {
  %0:4 = vector.to_elements %v : vector<2x2xf32>
  %1 = vector.from_elements %0#0, %0#1, %0#2, %0#3 : vector<2x2xf32>
  %a = arith.negf %0#0 : f32
  %2 = vector.from_elements %a, %0#1 : vector<2xf32>
  %3:2 = vector.to_elements %2 : vector<2xf32>
  return %1, %3#0, %3#1 : vector<2x2xf32>, f32, f32
}

// CHECK-NEXT:   func.func @other_order(%arg0: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT:     %0:2 = vector.to_elements %arg0 : vector<2xf32>
// CHECK-NEXT:     %1 = vector.from_elements %0#1, %0#0 : vector<2xf32>
// CHECK-NEXT:     return %1 : vector<2xf32>
// CHECK-NEXT:   }
func.func @other_order(%v: vector<2xf32>) -> vector<2xf32> {
  %0:2 = vector.to_elements %v : vector<2xf32>
  %1 = vector.from_elements %0#1, %0#0 : vector<2xf32>
  return %1 : vector<2xf32>
}

// CHECK-NEXT:   func.func @constants() -> (vector<2xi32>, vector<3xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<[1, 2]> : vector<2xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<1.500000e+00> : vector<3xf32>
// CHECK-NEXT:     return %cst, %cst_0 : vector<2xi32>, vector<3xf32>
// CHECK-NEXT:   }
func.func @constants() -> (vector<2xi32>, vector<3xf32>) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %c = arith.constant 1.5 : f32
  %0 = vector.from_elements %a, %b : vector<2xi32>
  %1 = vector.from_elements %c, %c, %c : vector<3xf32>
  return %0, %1 : vector<2xi32>, vector<3xf32>
}

// CHECK-NEXT:   func.func @one_value(%arg0: f32) -> vector<2x2xf32> {
// CHECK-NEXT:     %0 = vector.broadcast %arg0 : f32 to vector<2x2xf32>
// CHECK-NEXT:     return %0 : vector<2x2xf32>
// CHECK-NEXT:   }
func.func @one_value(%a: f32) -> vector<2x2xf32> {
  %0 = vector.from_elements %a, %a, %a, %a : vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// Neighbours of one vector.
// CHECK-NEXT:   func.func @neighbours(%arg0: vector<4x2xf32>, %arg1: vector<2x4xf32>) -> (vector<2xf32>, vector<4x2xf32>, vector<2xf32>) {
// CHECK-NEXT:     %0 = vector.extract %arg0[2] : vector<2xf32> from vector<4x2xf32>
// CHECK-NEXT:     %1 = vector.extract %arg1[0, 1] : f32 from vector<2x4xf32>
// CHECK-NEXT:     %2 = vector.extract %arg1[0, 2] : f32 from vector<2x4xf32>
// CHECK-NEXT:     %3 = vector.shape_cast %arg1 : vector<2x4xf32> to vector<4x2xf32>
// CHECK-NEXT:     %4 = vector.from_elements %1, %2 : vector<2xf32>
// CHECK-NEXT:     return %0, %3, %4 : vector<2xf32>, vector<4x2xf32>, vector<2xf32>
// CHECK-NEXT:   }
func.func @neighbours(%v: vector<4x2xf32>, %w: vector<2x4xf32>) -> (vector<2xf32>, vector<4x2xf32>, vector<2xf32>) {
  %0 = vector.extract %v[2, 0] : f32 from vector<4x2xf32>
  %1 = vector.extract %v[2, 1] : f32 from vector<4x2xf32>
  %2 = vector.from_elements %0, %1 : vector<2xf32>
  %3:8 = vector.to_elements %w : vector<2x4xf32>
  %4 = vector.extract %w[0, 0] : f32 from vector<2x4xf32>
  %5 = vector.extract %w[0, 1] : f32 from vector<2x4xf32>
  %6 = vector.extract %w[0, 2] : f32 from vector<2x4xf32>
  %7 = vector.extract %w[0, 3] : f32 from vector<2x4xf32>
  %8 = vector.extract %w[1, 0] : f32 from vector<2x4xf32>
  %9 = vector.extract %w[1, 1] : f32 from vector<2x4xf32>
  %10 = vector.extract %w[1, 2] : f32 from vector<2x4xf32>
  %11 = vector.extract %w[1, 3] : f32 from vector<2x4xf32>
  %12 = vector.from_elements %4, %5, %6, %7, %8, %9, %10, %11 : vector<4x2xf32>
  // Half of a row is no part that an extract gives.
  %13 = vector.from_elements %5, %6 : vector<2xf32>
  return %2, %12, %13 : vector<2xf32>, vector<4x2xf32>, vector<2xf32>
}

// CHECK-NEXT:   func.func @of_broadcast(%arg0: f32, %arg1: vector<2xf32>, %arg2: vector<2x1xf32>) -> (f32, f32, f32, f32, f32, f32) {
// CHECK-NEXT:     %0:2 = vector.to_elements %arg1 : vector<2xf32>
// CHECK-NEXT:     %1:2 = vector.to_elements %arg2 : vector<2x1xf32>
// CHECK-NEXT:     return %arg0, %0#0, %0#1, %1#0, %1#1, %1#1 : f32, f32, f32, f32, f32, f32
// CHECK-NEXT:   }
func.func @of_broadcast(%a: f32, %v: vector<2xf32>, %w: vector<2x1xf32>) -> (f32, f32, f32, f32, f32, f32) {
  %0 = vector.broadcast %a : f32 to vector<2xf32>
  %1:2 = vector.to_elements %0 : vector<2xf32>
  %2 = vector.broadcast %v : vector<2xf32> to vector<2x2xf32>
  %3:4 = vector.to_elements %2 : vector<2x2xf32>
  %4 = vector.broadcast %w : vector<2x1xf32> to vector<2x2xf32>
  %5:4 = vector.to_elements %4 : vector<2x2xf32>
  return %1#1, %3#2, %3#3, %5#1, %5#2, %5#3 : f32, f32, f32, f32, f32, f32
}

// CHECK-NEXT:   func.func @neighbours_in_another_order(%arg0: vector<4x3xf32>) -> vector<3xf32> {
// CHECK-NEXT:     %0 = vector.extract %arg0[2, 0] : f32 from vector<4x3xf32>
// CHECK-NEXT:     %1 = vector.extract %arg0[2, 2] : f32 from vector<4x3xf32>
// CHECK-NEXT:     %2 = vector.extract %arg0[2, 1] : f32 from vector<4x3xf32>
// CHECK-NEXT:     %3 = vector.from_elements %0, %1, %2 : vector<3xf32>
// CHECK-NEXT:     return %3 : vector<3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @neighbours_in_another_order(%v: vector<4x3xf32>) -> vector<3xf32> {
  %0 = vector.extract %v[2, 0] : f32 from vector<4x3xf32>
  %1 = vector.extract %v[2, 2] : f32 from vector<4x3xf32>
  %2 = vector.extract %v[2, 1] : f32 from vector<4x3xf32>
  %3 = vector.from_elements %0, %1, %2 : vector<3xf32>
  return %3 : vector<3xf32>
}
