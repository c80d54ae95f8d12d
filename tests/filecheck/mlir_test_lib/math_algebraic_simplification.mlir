// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --test-math-algebraic-simplification | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @floats(%arg0: f32, %arg1: vector<2xf64>) -> (f32, f32, f32, f32, vector<2xf64>, vector<2xf64>, f32) {
// CHECK-NEXT:     %cst = arith.constant dense<1.000000e+00> : vector<2xf64>
// CHECK-NEXT:     %cst_0 = arith.constant 4.000000e+00 : f32
// CHECK-NEXT:     %cst_1 = arith.constant dense<[2.000000e+00, 3.000000e+00]> : vector<2xf64>
// CHECK-NEXT:     %0 = arith.mulf %arg0, %arg0 fastmath<fast> : f32
// CHECK-NEXT:     %1 = arith.mulf %arg0, %arg0 : f32
// CHECK-NEXT:     %2 = arith.mulf %arg0, %1 : f32
// CHECK-NEXT:     %3 = math.powf %arg0, %cst_0 : f32
// CHECK-NEXT:     %4 = arith.divf %cst, %arg1 fastmath<nnan> : vector<2xf64>
// CHECK-NEXT:     %5 = math.powf %arg1, %cst_1 : vector<2xf64>
// CHECK-NEXT:     %6 = math.sqrt %arg0 : f32
// CHECK-NEXT:     %7 = math.sqrt %6 : f32
// CHECK-NEXT:     %8 = arith.mulf %6, %7 : f32
// CHECK-NEXT:     return %0, %2, %3, %arg0, %4, %5, %8 : f32, f32, f32, f32, vector<2xf64>, vector<2xf64>, f32
// CHECK-NEXT:   }
func.func @floats(%a: f32, %v: vector<2xf64>) -> (f32, f32, f32, f32, vector<2xf64>, vector<2xf64>, f32) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %four = arith.constant 4.0 : f32
  %one = arith.constant 1.0 : f32
  %inverse = arith.constant dense<-1.0> : vector<2xf64>
  %mixed = arith.constant dense<[2.0, 3.0]> : vector<2xf64>
  %part = arith.constant 0.75 : f32
  %0 = math.powf %a, %two fastmath<fast> : f32
  %1 = math.powf %a, %three : f32
  %2 = math.powf %a, %four : f32
  %3 = math.powf %a, %one : f32
  %4 = math.powf %v, %inverse fastmath<nnan> : vector<2xf64>
  %5 = math.powf %v, %mixed : vector<2xf64>
  %6 = math.powf %a, %part : f32
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, vector<2xf64>, vector<2xf64>, f32
}

// CHECK-NEXT:   func.func @roots(%arg0: f16) -> (f16, f16) {
// CHECK-NEXT:     %0 = math.sqrt %arg0 : f16
// CHECK-NEXT:     %1 = math.rsqrt %arg0 : f16
// CHECK-NEXT:     return %0, %1 : f16, f16
// CHECK-NEXT:   }
func.func @roots(%a: f16) -> (f16, f16) {
  %half = arith.constant 0.5 : f16
  %less = arith.constant -0.5 : f16
  %0 = math.powf %a, %half : f16
  %1 = math.powf %a, %less : f16
  return %0, %1 : f16, f16
}

// CHECK-NEXT:   func.func @integers(%arg0: index, %arg1: vector<3xi16>) -> (index, vector<3xi16>, vector<3xi16>) {
// CHECK-NEXT:     %cst = arith.constant dense<1> : vector<3xi16>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = arith.muli %arg0, %arg0 : index
// CHECK-NEXT:     %1 = arith.muli %0, %arg0 : index
// CHECK-NEXT:     %2 = arith.divsi %c1, %1 : index
// CHECK-NEXT:     %3 = arith.muli %arg1, %arg1 : vector<3xi16>
// CHECK-NEXT:     return %2, %cst, %3 : index, vector<3xi16>, vector<3xi16>
// CHECK-NEXT:   }
func.func @integers(%i: index, %v: vector<3xi16>) -> (index, vector<3xi16>, vector<3xi16>) {
  %c = arith.constant -3 : index
  %zero = arith.constant dense<0> : vector<3xi16>
  %two = arith.constant dense<2> : vector<3xi16>
  %0 = math.ipowi %i, %c : index
  %1 = math.ipowi %v, %zero : vector<3xi16>
  %2 = math.ipowi %v, %two : vector<3xi16>
  return %0, %1, %2 : index, vector<3xi16>, vector<3xi16>
}

// Up to the eighth power there are products.
// CHECK-NEXT:   func.func @limit(%arg0: f32) -> (f32, f32, f32) {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %c9_i32 = arith.constant 9 : i32
// CHECK-NEXT:     %0 = arith.mulf %arg0, %arg0 : f32
// CHECK-NEXT:     %1 = arith.mulf %0, %arg0 : f32
// CHECK-NEXT:     %2 = arith.mulf %1, %arg0 : f32
// CHECK-NEXT:     %3 = arith.mulf %2, %arg0 : f32
// CHECK-NEXT:     %4 = arith.mulf %3, %arg0 : f32
// CHECK-NEXT:     %5 = arith.mulf %4, %arg0 : f32
// CHECK-NEXT:     %6 = arith.mulf %5, %arg0 : f32
// CHECK-NEXT:     %7 = arith.mulf %arg0, %arg0 : f32
// CHECK-NEXT:     %8 = arith.mulf %7, %arg0 : f32
// CHECK-NEXT:     %9 = arith.mulf %8, %arg0 : f32
// CHECK-NEXT:     %10 = arith.mulf %9, %arg0 : f32
// CHECK-NEXT:     %11 = arith.mulf %10, %arg0 : f32
// CHECK-NEXT:     %12 = arith.mulf %11, %arg0 : f32
// CHECK-NEXT:     %13 = arith.mulf %12, %arg0 : f32
// CHECK-NEXT:     %14 = arith.divf %cst, %13 : f32
// CHECK-NEXT:     %15 = math.fpowi %arg0, %c9_i32 : f32, i32
// CHECK-NEXT:     return %6, %14, %15 : f32, f32, f32
// CHECK-NEXT:   }
func.func @limit(%a: f32) -> (f32, f32, f32) {
  %eight = arith.constant 8 : i32
  %less = arith.constant -8 : i32
  %nine = arith.constant 9 : i32
  %0 = math.fpowi %a, %eight fastmath<fast> : f32, i32
  %1 = math.fpowi %a, %less : f32, i32
  %2 = math.fpowi %a, %nine : f32, i32
  return %0, %1, %2 : f32, f32, f32
}

// CHECK-NEXT:   func.func @complex(%arg0: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %0 = complex.mul %arg0, %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %1 = complex.mul %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %2 = complex.div %cst, %1 : complex<f32>
// CHECK-NEXT:     return %cst, %0, %2 : complex<f32>, complex<f32>, complex<f32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @complex(%a: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %less = arith.constant -2 : i32
  %0 = complex.powi %a, %zero : complex<f32>, i32
  %1 = complex.powi %a, %two fastmath<fast> : complex<f32>, i32
  %2 = complex.powi %a, %less : complex<f32>, i32
  return %0, %1, %2 : complex<f32>, complex<f32>, complex<f32>
}
