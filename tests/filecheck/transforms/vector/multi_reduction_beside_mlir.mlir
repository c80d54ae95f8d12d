// RUN: xgpu-opt %s --lower-vector-multi-reduction | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(lower-vector-multi-reduction{lowering-strategy=inner-reduction}))" | filecheck %s --check-prefix=INNER --match-full-lines

// Where this is not what MLIR does, docs/reference/deviations.md says why.
// CHECK: module {
// CHECK-NEXT:   func.func @nothing_reduced(%arg0: vector<2x3xf32>, %arg1: vector<2x3xf32>, %arg2: vector<2x3xi1>) -> (vector<2x3xf32>, vector<2x3xf32>) {
// CHECK-NEXT:     %0 = arith.mulf %arg0, %arg1 : vector<2x3xf32>
// CHECK-NEXT:     %1 = arith.addf %arg0, %arg1 : vector<2x3xf32>
// CHECK-NEXT:     %2 = arith.select %arg2, %1, %arg1 : vector<2x3xi1>, vector<2x3xf32>
// CHECK-NEXT:     return %0, %2 : vector<2x3xf32>, vector<2x3xf32>
// CHECK-NEXT:   }
// INNER: module {
// INNER-NEXT:   func.func @nothing_reduced(%arg0: vector<2x3xf32>, %arg1: vector<2x3xf32>, %arg2: vector<2x3xi1>) -> (vector<2x3xf32>, vector<2x3xf32>) {
// INNER-NEXT:     %0 = arith.mulf %arg0, %arg1 : vector<2x3xf32>
// INNER-NEXT:     %1 = arith.addf %arg0, %arg1 : vector<2x3xf32>
// INNER-NEXT:     %2 = arith.select %arg2, %1, %arg1 : vector<2x3xi1>, vector<2x3xf32>
// INNER-NEXT:     return %0, %2 : vector<2x3xf32>, vector<2x3xf32>
// INNER-NEXT:   }
func.func @nothing_reduced(%a: vector<2x3xf32>, %b: vector<2x3xf32>, %m: vector<2x3xi1>)
    -> (vector<2x3xf32>, vector<2x3xf32>) {
  %0 = vector.multi_reduction <mul>, %a, %b [] : vector<2x3xf32> to vector<2x3xf32>
  %1 = vector.mask %m {
    vector.multi_reduction <add>, %a, %b [] : vector<2x3xf32> to vector<2x3xf32>
  } : vector<2x3xi1> -> vector<2x3xf32>
  return %0, %1 : vector<2x3xf32>, vector<2x3xf32>
}

// Rows may be taken apart only if it is known how many there are.
// CHECK-NEXT:   func.func @scalable_rows(%arg0: vector<[2]x2xf32>, %arg1: vector<[2]xf32>) -> vector<[2]xf32> {
// CHECK-NEXT:     %0 = vector.transpose %arg0, [1, 0] : vector<[2]x2xf32> to vector<2x[2]xf32>
// CHECK-NEXT:     %1 = vector.extract %0[0] : vector<[2]xf32> from vector<2x[2]xf32>
// CHECK-NEXT:     %2 = arith.mulf %1, %arg1 : vector<[2]xf32>
// CHECK-NEXT:     %3 = vector.extract %0[1] : vector<[2]xf32> from vector<2x[2]xf32>
// CHECK-NEXT:     %4 = arith.mulf %3, %2 : vector<[2]xf32>
// CHECK-NEXT:     return %4 : vector<[2]xf32>
// CHECK-NEXT:   }
// INNER-NEXT:   func.func @scalable_rows(%arg0: vector<[2]x2xf32>, %arg1: vector<[2]xf32>) -> vector<[2]xf32> {
// INNER-NEXT:     %0 = vector.multi_reduction <mul>, %arg0, %arg1 [1] : vector<[2]x2xf32> to vector<[2]xf32>
// INNER-NEXT:     return %0 : vector<[2]xf32>
// INNER-NEXT:   }
func.func @scalable_rows(%a: vector<[2]x2xf32>, %b: vector<[2]xf32>) -> vector<[2]xf32> {
  %0 = vector.multi_reduction <mul>, %a, %b [1] : vector<[2]x2xf32> to vector<[2]xf32>
  return %0 : vector<[2]xf32>
}

// CHECK-NEXT:   func.func @scalable_columns(%arg0: vector<2x[2]xf32>, %arg1: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT:     %0 = vector.transpose %arg0, [1, 0] : vector<2x[2]xf32> to vector<[2]x2xf32>
// CHECK-NEXT:     %1 = vector.multi_reduction <mul>, %0, %arg1 [0] : vector<[2]x2xf32> to vector<2xf32>
// CHECK-NEXT:     return %1 : vector<2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// INNER-NEXT:   func.func @scalable_columns(%arg0: vector<2x[2]xf32>, %arg1: vector<2xf32>) -> vector<2xf32> {
// INNER-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<2xf32>
// INNER-NEXT:     %0 = vector.extract %arg0[0] : vector<[2]xf32> from vector<2x[2]xf32>
// INNER-NEXT:     %1 = vector.extract %arg1[0] : f32 from vector<2xf32>
// INNER-NEXT:     %2 = vector.reduction <mul>, %0, %1 : vector<[2]xf32> into f32
// INNER-NEXT:     %3 = vector.insert %2, %cst [0] : f32 into vector<2xf32>
// INNER-NEXT:     %4 = vector.extract %arg0[1] : vector<[2]xf32> from vector<2x[2]xf32>
// INNER-NEXT:     %5 = vector.extract %arg1[1] : f32 from vector<2xf32>
// INNER-NEXT:     %6 = vector.reduction <mul>, %4, %5 : vector<[2]xf32> into f32
// INNER-NEXT:     %7 = vector.insert %6, %3 [1] : f32 into vector<2xf32>
// INNER-NEXT:     return %7 : vector<2xf32>
// INNER-NEXT:   }
// INNER-NEXT: }
func.func @scalable_columns(%a: vector<2x[2]xf32>, %b: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.multi_reduction <mul>, %a, %b [1] : vector<2x[2]xf32> to vector<2xf32>
  return %0 : vector<2xf32>
}
