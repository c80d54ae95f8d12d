// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Selects, conditions and their inverses; operations with two results of which one is used.

// CHECK: module {
// CHECK-NEXT:   func.func @nested(%arg0: i1, %arg1: i32, %arg2: i32, %arg3: i32) -> (i32, i32) {
// CHECK-NEXT:     %0 = arith.select %arg0, %arg1, %arg3 : i32
// CHECK-NEXT:     %1 = arith.select %arg0, %arg2, %arg1 : i32
// CHECK-NEXT:     return %0, %1 : i32, i32
// CHECK-NEXT:   }
func.func @nested(%p: i1, %a: i32, %b: i32, %c: i32) -> (i32, i32) {
  %0 = arith.select %p, %b, %c : i32
  %1 = arith.select %p, %a, %0 : i32
  %2 = arith.select %p, %0, %a : i32
  return %1, %2 : i32, i32
}

// CHECK-NEXT:   func.func @of_not(%arg0: i1, %arg1: f32, %arg2: f32) -> f32 {
// CHECK-NEXT:     %0 = arith.select %arg0, %arg2, %arg1 : f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @of_not(%p: i1, %a: f32, %b: f32) -> f32 {
  %true = arith.constant true
  %0 = arith.xori %p, %true : i1
  %1 = arith.select %0, %a, %b : f32
  return %1 : f32
}

// CHECK-NEXT:   func.func @of_xor(%arg0: i1, %arg1: i1, %arg2: f32, %arg3: f32) -> f32 {
// CHECK-NEXT:     %0 = arith.xori %arg0, %arg1 : i1
// CHECK-NEXT:     %1 = arith.select %0, %arg2, %arg3 : f32
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
func.func @of_xor(%p: i1, %q: i1, %a: f32, %b: f32) -> f32 {
  %0 = arith.xori %p, %q : i1
  %1 = arith.select %0, %a, %b : f32
  return %1 : f32
}

// CHECK-NEXT:   func.func @of_bools(%arg0: i1) -> (i1, i1, i32, i32, i32) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0 = arith.xori %arg0, %true : i1
// CHECK-NEXT:     %1 = arith.extui %arg0 : i1 to i32
// CHECK-NEXT:     %2 = arith.xori %arg0, %true : i1
// CHECK-NEXT:     %3 = arith.extui %2 : i1 to i32
// CHECK-NEXT:     %4 = arith.select %arg0, %c2_i32, %c0_i32 : i32
// CHECK-NEXT:     return %arg0, %0, %1, %3, %4 : i1, i1, i32, i32, i32
// CHECK-NEXT:   }
func.func @of_bools(%p: i1) -> (i1, i1, i32, i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.select %p, %true, %false : i1
  %1 = arith.select %p, %false, %true : i1
  %2 = arith.select %p, %c1, %c0 : i32
  %3 = arith.select %p, %c0, %c1 : i32
  %4 = arith.select %p, %c2, %c0 : i32
  return %0, %1, %2, %3, %4 : i1, i1, i32, i32, i32
}

// CHECK-NEXT:   func.func @of_vectors(%arg0: vector<2xi1>, %arg1: i1) -> (vector<2xi1>, vector<2xi1>, vector<2xi32>) {
// CHECK-NEXT:     %cst = arith.constant dense<true> : vector<2xi1>
// CHECK-NEXT:     %cst_0 = arith.constant dense<false> : vector<2xi1>
// CHECK-NEXT:     %cst_1 = arith.constant dense<0> : vector<2xi32>
// CHECK-NEXT:     %cst_2 = arith.constant dense<1> : vector<2xi32>
// CHECK-NEXT:     %0 = arith.select %arg0, %cst_0, %cst : vector<2xi1>, vector<2xi1>
// CHECK-NEXT:     %1 = arith.select %arg1, %cst_0, %cst : vector<2xi1>
// CHECK-NEXT:     %2 = arith.select %arg0, %cst_2, %cst_1 : vector<2xi1>, vector<2xi32>
// CHECK-NEXT:     return %0, %1, %2 : vector<2xi1>, vector<2xi1>, vector<2xi32>
// CHECK-NEXT:   }
func.func @of_vectors(%p: vector<2xi1>, %q: i1) -> (vector<2xi1>, vector<2xi1>, vector<2xi32>) {
  %true = arith.constant dense<true> : vector<2xi1>
  %false = arith.constant dense<false> : vector<2xi1>
  %c0 = arith.constant dense<0> : vector<2xi32>
  %c1 = arith.constant dense<1> : vector<2xi32>
  %0 = arith.select %p, %false, %true : vector<2xi1>, vector<2xi1>
  %1 = arith.select %q, %false, %true : vector<2xi1>
  %2 = arith.select %p, %c1, %c0 : vector<2xi1>, vector<2xi32>
  return %0, %1, %2 : vector<2xi1>, vector<2xi1>, vector<2xi32>
}

// CHECK-NEXT:   func.func @not_of_comparisons(%arg0: i32, %arg1: i32) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %0 = arith.cmpi ne, %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = arith.cmpi eq, %arg0, %arg1 : i32
// CHECK-NEXT:     %2 = arith.cmpi sge, %arg0, %arg1 : i32
// CHECK-NEXT:     %3 = arith.cmpi sgt, %arg0, %arg1 : i32
// CHECK-NEXT:     %4 = arith.cmpi sle, %arg0, %arg1 : i32
// CHECK-NEXT:     %5 = arith.cmpi slt, %arg0, %arg1 : i32
// CHECK-NEXT:     %6 = arith.cmpi uge, %arg0, %arg1 : i32
// CHECK-NEXT:     %7 = arith.cmpi ugt, %arg0, %arg1 : i32
// CHECK-NEXT:     %8 = arith.cmpi ule, %arg0, %arg1 : i32
// CHECK-NEXT:     %9 = arith.cmpi ult, %arg0, %arg1 : i32
// CHECK-NEXT:     return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @not_of_comparisons(%a: i32, %b: i32) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %true = arith.constant true
  %eq = arith.cmpi eq, %a, %b : i32
  %ne = arith.cmpi ne, %a, %b : i32
  %slt = arith.cmpi slt, %a, %b : i32
  %sle = arith.cmpi sle, %a, %b : i32
  %sgt = arith.cmpi sgt, %a, %b : i32
  %sge = arith.cmpi sge, %a, %b : i32
  %ult = arith.cmpi ult, %a, %b : i32
  %ule = arith.cmpi ule, %a, %b : i32
  %ugt = arith.cmpi ugt, %a, %b : i32
  %uge = arith.cmpi uge, %a, %b : i32
  %0 = arith.xori %eq, %true : i1
  %1 = arith.xori %ne, %true : i1
  %2 = arith.xori %slt, %true : i1
  %3 = arith.xori %sle, %true : i1
  %4 = arith.xori %sgt, %true : i1
  %5 = arith.xori %sge, %true : i1
  %6 = arith.xori %ult, %true : i1
  %7 = arith.xori %ule, %true : i1
  %8 = arith.xori %ugt, %true : i1
  %9 = arith.xori %uge, %true : i1
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @not_of_vectors(%arg0: vector<2xi32>, %arg1: vector<2xi32>, %arg2: tensor<2xi32>) -> (vector<2xi1>, tensor<2xi1>) {
// CHECK-NEXT:     %cst = arith.constant dense<true> : tensor<2xi1>
// CHECK-NEXT:     %cst_0 = arith.constant dense<true> : vector<2xi1>
// CHECK-NEXT:     %0 = arith.cmpi slt, %arg0, %arg1 : vector<2xi32>
// CHECK-NEXT:     %1 = arith.xori %0, %cst_0 : vector<2xi1>
// CHECK-NEXT:     return %1, %cst : vector<2xi1>, tensor<2xi1>
// CHECK-NEXT:   }
func.func @not_of_vectors(%a: vector<2xi32>, %b: vector<2xi32>, %t: tensor<2xi32>) -> (vector<2xi1>, tensor<2xi1>) {
  %true = arith.constant dense<true> : vector<2xi1>
  %others = arith.constant dense<true> : tensor<2xi1>
  %0 = arith.cmpi slt, %a, %b : vector<2xi32>
  %1 = arith.xori %0, %true : vector<2xi1>
  %2 = arith.cmpi ult, %t, %t : tensor<2xi32>
  %3 = arith.xori %2, %others : tensor<2xi1>
  return %1, %3 : vector<2xi1>, tensor<2xi1>
}

// CHECK-NEXT:   func.func @low_results(%arg0: i32, %arg1: i32) -> (i32, i32, i32, i32, i1) {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = arith.muli %arg0, %arg1 : i32
// CHECK-NEXT:     %2 = arith.muli %arg0, %arg1 : i32
// CHECK-NEXT:     %sum, %overflow = arith.addui_extended %arg1, %arg0 : i32, i1
// CHECK-NEXT:     return %0, %1, %2, %sum, %overflow : i32, i32, i32, i32, i1
// CHECK-NEXT:   }
func.func @low_results(%a: i32, %b: i32) -> (i32, i32, i32, i32, i1) {
  %0, %carry = arith.addui_extended %a, %b : i32, i1
  %1:2 = arith.mulsi_extended %a, %b : i32
  %2:2 = arith.mului_extended %a, %b : i32
  %3, %used = arith.addui_extended %b, %a : i32, i1
  return %0, %1#0, %2#0, %3, %used : i32, i32, i32, i32, i1
}

// CHECK-NEXT:   func.func @product_with_one(%arg0: i32, %arg1: vector<2xi8>, %arg2: tensor<2xi8>, %arg3: i1) -> (i32, i32, vector<2xi8>, tensor<2xi8>, i1) {
// CHECK-NEXT:     %cst = arith.constant dense<0> : tensor<2xi8>
// CHECK-NEXT:     %cst_0 = arith.constant dense<0> : vector<2xi8>
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %0 = arith.cmpi slt, %arg0, %c0_i32 : i32
// CHECK-NEXT:     %1 = arith.extsi %0 : i1 to i32
// CHECK-NEXT:     %2 = arith.cmpi slt, %arg1, %cst_0 : vector<2xi8>
// CHECK-NEXT:     %3 = arith.extsi %2 : vector<2xi1> to vector<2xi8>
// CHECK-NEXT:     %4 = arith.cmpi slt, %arg2, %cst : tensor<2xi8>
// CHECK-NEXT:     %5 = arith.extsi %4 : tensor<2xi1> to tensor<2xi8>
// CHECK-NEXT:     %low, %high = arith.mulsi_extended %arg3, %true : i1
// CHECK-NEXT:     return %arg0, %1, %3, %5, %high : i32, i32, vector<2xi8>, tensor<2xi8>, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @product_with_one(%a: i32, %v: vector<2xi8>, %t: tensor<2xi8>, %p: i1) -> (i32, i32, vector<2xi8>, tensor<2xi8>, i1) {
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1> : vector<2xi8>
  %others = arith.constant dense<1> : tensor<2xi8>
  %true = arith.constant true
  %0:2 = arith.mulsi_extended %a, %one : i32
  %1:2 = arith.mulsi_extended %v, %ones : vector<2xi8>
  %2:2 = arith.mulsi_extended %t, %others : tensor<2xi8>
  // In one bit the constant is minus one.
  %3:2 = arith.mulsi_extended %p, %true : i1
  return %0#0, %0#1, %1#1, %2#1, %3#1 : i32, i32, vector<2xi8>, tensor<2xi8>, i1
}
