// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Where the constant is no element, all comparisons come out the same.
// CHECK: module {
// CHECK-NEXT:   func.func @past_the_end() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
// CHECK-NEXT:     %cst = arith.constant dense<false> : vector<4xi1>
// CHECK-NEXT:     %cst_0 = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:     return %cst_0, %cst, %cst, %cst_0 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
// CHECK-NEXT:   }
func.func @past_the_end() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %step = vector.step : vector<4xindex>
  %four = arith.constant dense<4> : vector<4xindex>
  %0 = arith.cmpi ult, %step, %four : vector<4xindex>
  %1 = arith.cmpi uge, %step, %four : vector<4xindex>
  %2 = arith.cmpi eq, %step, %four : vector<4xindex>
  %3 = arith.cmpi ne, %step, %four : vector<4xindex>
  return %0, %1, %2, %3 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
}

// CHECK-NEXT:   func.func @last() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
// CHECK-NEXT:     %cst = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:     %cst_0 = arith.constant dense<false> : vector<4xi1>
// CHECK-NEXT:     %cst_1 = arith.constant dense<3> : vector<4xindex>
// CHECK-NEXT:     %0 = vector.step : vector<4xindex>
// CHECK-NEXT:     %1 = arith.cmpi ult, %0, %cst_1 : vector<4xindex>
// CHECK-NEXT:     %2 = arith.cmpi ne, %0, %cst_1 : vector<4xindex>
// CHECK-NEXT:     return %cst, %cst_0, %1, %2 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
// CHECK-NEXT:   }
func.func @last() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %step = vector.step : vector<4xindex>
  %three = arith.constant dense<3> : vector<4xindex>
  %0 = arith.cmpi ule, %step, %three : vector<4xindex>
  %1 = arith.cmpi ugt, %step, %three : vector<4xindex>
  %2 = arith.cmpi ult, %step, %three : vector<4xindex>
  %3 = arith.cmpi ne, %step, %three : vector<4xindex>
  return %0, %1, %2, %3 : vector<4xi1>, vector<4xi1>, vector<4xi1>, vector<4xi1>
}

// CHECK-NEXT:   func.func @constant_first() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
// CHECK-NEXT:     %cst = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:     %cst_0 = arith.constant dense<3> : vector<4xindex>
// CHECK-NEXT:     %0 = vector.step : vector<4xindex>
// CHECK-NEXT:     %1 = arith.cmpi ult, %0, %cst_0 : vector<4xindex>
// CHECK-NEXT:     return %cst, %cst, %1 : vector<4xi1>, vector<4xi1>, vector<4xi1>
// CHECK-NEXT:   }
func.func @constant_first() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %step = vector.step : vector<4xindex>
  %three = arith.constant dense<3> : vector<4xindex>
  %four = arith.constant dense<4> : vector<4xindex>
  %0 = arith.cmpi ugt, %four, %step : vector<4xindex>
  %1 = arith.cmpi uge, %three, %step : vector<4xindex>
  %2 = arith.cmpi ugt, %three, %step : vector<4xindex>
  return %0, %1, %2 : vector<4xi1>, vector<4xi1>, vector<4xi1>
}

// With signs nothing is known.
// CHECK-NEXT:   func.func @signed() -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<4> : vector<4xindex>
// CHECK-NEXT:     %0 = vector.step : vector<4xindex>
// CHECK-NEXT:     %1 = arith.cmpi slt, %0, %cst : vector<4xindex>
// CHECK-NEXT:     return %1 : vector<4xi1>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @signed() -> vector<4xi1> {
  %step = vector.step : vector<4xindex>
  %four = arith.constant dense<4> : vector<4xindex>
  %0 = arith.cmpi slt, %step, %four : vector<4xindex>
  return %0 : vector<4xi1>
}
