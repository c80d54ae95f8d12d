// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @whole(%arg0: vector<4xf32>, %arg1: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:     return %arg0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @whole(%v: vector<4xf32>, %w: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.insert %v, %w[] : vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @all_elements(%arg0: vector<4xf32>, %arg1: vector<1x4xf32>) -> vector<1x4xf32> {
// CHECK-NEXT:     %0 = vector.broadcast %arg0 : vector<4xf32> to vector<1x4xf32>
// CHECK-NEXT:     return %0 : vector<1x4xf32>
// CHECK-NEXT:   }
func.func @all_elements(%v: vector<4xf32>, %w: vector<1x4xf32>) -> vector<1x4xf32> {
  %0 = vector.insert %v, %w[0] : vector<4xf32> into vector<1x4xf32>
  return %0 : vector<1x4xf32>
}

// CHECK-NEXT:   func.func @same_place(%arg0: f32, %arg1: f32, %arg2: vector<4xf32>, %arg3: index) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %0 = vector.insert %arg1, %arg2 [1] : f32 into vector<4xf32>
// CHECK-NEXT:     %1 = vector.insert %arg1, %arg2 [%arg3] : f32 into vector<4xf32>
// CHECK-NEXT:     return %0, %1 : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @same_place(%a: f32, %b: f32, %v: vector<4xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>) {
  %0 = vector.insert %a, %v[1] : f32 into vector<4xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<4xf32>
  %2 = vector.insert %a, %v[%i] : f32 into vector<4xf32>
  %3 = vector.insert %b, %2[%i] : f32 into vector<4xf32>
  return %1, %3 : vector<4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @index(%arg0: f32, %arg1: vector<2x4xf32>, %arg2: index) -> vector<2x4xf32> {
// CHECK-NEXT:     %0 = vector.insert %arg0, %arg1 [%arg2, 3] : f32 into vector<2x4xf32>
// CHECK-NEXT:     return %0 : vector<2x4xf32>
// CHECK-NEXT:   }
func.func @index(%a: f32, %v: vector<2x4xf32>, %i: index) -> vector<2x4xf32> {
  %three = arith.constant 3 : index
  %0 = vector.insert %a, %v[%i, %three] : f32 into vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// CHECK-NEXT:   func.func @poison_index(%arg0: f32, %arg1: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = ub.poison : vector<4xf32>
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @poison_index(%a: f32, %v: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.insert %a, %v[-1] : f32 into vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @constants() -> (vector<3xi32>, vector<2x2xi32>) {
// CHECK-NEXT:     %cst = arith.constant dense<[1, 9, 3]> : vector<3xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<{{\[\[}}0, 0], [5, 6]]> : vector<2x2xi32>
// CHECK-NEXT:     return %cst, %cst_0 : vector<3xi32>, vector<2x2xi32>
// CHECK-NEXT:   }
func.func @constants() -> (vector<3xi32>, vector<2x2xi32>) {
  %v = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %a = arith.constant 9 : i32
  %w = arith.constant dense<0> : vector<2x2xi32>
  %row = arith.constant dense<[5, 6]> : vector<2xi32>
  %0 = vector.insert %a, %v[1] : i32 into vector<3xi32>
  %1 = vector.insert %row, %w[1] : vector<2xi32> into vector<2x2xi32>
  return %0, %1 : vector<3xi32>, vector<2x2xi32>
}

// CHECK-NEXT:   func.func @equal_values(%arg0: f32) -> (vector<4xf32>, vector<2x4xf32>) {
// CHECK-NEXT:     %0 = vector.broadcast %arg0 : f32 to vector<4xf32>
// CHECK-NEXT:     %1 = vector.insert %arg0, %0 [2] : f32 into vector<4xf32>
// CHECK-NEXT:     %2 = vector.broadcast %arg0 : f32 to vector<2x4xf32>
// CHECK-NEXT:     return %1, %2 : vector<4xf32>, vector<2x4xf32>
// CHECK-NEXT:   }
func.func @equal_values(%a: f32) -> (vector<4xf32>, vector<2x4xf32>) {
  %0 = vector.broadcast %a : f32 to vector<4xf32>
  %1 = vector.insert %a, %0[2] : f32 into vector<4xf32>
  %2 = vector.broadcast %a : f32 to vector<2x4xf32>
  %3 = vector.insert %0, %2[1] : vector<4xf32> into vector<2x4xf32>
  return %1, %3 : vector<4xf32>, vector<2x4xf32>
}

// All elements are inserted, the last of each counts.
// CHECK-NEXT:   func.func @filled(%arg0: f32, %arg1: f32, %arg2: vector<2xf32>, %arg3: vector<2x2xf32>) -> vector<2x2xf32> {
// CHECK-NEXT:     %0:2 = vector.to_elements %arg2 : vector<2xf32>
// CHECK-NEXT:     %1 = vector.from_elements %arg0, %arg1, %arg1, %0#1 : vector<2x2xf32>
// CHECK-NEXT:     return %1 : vector<2x2xf32>
// CHECK-NEXT:   }
func.func @filled(%a: f32, %b: f32, %row: vector<2xf32>, %v: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.insert %a, %v[0, 0] : f32 into vector<2x2xf32>
  %1 = vector.insert %row, %0[1] : vector<2xf32> into vector<2x2xf32>
  %2 = vector.insert %b, %1[0, 1] : f32 into vector<2x2xf32>
  %3 = vector.insert %b, %2[1, 0] : f32 into vector<2x2xf32>
  return %3 : vector<2x2xf32>
}

// Who else reads a vector in between keeps the inserts.
// CHECK-NEXT:   func.func @used_between(%arg0: f32, %arg1: f32, %arg2: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
// CHECK-NEXT:     %0 = vector.insert %arg0, %arg2 [0] : f32 into vector<2xf32>
// CHECK-NEXT:     %1 = vector.insert %arg1, %0 [1] : f32 into vector<2xf32>
// CHECK-NEXT:     return %0, %1 : vector<2xf32>, vector<2xf32>
// CHECK-NEXT:   }
func.func @used_between(%a: f32, %b: f32, %v: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  %0 = vector.insert %a, %v[0] : f32 into vector<2xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<2xf32>
  return %0, %1 : vector<2xf32>, vector<2xf32>
}

// CHECK-NEXT:   func.func @scalable(%arg0: f32, %arg1: f32, %arg2: vector<[2]xf32>) -> vector<[2]xf32> {
// CHECK-NEXT:     %0 = vector.insert %arg0, %arg2 [0] : f32 into vector<[2]xf32>
// CHECK-NEXT:     %1 = vector.insert %arg1, %0 [1] : f32 into vector<[2]xf32>
// CHECK-NEXT:     return %1 : vector<[2]xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @scalable(%a: f32, %b: f32, %v: vector<[2]xf32>) -> vector<[2]xf32> {
  %0 = vector.insert %a, %v[0] : f32 into vector<[2]xf32>
  %1 = vector.insert %b, %0[1] : f32 into vector<[2]xf32>
  return %1 : vector<[2]xf32>
}
