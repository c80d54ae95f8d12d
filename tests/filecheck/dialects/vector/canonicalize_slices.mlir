// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @whole(%arg0: vector<4x4xf32>, %arg1: vector<4x4xf32>) -> (vector<4x4xf32>, vector<4x4xf32>) {
// CHECK-NEXT:     return %arg0, %arg0 : vector<4x4xf32>, vector<4x4xf32>
// CHECK-NEXT:   }
func.func @whole(%v: vector<4x4xf32>, %w: vector<4x4xf32>) -> (vector<4x4xf32>, vector<4x4xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [0, 0], sizes = [4, 4], strides = [1, 1]} : vector<4x4xf32> to vector<4x4xf32>
  %1 = vector.insert_strided_slice %v, %w {offsets = [0, 0], strides = [1, 1]} : vector<4x4xf32> into vector<4x4xf32>
  return %0, %1 : vector<4x4xf32>, vector<4x4xf32>
}

// CHECK-NEXT:   func.func @what_was_inserted(%arg0: vector<2x2xf32>, %arg1: vector<2x2xf32>, %arg2: vector<4x4xf32>) -> (vector<1x2xf32>, vector<2x2xf32>, vector<2x4xf32>) {
// CHECK-NEXT:     %0 = vector.insert_strided_slice %arg0, %arg2 {offsets = [0, 0], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
// CHECK-NEXT:     %1 = vector.insert_strided_slice %arg1, %0 {offsets = [2, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
// CHECK-NEXT:     %2 = vector.extract %arg0[1] : vector<2xf32> from vector<2x2xf32>
// CHECK-NEXT:     %3 = vector.shape_cast %2 : vector<2xf32> to vector<1x2xf32>
// CHECK-NEXT:     %4 = vector.extract_strided_slice %1 {offsets = [0, 0], sizes = [2, 4], strides = [1, 1]} : vector<4x4xf32> to vector<2x4xf32>
// CHECK-NEXT:     return %3, %arg1, %4 : vector<1x2xf32>, vector<2x2xf32>, vector<2x4xf32>
// CHECK-NEXT:   }
func.func @what_was_inserted(%s: vector<2x2xf32>, %t: vector<2x2xf32>, %v: vector<4x4xf32>) -> (vector<1x2xf32>, vector<2x2xf32>, vector<2x4xf32>) {
  %0 = vector.insert_strided_slice %s, %v {offsets = [0, 0], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  %1 = vector.insert_strided_slice %t, %0 {offsets = [2, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  %2 = vector.extract_strided_slice %1 {offsets = [1, 0], sizes = [1, 2], strides = [1, 1]} : vector<4x4xf32> to vector<1x2xf32>
  %3 = vector.extract_strided_slice %1 {offsets = [2, 2], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  // More than was inserted.
  %4 = vector.extract_strided_slice %1 {offsets = [0, 0], sizes = [2, 4], strides = [1, 1]} : vector<4x4xf32> to vector<2x4xf32>
  return %2, %3, %4 : vector<1x2xf32>, vector<2x2xf32>, vector<2x4xf32>
}

// CHECK-NEXT:   func.func @constants() -> (vector<2x2xi32>, vector<2xi32>, vector<2x4xi32>) {
// CHECK-NEXT:     %cst = arith.constant dense<{{\[\[}}6, 7], [10, 11]]> : vector<2x2xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<1> : vector<2xi32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<{{\[\[}}0, 40, 41, 3], [4, 50, 51, 7]]> : vector<2x4xi32>
// CHECK-NEXT:     return %cst, %cst_0, %cst_1 : vector<2x2xi32>, vector<2xi32>, vector<2x4xi32>
// CHECK-NEXT:   }
func.func @constants() -> (vector<2x2xi32>, vector<2xi32>, vector<2x4xi32>) {
  %v = arith.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : vector<3x4xi32>
  %s = arith.constant dense<1> : vector<8xi32>
  %p = arith.constant dense<[[40, 41], [50, 51]]> : vector<2x2xi32>
  %w = arith.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : vector<2x4xi32>
  %0 = vector.extract_strided_slice %v {offsets = [1, 2], sizes = [2, 2], strides = [1, 1]} : vector<3x4xi32> to vector<2x2xi32>
  %1 = vector.extract_strided_slice %s {offsets = [3], sizes = [2], strides = [1]} : vector<8xi32> to vector<2xi32>
  %2 = vector.insert_strided_slice %p, %w {offsets = [0, 1], strides = [1, 1]} : vector<2x2xi32> into vector<2x4xi32>
  return %0, %1, %2 : vector<2x2xi32>, vector<2xi32>, vector<2x4xi32>
}

// CHECK-NEXT:   func.func @of_broadcast(%arg0: f32, %arg1: vector<4xf32>, %arg2: vector<1x4xf32>) -> (vector<2xf32>, vector<2x4xf32>, vector<2x2xf32>, vector<2x4xf32>) {
// CHECK-NEXT:     %0 = vector.broadcast %arg0 : f32 to vector<2xf32>
// CHECK-NEXT:     %1 = vector.broadcast %arg1 : vector<4xf32> to vector<2x4xf32>
// CHECK-NEXT:     %2 = vector.extract_strided_slice %arg1 {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
// CHECK-NEXT:     %3 = vector.broadcast %2 : vector<2xf32> to vector<2x2xf32>
// CHECK-NEXT:     %4 = vector.broadcast %arg2 : vector<1x4xf32> to vector<2x4xf32>
// CHECK-NEXT:     return %0, %1, %3, %4 : vector<2xf32>, vector<2x4xf32>, vector<2x2xf32>, vector<2x4xf32>
// CHECK-NEXT:   }
func.func @of_broadcast(%a: f32, %v: vector<4xf32>, %w: vector<1x4xf32>) -> (vector<2xf32>, vector<2x4xf32>, vector<2x2xf32>, vector<2x4xf32>) {
  %0 = vector.broadcast %a : f32 to vector<4xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %2 = vector.broadcast %v : vector<4xf32> to vector<8x4xf32>
  %3 = vector.extract_strided_slice %2 {offsets = [1], sizes = [2], strides = [1]} : vector<8x4xf32> to vector<2x4xf32>
  %4 = vector.extract_strided_slice %2 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<8x4xf32> to vector<2x2xf32>
  %5 = vector.broadcast %w : vector<1x4xf32> to vector<8x4xf32>
  %6 = vector.extract_strided_slice %5 {offsets = [3], sizes = [2], strides = [1]} : vector<8x4xf32> to vector<2x4xf32>
  return %1, %3, %4, %6 : vector<2xf32>, vector<2x4xf32>, vector<2x2xf32>, vector<2x4xf32>
}

// CHECK-NEXT:   func.func @rows(%arg0: vector<4x3x2xf32>) -> (vector<1x3x2xf32>, vector<1x1x2xf32>, vector<1x2x2xf32>) {
// CHECK-NEXT:     %0 = vector.extract %arg0[2] : vector<3x2xf32> from vector<4x3x2xf32>
// CHECK-NEXT:     %1 = vector.shape_cast %0 : vector<3x2xf32> to vector<1x3x2xf32>
// CHECK-NEXT:     %2 = vector.extract %arg0[2, 1] : vector<2xf32> from vector<4x3x2xf32>
// CHECK-NEXT:     %3 = vector.shape_cast %2 : vector<2xf32> to vector<1x1x2xf32>
// CHECK-NEXT:     %4 = vector.extract_strided_slice %arg0 {offsets = [2, 1], sizes = [1, 2], strides = [1, 1]} : vector<4x3x2xf32> to vector<1x2x2xf32>
// CHECK-NEXT:     return %1, %3, %4 : vector<1x3x2xf32>, vector<1x1x2xf32>, vector<1x2x2xf32>
// CHECK-NEXT:   }
func.func @rows(%v: vector<4x3x2xf32>) -> (vector<1x3x2xf32>, vector<1x1x2xf32>, vector<1x2x2xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [2], sizes = [1], strides = [1]} : vector<4x3x2xf32> to vector<1x3x2xf32>
  %1 = vector.extract_strided_slice %v {offsets = [2, 1, 0], sizes = [1, 1, 2], strides = [1, 1, 1]} : vector<4x3x2xf32> to vector<1x1x2xf32>
  // Two rows of three.
  %2 = vector.extract_strided_slice %v {offsets = [2, 1], sizes = [1, 2], strides = [1, 1]} : vector<4x3x2xf32> to vector<1x2x2xf32>
  return %0, %1, %2 : vector<1x3x2xf32>, vector<1x1x2xf32>, vector<1x2x2xf32>
}

// CHECK-NEXT:   func.func @inserted_back(%arg0: vector<4x4xf32>, %arg1: f32) -> (vector<4x4xf32>, vector<4xf32>, vector<4x4xf32>) {
// CHECK-NEXT:     %0 = vector.extract_strided_slice %arg0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
// CHECK-NEXT:     %1 = vector.broadcast %arg1 : f32 to vector<4xf32>
// CHECK-NEXT:     %2 = vector.insert_strided_slice %0, %arg0 {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
// CHECK-NEXT:     return %arg0, %1, %2 : vector<4x4xf32>, vector<4xf32>, vector<4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @inserted_back(%v: vector<4x4xf32>, %a: f32) -> (vector<4x4xf32>, vector<4xf32>, vector<4x4xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xf32> to vector<2x2xf32>
  %1 = vector.insert_strided_slice %0, %v {offsets = [1, 1], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  %2 = vector.broadcast %a : f32 to vector<4xf32>
  %3 = vector.broadcast %a : f32 to vector<2xf32>
  %4 = vector.insert_strided_slice %3, %2 {offsets = [2], strides = [1]} : vector<2xf32> into vector<4xf32>
  // Elsewhere.
  %5 = vector.insert_strided_slice %0, %v {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  return %1, %4, %5 : vector<4x4xf32>, vector<4xf32>, vector<4x4xf32>
}
