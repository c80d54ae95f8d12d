// A scalar may stand for a vector of one element where it is extracted, and the other way round.
// RUN: xgpu-opt %s | filecheck %s --check-prefix=READ
// RUN: xgpu-opt %s --canonicalize | filecheck %s --check-prefix=FOLD

// READ: module {
// READ-NEXT:   func.func @a_row_as_a_scalar(%arg0: vector<1x1xf32>) -> f32 {
// READ-NEXT:     %0 = vector.extract %arg0[0] : f32 from vector<1x1xf32>
// READ-NEXT:     return %0 : f32
// READ-NEXT:   }
// FOLD: module {
// FOLD-NEXT:   func.func @a_row_as_a_scalar(%arg0: vector<1x1xf32>) -> f32 {
// FOLD-NEXT:     %0 = vector.extract %arg0[0] : f32 from vector<1x1xf32>
// FOLD-NEXT:     return %0 : f32
// FOLD-NEXT:   }
func.func @a_row_as_a_scalar(%v: vector<1x1xf32>) -> f32 {
  %e = vector.extract %v[0] : f32 from vector<1x1xf32>
  return %e : f32
}

// READ-NEXT:   func.func @a_scalar_as_a_row(%arg0: vector<1x1xf32>) -> vector<1xf32> {
// READ-NEXT:     %0 = vector.extract %arg0[0, 0] : vector<1xf32> from vector<1x1xf32>
// READ-NEXT:     return %0 : vector<1xf32>
// READ-NEXT:   }
// FOLD-NEXT:   func.func @a_scalar_as_a_row(%arg0: vector<1x1xf32>) -> vector<1xf32> {
// FOLD-NEXT:     %0 = vector.extract %arg0[0, 0] : vector<1xf32> from vector<1x1xf32>
// FOLD-NEXT:     return %0 : vector<1xf32>
// FOLD-NEXT:   }
func.func @a_scalar_as_a_row(%v: vector<1x1xf32>) -> vector<1xf32> {
  %e = vector.extract %v[0, 0] : vector<1xf32> from vector<1x1xf32>
  return %e : vector<1xf32>
}

// READ-NEXT:   func.func @of_a_constant() -> f32 {
// READ-NEXT:     %cst = arith.constant dense<1.000000e+00> : vector<1x1xf32>
// READ-NEXT:     %0 = vector.extract %cst[0] : f32 from vector<1x1xf32>
// READ-NEXT:     return %0 : f32
// READ-NEXT:   }
// FOLD-NEXT:   func.func @of_a_constant() -> f32 {
// FOLD-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// FOLD-NEXT:     return %cst : f32
// FOLD-NEXT:   }
func.func @of_a_constant() -> f32 {
  %c = arith.constant dense<[[1.0]]> : vector<1x1xf32>
  %e = vector.extract %c[0] : f32 from vector<1x1xf32>
  return %e : f32
}

// READ-NEXT:   func.func @of_a_broadcast(%arg0: vector<1xf32>) -> f32 {
// READ-NEXT:     %0 = vector.broadcast %arg0 : vector<1xf32> to vector<2x1xf32>
// READ-NEXT:     %1 = vector.extract %0[0] : f32 from vector<2x1xf32>
// READ-NEXT:     return %1 : f32
// READ-NEXT:   }
// FOLD-NEXT:   func.func @of_a_broadcast(%arg0: vector<1xf32>) -> f32 {
// FOLD-NEXT:     %0 = vector.extract %arg0[] : f32 from vector<1xf32>
// FOLD-NEXT:     return %0 : f32
// FOLD-NEXT:   }
func.func @of_a_broadcast(%v: vector<1xf32>) -> f32 {
  %b = vector.broadcast %v : vector<1xf32> to vector<2x1xf32>
  %e = vector.extract %b[0] : f32 from vector<2x1xf32>
  return %e : f32
}

// READ-NEXT:   func.func @of_what_was_inserted(%arg0: vector<1xf32>, %arg1: vector<2x1xf32>) -> f32 {
// READ-NEXT:     %0 = vector.insert %arg0, %arg1 [0] : vector<1xf32> into vector<2x1xf32>
// READ-NEXT:     %1 = vector.extract %0[0] : f32 from vector<2x1xf32>
// READ-NEXT:     return %1 : f32
// READ-NEXT:   }
// READ-NEXT: }
// FOLD-NEXT:   func.func @of_what_was_inserted(%arg0: vector<1xf32>, %arg1: vector<2x1xf32>) -> f32 {
// FOLD-NEXT:     %0 = vector.extract %arg0[] : f32 from vector<1xf32>
// FOLD-NEXT:     return %0 : f32
// FOLD-NEXT:   }
// FOLD-NEXT: }
func.func @of_what_was_inserted(%v: vector<1xf32>, %w: vector<2x1xf32>) -> f32 {
  %i = vector.insert %v, %w[0] : vector<1xf32> into vector<2x1xf32>
  %e = vector.extract %i[0] : f32 from vector<2x1xf32>
  return %e : f32
}
