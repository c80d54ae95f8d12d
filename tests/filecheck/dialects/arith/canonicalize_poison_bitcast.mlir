// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @poison() -> (f32, i32, vector<4xf32>) {
// CHECK-NEXT:     %0 = ub.poison : vector<4xi32>
// CHECK-NEXT:     %1 = ub.poison : f32
// CHECK-NEXT:     %2 = ub.poison : i32
// CHECK-NEXT:     %3 = arith.bitcast %0 : vector<4xi32> to vector<4xf32>
// CHECK-NEXT:     return %1, %2, %3 : f32, i32, vector<4xf32>
// CHECK-NEXT:   }
func.func @poison() -> (f32, i32, vector<4xf32>) {
  %0 = ub.poison : i32
  %1 = ub.poison : f32
  %2 = ub.poison : vector<4xi32>
  %a = arith.bitcast %0 : i32 to f32
  %b = arith.bitcast %1 : f32 to i32
  %c = arith.bitcast %2 : vector<4xi32> to vector<4xf32>
  return %a, %b, %c : f32, i32, vector<4xf32>
}

// As many elements as there are, all of them zero.

// CHECK-NEXT:   func.func @scalable(%arg0: vector<[4]xi32>, %arg1: vector<2x[4]xi1>) -> (vector<[4]xi32>, vector<2x[4]xi1>) {
// CHECK-NEXT:     %cst = arith.constant dense<0> : vector<[4]xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<false> : vector<2x[4]xi1>
// CHECK-NEXT:     return %cst, %cst_0 : vector<[4]xi32>, vector<2x[4]xi1>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @scalable(%a: vector<[4]xi32>, %b: vector<2x[4]xi1>) -> (vector<[4]xi32>, vector<2x[4]xi1>) {
  %0 = arith.subi %a, %a : vector<[4]xi32>
  %1 = arith.xori %b, %b : vector<2x[4]xi1>
  return %0, %1 : vector<[4]xi32>, vector<2x[4]xi1>
}
