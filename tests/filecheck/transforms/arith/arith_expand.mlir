// RUN: xgpu-opt %s --arith-expand | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @division(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = arith.divsi %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = arith.muli %0, %arg1 : i32
// CHECK-NEXT:     %2 = arith.cmpi ne, %arg0, %1 : i32
// CHECK-NEXT:     %3 = arith.cmpi slt, %arg0, %c0_i32 : i32
// CHECK-NEXT:     %4 = arith.cmpi slt, %arg1, %c0_i32 : i32
// CHECK-NEXT:     %5 = arith.cmpi eq, %3, %4 : i1
// CHECK-NEXT:     %6 = arith.andi %2, %5 : i1
// CHECK-NEXT:     %7 = arith.addi %0, %c1_i32 : i32
// CHECK-NEXT:     %8 = arith.select %6, %7, %0 : i32
// CHECK-NEXT:     %c0_i32_0 = arith.constant 0 : i32
// CHECK-NEXT:     %9 = arith.cmpi eq, %arg0, %c0_i32_0 : i32
// CHECK-NEXT:     %c1_i32_1 = arith.constant 1 : i32
// CHECK-NEXT:     %10 = arith.subi %arg0, %c1_i32_1 : i32
// CHECK-NEXT:     %11 = arith.divui %10, %arg1 : i32
// CHECK-NEXT:     %12 = arith.addi %11, %c1_i32_1 : i32
// CHECK-NEXT:     %13 = arith.select %9, %c0_i32_0, %12 : i32
// CHECK-NEXT:     %14 = arith.divsi %arg0, %arg1 : i32
// CHECK-NEXT:     %15 = arith.muli %14, %arg1 : i32
// CHECK-NEXT:     %16 = arith.cmpi ne, %arg0, %15 : i32
// CHECK-NEXT:     %c0_i32_2 = arith.constant 0 : i32
// CHECK-NEXT:     %17 = arith.cmpi slt, %arg0, %c0_i32_2 : i32
// CHECK-NEXT:     %18 = arith.cmpi slt, %arg1, %c0_i32_2 : i32
// CHECK-NEXT:     %19 = arith.cmpi ne, %17, %18 : i1
// CHECK-NEXT:     %20 = arith.andi %16, %19 : i1
// CHECK-NEXT:     %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT:     %21 = arith.addi %14, %c-1_i32 : i32
// CHECK-NEXT:     %22 = arith.select %20, %21, %14 : i32
// CHECK-NEXT:     return %8, %13, %22 : i32, i32, i32
// CHECK-NEXT:   }
func.func @division(%a: i32, %b: i32) -> (i32, i32, i32) {
  %0 = arith.ceildivsi %a, %b : i32
  %1 = arith.ceildivui %a, %b : i32
  %2 = arith.floordivsi %a, %b : i32
  return %0, %1, %2 : i32, i32, i32
}

// CHECK-NEXT:   func.func @index_and_vectors(%arg0: index, %arg1: index, %arg2: vector<[4]xi8>, %arg3: tensor<2xi64>) -> (index, vector<[4]xi8>, tensor<2xi64>) {
// CHECK-NEXT:     %0 = arith.divsi %arg0, %arg1 : index
// CHECK-NEXT:     %1 = arith.muli %0, %arg1 : index
// CHECK-NEXT:     %2 = arith.cmpi ne, %arg0, %1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %3 = arith.cmpi slt, %arg0, %c0 : index
// CHECK-NEXT:     %4 = arith.cmpi slt, %arg1, %c0 : index
// CHECK-NEXT:     %5 = arith.cmpi ne, %3, %4 : i1
// CHECK-NEXT:     %6 = arith.andi %2, %5 : i1
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %7 = arith.addi %0, %c-1 : index
// CHECK-NEXT:     %8 = arith.select %6, %7, %0 : index
// CHECK-NEXT:     %cst = arith.constant dense<0> : vector<[4]xi8>
// CHECK-NEXT:     %9 = arith.cmpi eq, %arg2, %cst : vector<[4]xi8>
// CHECK-NEXT:     %cst_0 = arith.constant dense<1> : vector<[4]xi8>
// CHECK-NEXT:     %10 = arith.subi %arg2, %cst_0 : vector<[4]xi8>
// CHECK-NEXT:     %11 = arith.divui %10, %arg2 : vector<[4]xi8>
// CHECK-NEXT:     %12 = arith.addi %11, %cst_0 : vector<[4]xi8>
// CHECK-NEXT:     %13 = arith.select %9, %cst, %12 : vector<[4]xi1>, vector<[4]xi8>
// CHECK-NEXT:     return %8, %13, %arg3 : index, vector<[4]xi8>, tensor<2xi64>
// CHECK-NEXT:   }
func.func @index_and_vectors(%a: index, %b: index, %v: vector<[4]xi8>, %t: tensor<2xi64>)
    -> (index, vector<[4]xi8>, tensor<2xi64>) {
  %0 = arith.floordivsi %a, %b : index
  %1 = arith.ceildivui %v, %v : vector<[4]xi8>
  %2 = arith.maxsi %t, %t : tensor<2xi64>
  return %0, %1, %2 : index, vector<[4]xi8>, tensor<2xi64>
}

// CHECK-NEXT:   func.func @integer_extremes(%arg0: i32, %arg1: i32) -> (i32, i32, i32, i32) {
// CHECK-NEXT:     %0 = arith.cmpi sgt, %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = arith.select %0, %arg0, %arg1 : i32
// CHECK-NEXT:     %2 = arith.cmpi ugt, %arg0, %arg1 : i32
// CHECK-NEXT:     %3 = arith.select %2, %arg0, %arg1 : i32
// CHECK-NEXT:     %4 = arith.cmpi slt, %arg0, %arg1 : i32
// CHECK-NEXT:     %5 = arith.select %4, %arg0, %arg1 : i32
// CHECK-NEXT:     %6 = arith.cmpi ult, %arg0, %arg1 : i32
// CHECK-NEXT:     %7 = arith.select %6, %arg0, %arg1 : i32
// CHECK-NEXT:     return %1, %3, %5, %7 : i32, i32, i32, i32
// CHECK-NEXT:   }
func.func @integer_extremes(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %0 = arith.maxsi %a, %b : i32
  %1 = arith.maxui %a, %b : i32
  %2 = arith.minsi %a, %b : i32
  %3 = arith.minui %a, %b : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// CHECK-NEXT:   func.func @float_extremes(%arg0: f32, %arg1: f32, %arg2: tensor<?xf32>) -> (f32, f32, f32, f32, tensor<?xf32>) {
// CHECK-NEXT:     %0 = arith.cmpf ugt, %arg0, %arg1 : f32
// CHECK-NEXT:     %1 = arith.select %0, %arg0, %arg1 : f32
// CHECK-NEXT:     %2 = arith.cmpf uno, %arg1, %arg1 : f32
// CHECK-NEXT:     %3 = arith.select %2, %arg1, %1 : f32
// CHECK-NEXT:     %4 = arith.cmpf ult, %arg0, %arg1 : f32
// CHECK-NEXT:     %5 = arith.select %4, %arg0, %arg1 : f32
// CHECK-NEXT:     %6 = arith.cmpf uno, %arg1, %arg1 : f32
// CHECK-NEXT:     %7 = arith.select %6, %arg1, %5 : f32
// CHECK-NEXT:     %8 = arith.cmpf ugt, %arg0, %arg1 : f32
// CHECK-NEXT:     %9 = arith.select %8, %arg0, %arg1 : f32
// CHECK-NEXT:     %10 = arith.cmpf uno, %arg0, %arg0 : f32
// CHECK-NEXT:     %11 = arith.select %10, %arg1, %9 : f32
// CHECK-NEXT:     %12 = arith.cmpf ult, %arg0, %arg1 : f32
// CHECK-NEXT:     %13 = arith.select %12, %arg0, %arg1 : f32
// CHECK-NEXT:     %14 = arith.cmpf uno, %arg0, %arg0 : f32
// CHECK-NEXT:     %15 = arith.select %14, %arg1, %13 : f32
// CHECK-NEXT:     return %3, %7, %11, %15, %arg2 : f32, f32, f32, f32, tensor<?xf32>
// CHECK-NEXT:   }
func.func @float_extremes(%a: f32, %b: f32, %t: tensor<?xf32>)
    -> (f32, f32, f32, f32, tensor<?xf32>) {
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minimumf %a, %b fastmath<nnan> : f32
  %2 = arith.maxnumf %a, %b : f32
  %3 = arith.minnumf %a, %b : f32
  %4 = arith.maxnumf %t, %t : tensor<?xf32>
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, tensor<?xf32>
}

// What folds is not expanded.
// CHECK-NEXT:   func.func @folds() -> i32 {
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     return %c4_i32 : i32
// CHECK-NEXT:   }
func.func @folds() -> i32 {
  %c7 = arith.constant 7 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.ceildivsi %c7, %c2 : i32
  return %0 : i32
}

// CHECK-NEXT:   func.func @scaling(%arg0: f16, %arg1: f16, %arg2: vector<4xf4E2M1FN>, %arg3: vector<4xf8E8M0FNU>) -> (f8E5M2, vector<4xf32>) {
// CHECK-NEXT:     %0 = arith.truncf %arg1 : f16 to f8E8M0FNU
// CHECK-NEXT:     %1 = arith.extf %0 : f8E8M0FNU to f16
// CHECK-NEXT:     %2 = arith.divf %arg0, %1 : f16
// CHECK-NEXT:     %3 = arith.truncf %2 to_nearest_even : f16 to f8E5M2
// CHECK-NEXT:     %4 = arith.extf %arg3 fastmath<fast> : vector<4xf8E8M0FNU> to vector<4xf32>
// CHECK-NEXT:     %5 = arith.extf %arg2 fastmath<fast> : vector<4xf4E2M1FN> to vector<4xf32>
// CHECK-NEXT:     %6 = arith.mulf %5, %4 fastmath<fast> : vector<4xf32>
// CHECK-NEXT:     return %3, %6 : f8E5M2, vector<4xf32>
// CHECK-NEXT:   }
func.func @scaling(%a: f16, %by_f16: f16, %small: vector<4xf4E2M1FN>, %by: vector<4xf8E8M0FNU>)
    -> (f8E5M2, vector<4xf32>) {
  %0 = arith.scaling_truncf %a, %by_f16 to_nearest_even : f16, f16 to f8E5M2
  %1 = arith.scaling_extf %small, %by fastmath<fast>
    : vector<4xf4E2M1FN>, vector<4xf8E8M0FNU> to vector<4xf32>
  return %0, %1 : f8E5M2, vector<4xf32>
}

// Conversions stay without the options that ask for them.
// CHECK-NEXT:   func.func @conversions_stay(%arg0: f32, %arg1: f8E8M0FNU) -> (bf16, f32) {
// CHECK-NEXT:     %0 = arith.truncf %arg0 : f32 to bf16
// CHECK-NEXT:     %1 = arith.extf %arg1 : f8E8M0FNU to f32
// CHECK-NEXT:     return %0, %1 : bf16, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @conversions_stay(%a: f32, %b: f8E8M0FNU) -> (bf16, f32) {
  %0 = arith.truncf %a : f32 to bf16
  %1 = arith.extf %b : f8E8M0FNU to f32
  return %0, %1 : bf16, f32
}
