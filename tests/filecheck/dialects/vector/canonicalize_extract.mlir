// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// What a part of a vector is, by what made the vector.

// CHECK: module {
// CHECK-NEXT:   func.func @whole(%arg0: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:     return %arg0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @whole(%v: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.extract %v[] : vector<4xf32> from vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @of_extract(%arg0: vector<2x3x4xf32>) -> f32 {
// CHECK-NEXT:     %0 = vector.extract %arg0[1, 2, 3] : f32 from vector<2x3x4xf32>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @of_extract(%v: vector<2x3x4xf32>) -> f32 {
  %0 = vector.extract %v[1] : vector<3x4xf32> from vector<2x3x4xf32>
  %1 = vector.extract %0[2] : vector<4xf32> from vector<3x4xf32>
  %2 = vector.extract %1[3] : f32 from vector<4xf32>
  return %2 : f32
}

// CHECK-NEXT:   func.func @constant_index(%arg0: vector<2x4xf32>, %arg1: index) -> f32 {
// CHECK-NEXT:     %0 = vector.extract %arg0[1, %arg1] : f32 from vector<2x4xf32>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @constant_index(%v: vector<2x4xf32>, %i: index) -> f32 {
  %one = arith.constant 1 : index
  %0 = vector.extract %v[%one, %i] : f32 from vector<2x4xf32>
  return %0 : f32
}

// An index that is out of bounds is not written into the operation.
// CHECK-NEXT:   func.func @bad_index(%arg0: vector<4xf32>) -> f32 {
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %0 = vector.extract %arg0[%c9] : f32 from vector<4xf32>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @bad_index(%v: vector<4xf32>) -> f32 {
  %nine = arith.constant 9 : index
  %0 = vector.extract %v[%nine] : f32 from vector<4xf32>
  return %0 : f32
}

// CHECK-NEXT:   func.func @constants() -> (i32, vector<2xi32>, i32) {
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %cst = arith.constant dense<[3, 4]> : vector<2xi32>
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     return %c3_i32, %cst, %c7_i32 : i32, vector<2xi32>, i32
// CHECK-NEXT:   }
func.func @constants() -> (i32, vector<2xi32>, i32) {
  %v = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %s = arith.constant dense<7> : vector<2x2xi32>
  %0 = vector.extract %v[1, 0] : i32 from vector<2x2xi32>
  %1 = vector.extract %v[1] : vector<2xi32> from vector<2x2xi32>
  %2 = vector.extract %s[0, 1] : i32 from vector<2x2xi32>
  return %0, %1, %2 : i32, vector<2xi32>, i32
}

// CHECK-NEXT:   func.func @poison() -> (f32, f32) {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     return %0, %0 : f32, f32
// CHECK-NEXT:   }
func.func @poison() -> (f32, f32) {
  %p = ub.poison : vector<4xf32>
  %v = arith.constant dense<1.0> : vector<4xf32>
  %0 = vector.extract %p[1] : f32 from vector<4xf32>
  %1 = vector.extract %v[-1] : f32 from vector<4xf32>
  return %0, %1 : f32, f32
}

// CHECK-NEXT:   func.func @of_broadcast(%arg0: f32, %arg1: vector<4xf32>, %arg2: vector<1x4xf32>, %arg3: index) -> (f32, vector<4xf32>, f32, vector<4xf32>, vector<2x4xf32>) {
// CHECK-NEXT:     %0 = vector.extract %arg1[3] : f32 from vector<4xf32>
// CHECK-NEXT:     %1 = vector.extract %arg2[0] : vector<4xf32> from vector<1x4xf32>
// CHECK-NEXT:     %2 = vector.broadcast %arg1 : vector<4xf32> to vector<2x4xf32>
// CHECK-NEXT:     return %arg0, %arg1, %0, %1, %2 : f32, vector<4xf32>, f32, vector<4xf32>, vector<2x4xf32>
// CHECK-NEXT:   }
func.func @of_broadcast(%a: f32, %v: vector<4xf32>, %w: vector<1x4xf32>, %i: index) -> (f32, vector<4xf32>, f32, vector<4xf32>, vector<2x4xf32>) {
  %b = vector.broadcast %a : f32 to vector<2x4xf32>
  %c = vector.broadcast %v : vector<4xf32> to vector<3x2x4xf32>
  %d = vector.broadcast %w : vector<1x4xf32> to vector<3x4xf32>
  %0 = vector.extract %b[1, 3] : f32 from vector<2x4xf32>
  %1 = vector.extract %c[2, 1] : vector<4xf32> from vector<3x2x4xf32>
  %2 = vector.extract %c[2, 1, 3] : f32 from vector<3x2x4xf32>
  %3 = vector.extract %d[%i] : vector<4xf32> from vector<3x4xf32>
  %4 = vector.extract %c[0] : vector<2x4xf32> from vector<3x2x4xf32>
  return %0, %1, %2, %3, %4 : f32, vector<4xf32>, f32, vector<4xf32>, vector<2x4xf32>
}

// CHECK-NEXT:   func.func @of_insert(%arg0: f32, %arg1: f32, %arg2: vector<2x4xf32>, %arg3: vector<4xf32>) -> (f32, f32, f32, vector<4xf32>) {
// CHECK-NEXT:     %0 = vector.insert %arg0, %arg2 [0, 1] : f32 into vector<2x4xf32>
// CHECK-NEXT:     %1 = vector.extract %arg2[0, 2] : f32 from vector<2x4xf32>
// CHECK-NEXT:     %2 = vector.extract %arg3[2] : f32 from vector<4xf32>
// CHECK-NEXT:     %3 = vector.extract %0[0] : vector<4xf32> from vector<2x4xf32>
// CHECK-NEXT:     return %arg0, %1, %2, %3 : f32, f32, f32, vector<4xf32>
// CHECK-NEXT:   }
func.func @of_insert(%a: f32, %b: f32, %v: vector<2x4xf32>, %row: vector<4xf32>) -> (f32, f32, f32, vector<4xf32>) {
  %0 = vector.insert %a, %v[0, 1] : f32 into vector<2x4xf32>
  %1 = vector.insert %b, %0[1, 1] : f32 into vector<2x4xf32>
  %2 = vector.extract %1[0, 1] : f32 from vector<2x4xf32>
  %3 = vector.extract %1[0, 2] : f32 from vector<2x4xf32>
  %4 = vector.insert %row, %v[1] : vector<4xf32> into vector<2x4xf32>
  %5 = vector.extract %4[1, 2] : f32 from vector<2x4xf32>
  // Only one of its elements was inserted.
  %6 = vector.extract %0[0] : vector<4xf32> from vector<2x4xf32>
  return %2, %3, %5, %6 : f32, f32, f32, vector<4xf32>
}

// CHECK-NEXT:   func.func @of_transposed_insert(%arg0: f32, %arg1: vector<4xf32>, %arg2: vector<2x4xf32>, %arg3: vector<4x2xf32>) -> (f32, vector<4xf32>, vector<2xf32>) {
// CHECK-NEXT:     %0 = vector.insert %arg1, %arg2 [1] : vector<4xf32> into vector<2x4xf32>
// CHECK-NEXT:     %1 = vector.transpose %0, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
// CHECK-NEXT:     %2 = vector.extract %1[3] : vector<2xf32> from vector<4x2xf32>
// CHECK-NEXT:     return %arg0, %arg1, %2 : f32, vector<4xf32>, vector<2xf32>
// CHECK-NEXT:   }
func.func @of_transposed_insert(%a: f32, %row: vector<4xf32>, %v: vector<2x4xf32>, %w: vector<4x2xf32>) -> (f32, vector<4xf32>, vector<2xf32>) {
  %0 = vector.insert %a, %v[1, 2] : f32 into vector<2x4xf32>
  %1 = vector.transpose %0, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %2 = vector.extract %1[2, 1] : f32 from vector<4x2xf32>
  %3 = vector.insert %row, %v[1] : vector<4xf32> into vector<2x4xf32>
  %4 = vector.transpose %3, [0, 1] : vector<2x4xf32> to vector<2x4xf32>
  %5 = vector.extract %4[1] : vector<4xf32> from vector<2x4xf32>
  // A column was inserted, and a row is read.
  %6 = vector.transpose %3, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %7 = vector.extract %6[3] : vector<2xf32> from vector<4x2xf32>
  return %2, %5, %7 : f32, vector<4xf32>, vector<2xf32>
}

// CHECK-NEXT:   func.func @of_shuffle(%arg0: vector<4xf32>, %arg1: vector<2xf32>) -> (f32, f32, f32) {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.extract %arg1[1] : f32 from vector<2xf32>
// CHECK-NEXT:     %2 = vector.extract %arg0[0] : f32 from vector<4xf32>
// CHECK-NEXT:     return %1, %2, %0 : f32, f32, f32
// CHECK-NEXT:   }
func.func @of_shuffle(%a: vector<4xf32>, %b: vector<2xf32>) -> (f32, f32, f32) {
  %0 = vector.shuffle %a, %b [5, 0, -1] : vector<4xf32>, vector<2xf32>
  %1 = vector.extract %0[0] : f32 from vector<3xf32>
  %2 = vector.extract %0[1] : f32 from vector<3xf32>
  %3 = vector.extract %0[2] : f32 from vector<3xf32>
  return %1, %2, %3 : f32, f32, f32
}

// CHECK-NEXT:   func.func @of_shape_cast(%arg0: vector<2x6xf32>, %arg1: vector<1x4xf32>) -> (f32, vector<3xf32>, vector<4xf32>) {
// CHECK-NEXT:     %0 = vector.extract %arg0[1, 3] : f32 from vector<2x6xf32>
// CHECK-NEXT:     %1 = vector.shape_cast %arg0 : vector<2x6xf32> to vector<4x3xf32>
// CHECK-NEXT:     %2 = vector.extract %1[1] : vector<3xf32> from vector<4x3xf32>
// CHECK-NEXT:     %3 = vector.extract %arg1[0] : vector<4xf32> from vector<1x4xf32>
// CHECK-NEXT:     return %0, %2, %3 : f32, vector<3xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @of_shape_cast(%v: vector<2x6xf32>, %w: vector<1x4xf32>) -> (f32, vector<3xf32>, vector<4xf32>) {
  %0 = vector.shape_cast %v : vector<2x6xf32> to vector<3x4xf32>
  %1 = vector.extract %0[2, 1] : f32 from vector<3x4xf32>
  %2 = vector.shape_cast %v : vector<2x6xf32> to vector<4x3xf32>
  %3 = vector.extract %2[1] : vector<3xf32> from vector<4x3xf32>
  %4 = vector.shape_cast %w : vector<1x4xf32> to vector<1x1x4xf32>
  %5 = vector.extract %4[0, 0] : vector<4xf32> from vector<1x1x4xf32>
  return %1, %3, %5 : f32, vector<3xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @of_slice(%arg0: vector<8x4xf32>) -> (f32, vector<4xf32>, vector<2xf32>) {
// CHECK-NEXT:     %0 = vector.extract_strided_slice %arg0 {offsets = [2, 1], sizes = [3, 2], strides = [1, 1]} : vector<8x4xf32> to vector<3x2xf32>
// CHECK-NEXT:     %1 = vector.extract %arg0[3, 2] : f32 from vector<8x4xf32>
// CHECK-NEXT:     %2 = vector.extract %arg0[4] : vector<4xf32> from vector<8x4xf32>
// CHECK-NEXT:     %3 = vector.extract %0[1] : vector<2xf32> from vector<3x2xf32>
// CHECK-NEXT:     return %1, %2, %3 : f32, vector<4xf32>, vector<2xf32>
// CHECK-NEXT:   }
func.func @of_slice(%v: vector<8x4xf32>) -> (f32, vector<4xf32>, vector<2xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [2, 1], sizes = [3, 2], strides = [1, 1]} : vector<8x4xf32> to vector<3x2xf32>
  %1 = vector.extract %0[1, 1] : f32 from vector<3x2xf32>
  %2 = vector.extract_strided_slice %v {offsets = [2], sizes = [3], strides = [1]} : vector<8x4xf32> to vector<3x4xf32>
  %3 = vector.extract %2[2] : vector<4xf32> from vector<3x4xf32>
  // A part of a row.
  %4 = vector.extract %0[1] : vector<2xf32> from vector<3x2xf32>
  return %1, %3, %4 : f32, vector<4xf32>, vector<2xf32>
}

// CHECK-NEXT:   func.func @of_inserted_slice(%arg0: vector<2x2xf32>, %arg1: vector<4x4xf32>) -> (f32, f32, vector<4xf32>) {
// CHECK-NEXT:     %0 = vector.insert_strided_slice %arg0, %arg1 {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
// CHECK-NEXT:     %1 = vector.extract %arg0[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:     %2 = vector.extract %0[1, 1] : f32 from vector<4x4xf32>
// CHECK-NEXT:     %3 = vector.extract %0[1] : vector<4xf32> from vector<4x4xf32>
// CHECK-NEXT:     return %1, %2, %3 : f32, f32, vector<4xf32>
// CHECK-NEXT:   }
func.func @of_inserted_slice(%s: vector<2x2xf32>, %v: vector<4x4xf32>) -> (f32, f32, vector<4xf32>) {
  %0 = vector.insert_strided_slice %s, %v {offsets = [1, 2], strides = [1, 1]} : vector<2x2xf32> into vector<4x4xf32>
  %1 = vector.extract %0[2, 3] : f32 from vector<4x4xf32>
  %2 = vector.extract %0[1, 1] : f32 from vector<4x4xf32>
  %3 = vector.extract %0[1] : vector<4xf32> from vector<4x4xf32>
  return %1, %2, %3 : f32, f32, vector<4xf32>
}

// CHECK-NEXT:   func.func @of_elements(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: f32) -> (f32, vector<2xf32>) {
// CHECK-NEXT:     %0 = vector.from_elements %arg2, %arg3 : vector<2xf32>
// CHECK-NEXT:     return %arg2, %0 : f32, vector<2xf32>
// CHECK-NEXT:   }
func.func @of_elements(%a: f32, %b: f32, %c: f32, %d: f32) -> (f32, vector<2xf32>) {
  %0 = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
  %1 = vector.extract %0[1, 0] : f32 from vector<2x2xf32>
  %2 = vector.extract %0[1] : vector<2xf32> from vector<2x2xf32>
  return %1, %2 : f32, vector<2xf32>
}

// The matrix that was inserted is read transposed.
// CHECK-NEXT:   func.func @of_transposed_matrix(%arg0: vector<3x3xf32>, %arg1: vector<2x3x3xf32>) -> vector<3x3xf32> {
// CHECK-NEXT:     %0 = vector.insert %arg0, %arg1 [1] : vector<3x3xf32> into vector<2x3x3xf32>
// CHECK-NEXT:     %1 = vector.transpose %0, [0, 2, 1] : vector<2x3x3xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %2 = vector.extract %1[1] : vector<3x3xf32> from vector<2x3x3xf32>
// CHECK-NEXT:     return %2 : vector<3x3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @of_transposed_matrix(%m: vector<3x3xf32>, %v: vector<2x3x3xf32>) -> vector<3x3xf32> {
  %0 = vector.insert %m, %v[1] : vector<3x3xf32> into vector<2x3x3xf32>
  %1 = vector.transpose %0, [0, 2, 1] : vector<2x3x3xf32> to vector<2x3x3xf32>
  %2 = vector.extract %1[1] : vector<3x3xf32> from vector<2x3x3xf32>
  return %2 : vector<3x3xf32>
}
