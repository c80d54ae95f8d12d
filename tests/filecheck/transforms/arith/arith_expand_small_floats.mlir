// RUN: xgpu-opt %s --arith-expand="include-bf16=true include-f8e8m0=true include-f4e2m1=true" | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --arith-expand=include-bf16 | filecheck %s --check-prefix=BF16 --match-full-lines
// RUN: xgpu-opt %s --arith-expand=include-f8e8m0 | filecheck %s --check-prefix=F8 --match-full-lines
// RUN: xgpu-opt %s --arith-expand=include-f4e2m1 | filecheck %s --check-prefix=F4 --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @to_bf16(%arg0: f32, %arg1: f64) -> (bf16, bf16) {
// CHECK-NEXT:     %0 = arith.cmpf une, %arg0, %arg0 : f32
// CHECK-NEXT:     %c32767_i32 = arith.constant 32767 : i32
// CHECK-NEXT:     %c32704_i16 = arith.constant 32704 : i16
// CHECK-NEXT:     %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %1 = arith.bitcast %arg0 : f32 to i32
// CHECK-NEXT:     %2 = arith.shrui %1, %c16_i32 : i32
// CHECK-NEXT:     %3 = arith.andi %2, %c1_i32 : i32
// CHECK-NEXT:     %4 = arith.addi %3, %c32767_i32 : i32
// CHECK-NEXT:     %5 = arith.addi %1, %4 : i32
// CHECK-NEXT:     %6 = arith.shrui %5, %c16_i32 : i32
// CHECK-NEXT:     %7 = arith.trunci %6 : i32 to i16
// CHECK-NEXT:     %8 = arith.select %0, %c32704_i16, %7 : i16
// CHECK-NEXT:     %9 = arith.bitcast %8 : i16 to bf16
// CHECK-NEXT:     %10 = arith.truncf %arg1 : f64 to bf16
// CHECK-NEXT:     return %9, %10 : bf16, bf16
// CHECK-NEXT:   }
// BF16: module {
// BF16-NEXT:   func.func @to_bf16(%arg0: f32, %arg1: f64) -> (bf16, bf16) {
// BF16-NEXT:     %0 = arith.cmpf une, %arg0, %arg0 : f32
// BF16-NEXT:     %c32767_i32 = arith.constant 32767 : i32
// BF16-NEXT:     %c32704_i16 = arith.constant 32704 : i16
// BF16-NEXT:     %c16_i32 = arith.constant 16 : i32
// BF16-NEXT:     %c1_i32 = arith.constant 1 : i32
// BF16-NEXT:     %1 = arith.bitcast %arg0 : f32 to i32
// BF16-NEXT:     %2 = arith.shrui %1, %c16_i32 : i32
// BF16-NEXT:     %3 = arith.andi %2, %c1_i32 : i32
// BF16-NEXT:     %4 = arith.addi %3, %c32767_i32 : i32
// BF16-NEXT:     %5 = arith.addi %1, %4 : i32
// BF16-NEXT:     %6 = arith.shrui %5, %c16_i32 : i32
// BF16-NEXT:     %7 = arith.trunci %6 : i32 to i16
// BF16-NEXT:     %8 = arith.select %0, %c32704_i16, %7 : i16
// BF16-NEXT:     %9 = arith.bitcast %8 : i16 to bf16
// BF16-NEXT:     %10 = arith.truncf %arg1 : f64 to bf16
// BF16-NEXT:     return %9, %10 : bf16, bf16
// BF16-NEXT:   }
// F8: module {
// F8-NEXT:   func.func @to_bf16(%arg0: f32, %arg1: f64) -> (bf16, bf16) {
// F8-NEXT:     %0 = arith.truncf %arg0 : f32 to bf16
// F8-NEXT:     %1 = arith.truncf %arg1 : f64 to bf16
// F8-NEXT:     return %0, %1 : bf16, bf16
// F8-NEXT:   }
// F4: module {
// F4-NEXT:   func.func @to_bf16(%arg0: f32, %arg1: f64) -> (bf16, bf16) {
// F4-NEXT:     %0 = arith.truncf %arg0 : f32 to bf16
// F4-NEXT:     %1 = arith.truncf %arg1 : f64 to bf16
// F4-NEXT:     return %0, %1 : bf16, bf16
// F4-NEXT:   }
func.func @to_bf16(%a: f32, %wide: f64) -> (bf16, bf16) {
  %0 = arith.truncf %a : f32 to bf16
  %1 = arith.truncf %wide : f64 to bf16
  return %0, %1 : bf16, bf16
}

// CHECK-NEXT:   func.func @from_bf16(%arg0: vector<[4]xbf16>, %arg1: bf16) -> (vector<[4]xf32>, f64) {
// CHECK-NEXT:     %0 = arith.bitcast %arg0 : vector<[4]xbf16> to vector<[4]xi16>
// CHECK-NEXT:     %1 = arith.extui %0 : vector<[4]xi16> to vector<[4]xi32>
// CHECK-NEXT:     %cst = arith.constant dense<16> : vector<[4]xi32>
// CHECK-NEXT:     %2 = arith.shli %1, %cst : vector<[4]xi32>
// CHECK-NEXT:     %3 = arith.bitcast %2 : vector<[4]xi32> to vector<[4]xf32>
// CHECK-NEXT:     %4 = arith.extf %arg1 : bf16 to f64
// CHECK-NEXT:     return %3, %4 : vector<[4]xf32>, f64
// CHECK-NEXT:   }
// BF16-NEXT:   func.func @from_bf16(%arg0: vector<[4]xbf16>, %arg1: bf16) -> (vector<[4]xf32>, f64) {
// BF16-NEXT:     %0 = arith.bitcast %arg0 : vector<[4]xbf16> to vector<[4]xi16>
// BF16-NEXT:     %1 = arith.extui %0 : vector<[4]xi16> to vector<[4]xi32>
// BF16-NEXT:     %cst = arith.constant dense<16> : vector<[4]xi32>
// BF16-NEXT:     %2 = arith.shli %1, %cst : vector<[4]xi32>
// BF16-NEXT:     %3 = arith.bitcast %2 : vector<[4]xi32> to vector<[4]xf32>
// BF16-NEXT:     %4 = arith.extf %arg1 : bf16 to f64
// BF16-NEXT:     return %3, %4 : vector<[4]xf32>, f64
// BF16-NEXT:   }
// F8-NEXT:   func.func @from_bf16(%arg0: vector<[4]xbf16>, %arg1: bf16) -> (vector<[4]xf32>, f64) {
// F8-NEXT:     %0 = arith.extf %arg0 : vector<[4]xbf16> to vector<[4]xf32>
// F8-NEXT:     %1 = arith.extf %arg1 : bf16 to f64
// F8-NEXT:     return %0, %1 : vector<[4]xf32>, f64
// F8-NEXT:   }
// F4-NEXT:   func.func @from_bf16(%arg0: vector<[4]xbf16>, %arg1: bf16) -> (vector<[4]xf32>, f64) {
// F4-NEXT:     %0 = arith.extf %arg0 : vector<[4]xbf16> to vector<[4]xf32>
// F4-NEXT:     %1 = arith.extf %arg1 : bf16 to f64
// F4-NEXT:     return %0, %1 : vector<[4]xf32>, f64
// F4-NEXT:   }
func.func @from_bf16(%a: vector<[4]xbf16>, %b: bf16) -> (vector<[4]xf32>, f64) {
  %0 = arith.extf %a : vector<[4]xbf16> to vector<[4]xf32>
  %1 = arith.extf %b : bf16 to f64
  return %0, %1 : vector<[4]xf32>, f64
}

// CHECK-NEXT:   func.func @to_f8e8m0(%arg0: f32, %arg1: f64, %arg2: tensor<4xf16>) -> (f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>) {
// CHECK-NEXT:     %0 = arith.bitcast %arg0 : f32 to i32
// CHECK-NEXT:     %c23_i32 = arith.constant 23 : i32
// CHECK-NEXT:     %1 = arith.shrui %0, %c23_i32 : i32
// CHECK-NEXT:     %2 = arith.trunci %1 : i32 to i8
// CHECK-NEXT:     %3 = arith.bitcast %2 : i8 to f8E8M0FNU
// CHECK-NEXT:     %4 = arith.truncf %arg1 fastmath<nnan> : f64 to f32
// CHECK-NEXT:     %5 = arith.bitcast %4 : f32 to i32
// CHECK-NEXT:     %c23_i32_0 = arith.constant 23 : i32
// CHECK-NEXT:     %6 = arith.shrui %5, %c23_i32_0 : i32
// CHECK-NEXT:     %7 = arith.trunci %6 : i32 to i8
// CHECK-NEXT:     %8 = arith.bitcast %7 : i8 to f8E8M0FNU
// CHECK-NEXT:     %9 = arith.extf %arg2 : tensor<4xf16> to tensor<4xf32>
// CHECK-NEXT:     %10 = arith.bitcast %9 : tensor<4xf32> to tensor<4xi32>
// CHECK-NEXT:     %cst = arith.constant dense<23> : tensor<4xi32>
// CHECK-NEXT:     %11 = arith.shrui %10, %cst : tensor<4xi32>
// CHECK-NEXT:     %12 = arith.trunci %11 : tensor<4xi32> to tensor<4xi8>
// CHECK-NEXT:     %13 = arith.bitcast %12 : tensor<4xi8> to tensor<4xf8E8M0FNU>
// CHECK-NEXT:     return %3, %8, %13 : f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>
// CHECK-NEXT:   }
// BF16-NEXT:   func.func @to_f8e8m0(%arg0: f32, %arg1: f64, %arg2: tensor<4xf16>) -> (f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>) {
// BF16-NEXT:     %0 = arith.truncf %arg0 : f32 to f8E8M0FNU
// BF16-NEXT:     %1 = arith.truncf %arg1 fastmath<nnan> : f64 to f8E8M0FNU
// BF16-NEXT:     %2 = arith.truncf %arg2 : tensor<4xf16> to tensor<4xf8E8M0FNU>
// BF16-NEXT:     return %0, %1, %2 : f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>
// BF16-NEXT:   }
// F8-NEXT:   func.func @to_f8e8m0(%arg0: f32, %arg1: f64, %arg2: tensor<4xf16>) -> (f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>) {
// F8-NEXT:     %0 = arith.bitcast %arg0 : f32 to i32
// F8-NEXT:     %c23_i32 = arith.constant 23 : i32
// F8-NEXT:     %1 = arith.shrui %0, %c23_i32 : i32
// F8-NEXT:     %2 = arith.trunci %1 : i32 to i8
// F8-NEXT:     %3 = arith.bitcast %2 : i8 to f8E8M0FNU
// F8-NEXT:     %4 = arith.truncf %arg1 fastmath<nnan> : f64 to f32
// F8-NEXT:     %5 = arith.bitcast %4 : f32 to i32
// F8-NEXT:     %c23_i32_0 = arith.constant 23 : i32
// F8-NEXT:     %6 = arith.shrui %5, %c23_i32_0 : i32
// F8-NEXT:     %7 = arith.trunci %6 : i32 to i8
// F8-NEXT:     %8 = arith.bitcast %7 : i8 to f8E8M0FNU
// F8-NEXT:     %9 = arith.extf %arg2 : tensor<4xf16> to tensor<4xf32>
// F8-NEXT:     %10 = arith.bitcast %9 : tensor<4xf32> to tensor<4xi32>
// F8-NEXT:     %cst = arith.constant dense<23> : tensor<4xi32>
// F8-NEXT:     %11 = arith.shrui %10, %cst : tensor<4xi32>
// F8-NEXT:     %12 = arith.trunci %11 : tensor<4xi32> to tensor<4xi8>
// F8-NEXT:     %13 = arith.bitcast %12 : tensor<4xi8> to tensor<4xf8E8M0FNU>
// F8-NEXT:     return %3, %8, %13 : f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>
// F8-NEXT:   }
// F4-NEXT:   func.func @to_f8e8m0(%arg0: f32, %arg1: f64, %arg2: tensor<4xf16>) -> (f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>) {
// F4-NEXT:     %0 = arith.truncf %arg0 : f32 to f8E8M0FNU
// F4-NEXT:     %1 = arith.truncf %arg1 fastmath<nnan> : f64 to f8E8M0FNU
// F4-NEXT:     %2 = arith.truncf %arg2 : tensor<4xf16> to tensor<4xf8E8M0FNU>
// F4-NEXT:     return %0, %1, %2 : f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>
// F4-NEXT:   }
func.func @to_f8e8m0(%a: f32, %wide: f64, %v: tensor<4xf16>)
    -> (f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>) {
  %0 = arith.truncf %a : f32 to f8E8M0FNU
  %1 = arith.truncf %wide fastmath<nnan> : f64 to f8E8M0FNU
  %2 = arith.truncf %v : tensor<4xf16> to tensor<4xf8E8M0FNU>
  return %0, %1, %2 : f8E8M0FNU, f8E8M0FNU, tensor<4xf8E8M0FNU>
}

// CHECK-NEXT:   func.func @from_f8e8m0(%arg0: f8E8M0FNU) -> (f16, f32, f64) {
// CHECK-NEXT:     %0 = arith.bitcast %arg0 : f8E8M0FNU to i8
// CHECK-NEXT:     %c-1_i8 = arith.constant -1 : i8
// CHECK-NEXT:     %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT:     %c23_i32 = arith.constant 23 : i32
// CHECK-NEXT:     %1 = arith.extui %0 : i8 to i32
// CHECK-NEXT:     %2 = arith.shli %1, %c23_i32 : i32
// CHECK-NEXT:     %3 = arith.cmpi eq, %0, %c-1_i8 : i8
// CHECK-NEXT:     %4 = arith.select %3, %c-1_i32, %2 : i32
// CHECK-NEXT:     %5 = arith.bitcast %4 : i32 to f32
// CHECK-NEXT:     %6 = arith.truncf %5 : f32 to f16
// CHECK-NEXT:     %7 = arith.bitcast %arg0 : f8E8M0FNU to i8
// CHECK-NEXT:     %c-1_i8_0 = arith.constant -1 : i8
// CHECK-NEXT:     %c-1_i32_1 = arith.constant -1 : i32
// CHECK-NEXT:     %c23_i32_2 = arith.constant 23 : i32
// CHECK-NEXT:     %8 = arith.extui %7 : i8 to i32
// CHECK-NEXT:     %9 = arith.shli %8, %c23_i32_2 : i32
// CHECK-NEXT:     %10 = arith.cmpi eq, %7, %c-1_i8_0 : i8
// CHECK-NEXT:     %11 = arith.select %10, %c-1_i32_1, %9 : i32
// CHECK-NEXT:     %12 = arith.bitcast %11 : i32 to f32
// CHECK-NEXT:     %13 = arith.bitcast %arg0 : f8E8M0FNU to i8
// CHECK-NEXT:     %c-1_i8_3 = arith.constant -1 : i8
// CHECK-NEXT:     %c-1_i32_4 = arith.constant -1 : i32
// CHECK-NEXT:     %c23_i32_5 = arith.constant 23 : i32
// CHECK-NEXT:     %14 = arith.extui %13 : i8 to i32
// CHECK-NEXT:     %15 = arith.shli %14, %c23_i32_5 : i32
// CHECK-NEXT:     %16 = arith.cmpi eq, %13, %c-1_i8_3 : i8
// CHECK-NEXT:     %17 = arith.select %16, %c-1_i32_4, %15 : i32
// CHECK-NEXT:     %18 = arith.bitcast %17 : i32 to f32
// CHECK-NEXT:     %19 = arith.extf %18 fastmath<nnan> : f32 to f64
// CHECK-NEXT:     return %6, %12, %19 : f16, f32, f64
// CHECK-NEXT:   }
// BF16-NEXT:   func.func @from_f8e8m0(%arg0: f8E8M0FNU) -> (f16, f32, f64) {
// BF16-NEXT:     %0 = arith.extf %arg0 : f8E8M0FNU to f16
// BF16-NEXT:     %1 = arith.extf %arg0 : f8E8M0FNU to f32
// BF16-NEXT:     %2 = arith.extf %arg0 fastmath<nnan> : f8E8M0FNU to f64
// BF16-NEXT:     return %0, %1, %2 : f16, f32, f64
// BF16-NEXT:   }
// F8-NEXT:   func.func @from_f8e8m0(%arg0: f8E8M0FNU) -> (f16, f32, f64) {
// F8-NEXT:     %0 = arith.bitcast %arg0 : f8E8M0FNU to i8
// F8-NEXT:     %c-1_i8 = arith.constant -1 : i8
// F8-NEXT:     %c-1_i32 = arith.constant -1 : i32
// F8-NEXT:     %c23_i32 = arith.constant 23 : i32
// F8-NEXT:     %1 = arith.extui %0 : i8 to i32
// F8-NEXT:     %2 = arith.shli %1, %c23_i32 : i32
// F8-NEXT:     %3 = arith.cmpi eq, %0, %c-1_i8 : i8
// F8-NEXT:     %4 = arith.select %3, %c-1_i32, %2 : i32
// F8-NEXT:     %5 = arith.bitcast %4 : i32 to f32
// F8-NEXT:     %6 = arith.truncf %5 : f32 to f16
// F8-NEXT:     %7 = arith.bitcast %arg0 : f8E8M0FNU to i8
// F8-NEXT:     %c-1_i8_0 = arith.constant -1 : i8
// F8-NEXT:     %c-1_i32_1 = arith.constant -1 : i32
// F8-NEXT:     %c23_i32_2 = arith.constant 23 : i32
// F8-NEXT:     %8 = arith.extui %7 : i8 to i32
// F8-NEXT:     %9 = arith.shli %8, %c23_i32_2 : i32
// F8-NEXT:     %10 = arith.cmpi eq, %7, %c-1_i8_0 : i8
// F8-NEXT:     %11 = arith.select %10, %c-1_i32_1, %9 : i32
// F8-NEXT:     %12 = arith.bitcast %11 : i32 to f32
// F8-NEXT:     %13 = arith.bitcast %arg0 : f8E8M0FNU to i8
// F8-NEXT:     %c-1_i8_3 = arith.constant -1 : i8
// F8-NEXT:     %c-1_i32_4 = arith.constant -1 : i32
// F8-NEXT:     %c23_i32_5 = arith.constant 23 : i32
// F8-NEXT:     %14 = arith.extui %13 : i8 to i32
// F8-NEXT:     %15 = arith.shli %14, %c23_i32_5 : i32
// F8-NEXT:     %16 = arith.cmpi eq, %13, %c-1_i8_3 : i8
// F8-NEXT:     %17 = arith.select %16, %c-1_i32_4, %15 : i32
// F8-NEXT:     %18 = arith.bitcast %17 : i32 to f32
// F8-NEXT:     %19 = arith.extf %18 fastmath<nnan> : f32 to f64
// F8-NEXT:     return %6, %12, %19 : f16, f32, f64
// F8-NEXT:   }
// F4-NEXT:   func.func @from_f8e8m0(%arg0: f8E8M0FNU) -> (f16, f32, f64) {
// F4-NEXT:     %0 = arith.extf %arg0 : f8E8M0FNU to f16
// F4-NEXT:     %1 = arith.extf %arg0 : f8E8M0FNU to f32
// F4-NEXT:     %2 = arith.extf %arg0 fastmath<nnan> : f8E8M0FNU to f64
// F4-NEXT:     return %0, %1, %2 : f16, f32, f64
// F4-NEXT:   }
func.func @from_f8e8m0(%a: f8E8M0FNU) -> (f16, f32, f64) {
  %0 = arith.extf %a : f8E8M0FNU to f16
  %1 = arith.extf %a : f8E8M0FNU to f32
  %2 = arith.extf %a fastmath<nnan> : f8E8M0FNU to f64
  return %0, %1, %2 : f16, f32, f64
}

// CHECK-NEXT:   func.func @to_f4e2m1(%arg0: f32, %arg1: vector<2xbf16>) -> (f4E2M1FN, vector<2xf4E2M1FN>) {
// CHECK-NEXT:     %c1_i4 = arith.constant 1 : i4
// CHECK-NEXT:     %c3_i4 = arith.constant 3 : i4
// CHECK-NEXT:     %c22_i32 = arith.constant 22 : i32
// CHECK-NEXT:     %c0_i8 = arith.constant 0 : i8
// CHECK-NEXT:     %c-1_i8 = arith.constant -1 : i8
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %cst = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:     %cst_0 = arith.constant -6.000000e+00 : f32
// CHECK-NEXT:     %0 = arith.cmpf ult, %arg0, %cst : f32
// CHECK-NEXT:     %1 = arith.select %0, %arg0, %cst : f32
// CHECK-NEXT:     %2 = arith.cmpf uno, %arg0, %arg0 : f32
// CHECK-NEXT:     %3 = arith.select %2, %cst, %1 : f32
// CHECK-NEXT:     %4 = arith.cmpf ugt, %3, %cst_0 : f32
// CHECK-NEXT:     %5 = arith.select %4, %3, %cst_0 : f32
// CHECK-NEXT:     %6 = arith.cmpf uno, %3, %3 : f32
// CHECK-NEXT:     %7 = arith.select %6, %cst_0, %5 : f32
// CHECK-NEXT:     %8 = arith.bitcast %7 : f32 to i32
// CHECK-NEXT:     %c31_i32 = arith.constant 31 : i32
// CHECK-NEXT:     %9 = arith.shrui %8, %c31_i32 : i32
// CHECK-NEXT:     %10 = arith.trunci %9 : i32 to i4
// CHECK-NEXT:     %11 = arith.shli %10, %c3_i4 : i4
// CHECK-NEXT:     %c126_i32 = arith.constant 126 : i32
// CHECK-NEXT:     %c23_i32 = arith.constant 23 : i32
// CHECK-NEXT:     %12 = arith.shrui %8, %c23_i32 : i32
// CHECK-NEXT:     %13 = arith.subi %12, %c126_i32 : i32
// CHECK-NEXT:     %14 = arith.trunci %13 : i32 to i4
// CHECK-NEXT:     %15 = arith.shli %14, %c1_i4 : i4
// CHECK-NEXT:     %16 = arith.addi %11, %15 : i4
// CHECK-NEXT:     %c4194304_i32 = arith.constant 4194304 : i32
// CHECK-NEXT:     %17 = arith.andi %8, %c4194304_i32 : i32
// CHECK-NEXT:     %18 = arith.shrui %17, %c22_i32 : i32
// CHECK-NEXT:     %19 = arith.trunci %18 : i32 to i4
// CHECK-NEXT:     %20 = arith.addi %16, %19 : i4
// CHECK-NEXT:     %c8388607_i32 = arith.constant 8388607 : i32
// CHECK-NEXT:     %21 = arith.trunci %13 : i32 to i8
// CHECK-NEXT:     %22 = arith.cmpi sle, %21, %c0_i8 : i8
// CHECK-NEXT:     %23 = arith.cmpi eq, %21, %c-1_i8 : i8
// CHECK-NEXT:     %24 = arith.andi %8, %c8388607_i32 : i32
// CHECK-NEXT:     %25 = arith.cmpi ugt, %24, %c0_i32 : i32
// CHECK-NEXT:     %26 = arith.andi %23, %25 : i1
// CHECK-NEXT:     %27 = arith.cmpi eq, %21, %c0_i8 : i8
// CHECK-NEXT:     %c-1_i4 = arith.constant -1 : i4
// CHECK-NEXT:     %c0_i4 = arith.constant 0 : i4
// CHECK-NEXT:     %28 = arith.select %22, %c-1_i4, %20 : i4
// CHECK-NEXT:     %29 = arith.select %26, %c0_i4, %28 : i4
// CHECK-NEXT:     %30 = arith.select %27, %20, %29 : i4
// CHECK-NEXT:     %c4194303_i32 = arith.constant 4194303 : i32
// CHECK-NEXT:     %c2097152_i32 = arith.constant 2097152 : i32
// CHECK-NEXT:     %31 = arith.andi %8, %c4194303_i32 : i32
// CHECK-NEXT:     %32 = arith.cmpi uge, %31, %c2097152_i32 : i32
// CHECK-NEXT:     %33 = arith.ori %32, %22 : i1
// CHECK-NEXT:     %34 = arith.addi %30, %c1_i4 : i4
// CHECK-NEXT:     %35 = arith.select %33, %34, %30 : i4
// CHECK-NEXT:     %36 = arith.bitcast %35 : i4 to f4E2M1FN
// CHECK-NEXT:     %37 = arith.bitcast %arg1 : vector<2xbf16> to vector<2xi16>
// CHECK-NEXT:     %38 = arith.extui %37 : vector<2xi16> to vector<2xi32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<16> : vector<2xi32>
// CHECK-NEXT:     %39 = arith.shli %38, %cst_1 : vector<2xi32>
// CHECK-NEXT:     %40 = arith.bitcast %39 : vector<2xi32> to vector<2xf32>
// CHECK-NEXT:     %cst_2 = arith.constant dense<1> : vector<2xi4>
// CHECK-NEXT:     %cst_3 = arith.constant dense<3> : vector<2xi4>
// CHECK-NEXT:     %cst_4 = arith.constant dense<22> : vector<2xi32>
// CHECK-NEXT:     %cst_5 = arith.constant dense<0> : vector<2xi8>
// CHECK-NEXT:     %cst_6 = arith.constant dense<-1> : vector<2xi8>
// CHECK-NEXT:     %cst_7 = arith.constant dense<0> : vector<2xi32>
// CHECK-NEXT:     %cst_8 = arith.constant dense<6.000000e+00> : vector<2xf32>
// CHECK-NEXT:     %cst_9 = arith.constant dense<-6.000000e+00> : vector<2xf32>
// CHECK-NEXT:     %41 = arith.cmpf ult, %40, %cst_8 : vector<2xf32>
// CHECK-NEXT:     %42 = arith.select %41, %40, %cst_8 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:     %43 = arith.cmpf uno, %40, %40 : vector<2xf32>
// CHECK-NEXT:     %44 = arith.select %43, %cst_8, %42 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:     %45 = arith.cmpf ugt, %44, %cst_9 : vector<2xf32>
// CHECK-NEXT:     %46 = arith.select %45, %44, %cst_9 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:     %47 = arith.cmpf uno, %44, %44 : vector<2xf32>
// CHECK-NEXT:     %48 = arith.select %47, %cst_9, %46 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:     %49 = arith.bitcast %48 : vector<2xf32> to vector<2xi32>
// CHECK-NEXT:     %cst_10 = arith.constant dense<31> : vector<2xi32>
// CHECK-NEXT:     %50 = arith.shrui %49, %cst_10 : vector<2xi32>
// CHECK-NEXT:     %51 = arith.trunci %50 : vector<2xi32> to vector<2xi4>
// CHECK-NEXT:     %52 = arith.shli %51, %cst_3 : vector<2xi4>
// CHECK-NEXT:     %cst_11 = arith.constant dense<126> : vector<2xi32>
// CHECK-NEXT:     %cst_12 = arith.constant dense<23> : vector<2xi32>
// CHECK-NEXT:     %53 = arith.shrui %49, %cst_12 : vector<2xi32>
// CHECK-NEXT:     %54 = arith.subi %53, %cst_11 : vector<2xi32>
// CHECK-NEXT:     %55 = arith.trunci %54 : vector<2xi32> to vector<2xi4>
// CHECK-NEXT:     %56 = arith.shli %55, %cst_2 : vector<2xi4>
// CHECK-NEXT:     %57 = arith.addi %52, %56 : vector<2xi4>
// CHECK-NEXT:     %cst_13 = arith.constant dense<4194304> : vector<2xi32>
// CHECK-NEXT:     %58 = arith.andi %49, %cst_13 : vector<2xi32>
// CHECK-NEXT:     %59 = arith.shrui %58, %cst_4 : vector<2xi32>
// CHECK-NEXT:     %60 = arith.trunci %59 : vector<2xi32> to vector<2xi4>
// CHECK-NEXT:     %61 = arith.addi %57, %60 : vector<2xi4>
// CHECK-NEXT:     %cst_14 = arith.constant dense<8388607> : vector<2xi32>
// CHECK-NEXT:     %62 = arith.trunci %54 : vector<2xi32> to vector<2xi8>
// CHECK-NEXT:     %63 = arith.cmpi sle, %62, %cst_5 : vector<2xi8>
// CHECK-NEXT:     %64 = arith.cmpi eq, %62, %cst_6 : vector<2xi8>
// CHECK-NEXT:     %65 = arith.andi %49, %cst_14 : vector<2xi32>
// CHECK-NEXT:     %66 = arith.cmpi ugt, %65, %cst_7 : vector<2xi32>
// CHECK-NEXT:     %67 = arith.andi %64, %66 : vector<2xi1>
// CHECK-NEXT:     %68 = arith.cmpi eq, %62, %cst_5 : vector<2xi8>
// CHECK-NEXT:     %cst_15 = arith.constant dense<-1> : vector<2xi4>
// CHECK-NEXT:     %cst_16 = arith.constant dense<0> : vector<2xi4>
// CHECK-NEXT:     %69 = arith.select %63, %cst_15, %61 : vector<2xi1>, vector<2xi4>
// CHECK-NEXT:     %70 = arith.select %67, %cst_16, %69 : vector<2xi1>, vector<2xi4>
// CHECK-NEXT:     %71 = arith.select %68, %61, %70 : vector<2xi1>, vector<2xi4>
// CHECK-NEXT:     %cst_17 = arith.constant dense<4194303> : vector<2xi32>
// CHECK-NEXT:     %cst_18 = arith.constant dense<2097152> : vector<2xi32>
// CHECK-NEXT:     %72 = arith.andi %49, %cst_17 : vector<2xi32>
// CHECK-NEXT:     %73 = arith.cmpi uge, %72, %cst_18 : vector<2xi32>
// CHECK-NEXT:     %74 = arith.ori %73, %63 : vector<2xi1>
// CHECK-NEXT:     %75 = arith.addi %71, %cst_2 : vector<2xi4>
// CHECK-NEXT:     %76 = arith.select %74, %75, %71 : vector<2xi1>, vector<2xi4>
// CHECK-NEXT:     %77 = arith.bitcast %76 : vector<2xi4> to vector<2xf4E2M1FN>
// CHECK-NEXT:     return %36, %77 : f4E2M1FN, vector<2xf4E2M1FN>
// CHECK-NEXT:   }
// BF16-NEXT:   func.func @to_f4e2m1(%arg0: f32, %arg1: vector<2xbf16>) -> (f4E2M1FN, vector<2xf4E2M1FN>) {
// BF16-NEXT:     %0 = arith.truncf %arg0 : f32 to f4E2M1FN
// BF16-NEXT:     %1 = arith.truncf %arg1 fastmath<fast> : vector<2xbf16> to vector<2xf4E2M1FN>
// BF16-NEXT:     return %0, %1 : f4E2M1FN, vector<2xf4E2M1FN>
// BF16-NEXT:   }
// F8-NEXT:   func.func @to_f4e2m1(%arg0: f32, %arg1: vector<2xbf16>) -> (f4E2M1FN, vector<2xf4E2M1FN>) {
// F8-NEXT:     %0 = arith.truncf %arg0 : f32 to f4E2M1FN
// F8-NEXT:     %1 = arith.truncf %arg1 fastmath<fast> : vector<2xbf16> to vector<2xf4E2M1FN>
// F8-NEXT:     return %0, %1 : f4E2M1FN, vector<2xf4E2M1FN>
// F8-NEXT:   }
// F4-NEXT:   func.func @to_f4e2m1(%arg0: f32, %arg1: vector<2xbf16>) -> (f4E2M1FN, vector<2xf4E2M1FN>) {
// F4-NEXT:     %c1_i4 = arith.constant 1 : i4
// F4-NEXT:     %c3_i4 = arith.constant 3 : i4
// F4-NEXT:     %c22_i32 = arith.constant 22 : i32
// F4-NEXT:     %c0_i8 = arith.constant 0 : i8
// F4-NEXT:     %c-1_i8 = arith.constant -1 : i8
// F4-NEXT:     %c0_i32 = arith.constant 0 : i32
// F4-NEXT:     %cst = arith.constant 6.000000e+00 : f32
// F4-NEXT:     %cst_0 = arith.constant -6.000000e+00 : f32
// F4-NEXT:     %0 = arith.cmpf ult, %arg0, %cst : f32
// F4-NEXT:     %1 = arith.select %0, %arg0, %cst : f32
// F4-NEXT:     %2 = arith.cmpf uno, %arg0, %arg0 : f32
// F4-NEXT:     %3 = arith.select %2, %cst, %1 : f32
// F4-NEXT:     %4 = arith.cmpf ugt, %3, %cst_0 : f32
// F4-NEXT:     %5 = arith.select %4, %3, %cst_0 : f32
// F4-NEXT:     %6 = arith.cmpf uno, %3, %3 : f32
// F4-NEXT:     %7 = arith.select %6, %cst_0, %5 : f32
// F4-NEXT:     %8 = arith.bitcast %7 : f32 to i32
// F4-NEXT:     %c31_i32 = arith.constant 31 : i32
// F4-NEXT:     %9 = arith.shrui %8, %c31_i32 : i32
// F4-NEXT:     %10 = arith.trunci %9 : i32 to i4
// F4-NEXT:     %11 = arith.shli %10, %c3_i4 : i4
// F4-NEXT:     %c126_i32 = arith.constant 126 : i32
// F4-NEXT:     %c23_i32 = arith.constant 23 : i32
// F4-NEXT:     %12 = arith.shrui %8, %c23_i32 : i32
// F4-NEXT:     %13 = arith.subi %12, %c126_i32 : i32
// F4-NEXT:     %14 = arith.trunci %13 : i32 to i4
// F4-NEXT:     %15 = arith.shli %14, %c1_i4 : i4
// F4-NEXT:     %16 = arith.addi %11, %15 : i4
// F4-NEXT:     %c4194304_i32 = arith.constant 4194304 : i32
// F4-NEXT:     %17 = arith.andi %8, %c4194304_i32 : i32
// F4-NEXT:     %18 = arith.shrui %17, %c22_i32 : i32
// F4-NEXT:     %19 = arith.trunci %18 : i32 to i4
// F4-NEXT:     %20 = arith.addi %16, %19 : i4
// F4-NEXT:     %c8388607_i32 = arith.constant 8388607 : i32
// F4-NEXT:     %21 = arith.trunci %13 : i32 to i8
// F4-NEXT:     %22 = arith.cmpi sle, %21, %c0_i8 : i8
// F4-NEXT:     %23 = arith.cmpi eq, %21, %c-1_i8 : i8
// F4-NEXT:     %24 = arith.andi %8, %c8388607_i32 : i32
// F4-NEXT:     %25 = arith.cmpi ugt, %24, %c0_i32 : i32
// F4-NEXT:     %26 = arith.andi %23, %25 : i1
// F4-NEXT:     %27 = arith.cmpi eq, %21, %c0_i8 : i8
// F4-NEXT:     %c-1_i4 = arith.constant -1 : i4
// F4-NEXT:     %c0_i4 = arith.constant 0 : i4
// F4-NEXT:     %28 = arith.select %22, %c-1_i4, %20 : i4
// F4-NEXT:     %29 = arith.select %26, %c0_i4, %28 : i4
// F4-NEXT:     %30 = arith.select %27, %20, %29 : i4
// F4-NEXT:     %c4194303_i32 = arith.constant 4194303 : i32
// F4-NEXT:     %c2097152_i32 = arith.constant 2097152 : i32
// F4-NEXT:     %31 = arith.andi %8, %c4194303_i32 : i32
// F4-NEXT:     %32 = arith.cmpi uge, %31, %c2097152_i32 : i32
// F4-NEXT:     %33 = arith.ori %32, %22 : i1
// F4-NEXT:     %34 = arith.addi %30, %c1_i4 : i4
// F4-NEXT:     %35 = arith.select %33, %34, %30 : i4
// F4-NEXT:     %36 = arith.bitcast %35 : i4 to f4E2M1FN
// F4-NEXT:     %37 = arith.extf %arg1 : vector<2xbf16> to vector<2xf32>
// F4-NEXT:     %cst_1 = arith.constant dense<1> : vector<2xi4>
// F4-NEXT:     %cst_2 = arith.constant dense<3> : vector<2xi4>
// F4-NEXT:     %cst_3 = arith.constant dense<22> : vector<2xi32>
// F4-NEXT:     %cst_4 = arith.constant dense<0> : vector<2xi8>
// F4-NEXT:     %cst_5 = arith.constant dense<-1> : vector<2xi8>
// F4-NEXT:     %cst_6 = arith.constant dense<0> : vector<2xi32>
// F4-NEXT:     %cst_7 = arith.constant dense<6.000000e+00> : vector<2xf32>
// F4-NEXT:     %cst_8 = arith.constant dense<-6.000000e+00> : vector<2xf32>
// F4-NEXT:     %38 = arith.cmpf ult, %37, %cst_7 : vector<2xf32>
// F4-NEXT:     %39 = arith.select %38, %37, %cst_7 : vector<2xi1>, vector<2xf32>
// F4-NEXT:     %40 = arith.cmpf uno, %37, %37 : vector<2xf32>
// F4-NEXT:     %41 = arith.select %40, %cst_7, %39 : vector<2xi1>, vector<2xf32>
// F4-NEXT:     %42 = arith.cmpf ugt, %41, %cst_8 : vector<2xf32>
// F4-NEXT:     %43 = arith.select %42, %41, %cst_8 : vector<2xi1>, vector<2xf32>
// F4-NEXT:     %44 = arith.cmpf uno, %41, %41 : vector<2xf32>
// F4-NEXT:     %45 = arith.select %44, %cst_8, %43 : vector<2xi1>, vector<2xf32>
// F4-NEXT:     %46 = arith.bitcast %45 : vector<2xf32> to vector<2xi32>
// F4-NEXT:     %cst_9 = arith.constant dense<31> : vector<2xi32>
// F4-NEXT:     %47 = arith.shrui %46, %cst_9 : vector<2xi32>
// F4-NEXT:     %48 = arith.trunci %47 : vector<2xi32> to vector<2xi4>
// F4-NEXT:     %49 = arith.shli %48, %cst_2 : vector<2xi4>
// F4-NEXT:     %cst_10 = arith.constant dense<126> : vector<2xi32>
// F4-NEXT:     %cst_11 = arith.constant dense<23> : vector<2xi32>
// F4-NEXT:     %50 = arith.shrui %46, %cst_11 : vector<2xi32>
// F4-NEXT:     %51 = arith.subi %50, %cst_10 : vector<2xi32>
// F4-NEXT:     %52 = arith.trunci %51 : vector<2xi32> to vector<2xi4>
// F4-NEXT:     %53 = arith.shli %52, %cst_1 : vector<2xi4>
// F4-NEXT:     %54 = arith.addi %49, %53 : vector<2xi4>
// F4-NEXT:     %cst_12 = arith.constant dense<4194304> : vector<2xi32>
// F4-NEXT:     %55 = arith.andi %46, %cst_12 : vector<2xi32>
// F4-NEXT:     %56 = arith.shrui %55, %cst_3 : vector<2xi32>
// F4-NEXT:     %57 = arith.trunci %56 : vector<2xi32> to vector<2xi4>
// F4-NEXT:     %58 = arith.addi %54, %57 : vector<2xi4>
// F4-NEXT:     %cst_13 = arith.constant dense<8388607> : vector<2xi32>
// F4-NEXT:     %59 = arith.trunci %51 : vector<2xi32> to vector<2xi8>
// F4-NEXT:     %60 = arith.cmpi sle, %59, %cst_4 : vector<2xi8>
// F4-NEXT:     %61 = arith.cmpi eq, %59, %cst_5 : vector<2xi8>
// F4-NEXT:     %62 = arith.andi %46, %cst_13 : vector<2xi32>
// F4-NEXT:     %63 = arith.cmpi ugt, %62, %cst_6 : vector<2xi32>
// F4-NEXT:     %64 = arith.andi %61, %63 : vector<2xi1>
// F4-NEXT:     %65 = arith.cmpi eq, %59, %cst_4 : vector<2xi8>
// F4-NEXT:     %cst_14 = arith.constant dense<-1> : vector<2xi4>
// F4-NEXT:     %cst_15 = arith.constant dense<0> : vector<2xi4>
// F4-NEXT:     %66 = arith.select %60, %cst_14, %58 : vector<2xi1>, vector<2xi4>
// F4-NEXT:     %67 = arith.select %64, %cst_15, %66 : vector<2xi1>, vector<2xi4>
// F4-NEXT:     %68 = arith.select %65, %58, %67 : vector<2xi1>, vector<2xi4>
// F4-NEXT:     %cst_16 = arith.constant dense<4194303> : vector<2xi32>
// F4-NEXT:     %cst_17 = arith.constant dense<2097152> : vector<2xi32>
// F4-NEXT:     %69 = arith.andi %46, %cst_16 : vector<2xi32>
// F4-NEXT:     %70 = arith.cmpi uge, %69, %cst_17 : vector<2xi32>
// F4-NEXT:     %71 = arith.ori %70, %60 : vector<2xi1>
// F4-NEXT:     %72 = arith.addi %68, %cst_1 : vector<2xi4>
// F4-NEXT:     %73 = arith.select %71, %72, %68 : vector<2xi1>, vector<2xi4>
// F4-NEXT:     %74 = arith.bitcast %73 : vector<2xi4> to vector<2xf4E2M1FN>
// F4-NEXT:     return %36, %74 : f4E2M1FN, vector<2xf4E2M1FN>
// F4-NEXT:   }
func.func @to_f4e2m1(%a: f32, %v: vector<2xbf16>) -> (f4E2M1FN, vector<2xf4E2M1FN>) {
  %0 = arith.truncf %a : f32 to f4E2M1FN
  %1 = arith.truncf %v fastmath<fast> : vector<2xbf16> to vector<2xf4E2M1FN>
  return %0, %1 : f4E2M1FN, vector<2xf4E2M1FN>
}

// CHECK-NEXT:   func.func @from_f4e2m1(%arg0: f4E2M1FN) -> (f32, bf16) {
// CHECK-NEXT:     %0 = arith.bitcast %arg0 : f4E2M1FN to i4
// CHECK-NEXT:     %c0_i4 = arith.constant 0 : i4
// CHECK-NEXT:     %c1_i4 = arith.constant 1 : i4
// CHECK-NEXT:     %c2_i4 = arith.constant 2 : i4
// CHECK-NEXT:     %c4_i4 = arith.constant 4 : i4
// CHECK-NEXT:     %c7_i4 = arith.constant 7 : i4
// CHECK-NEXT:     %1 = arith.andi %0, %c7_i4 : i4
// CHECK-NEXT:     %c20_i32 = arith.constant 20 : i32
// CHECK-NEXT:     %2 = arith.shli %1, %c2_i4 : i4
// CHECK-NEXT:     %3 = arith.cmpi eq, %1, %c1_i4 : i4
// CHECK-NEXT:     %4 = arith.select %3, %c0_i4, %2 : i4
// CHECK-NEXT:     %5 = arith.extui %4 : i4 to i32
// CHECK-NEXT:     %6 = arith.shli %5, %c20_i32 : i32
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c1073741824_i32 = arith.constant 1073741824 : i32
// CHECK-NEXT:     %c1056964608_i32 = arith.constant 1056964608 : i32
// CHECK-NEXT:     %7 = arith.cmpi uge, %1, %c4_i4 : i4
// CHECK-NEXT:     %8 = arith.select %7, %c1073741824_i32, %c1056964608_i32 : i32
// CHECK-NEXT:     %9 = arith.cmpi eq, %1, %c0_i4 : i4
// CHECK-NEXT:     %10 = arith.select %9, %c0_i32, %8 : i32
// CHECK-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:     %c-8_i4 = arith.constant -8 : i4
// CHECK-NEXT:     %11 = arith.cmpi uge, %0, %c-8_i4 : i4
// CHECK-NEXT:     %12 = arith.select %11, %c-2147483648_i32, %c0_i32 : i32
// CHECK-NEXT:     %13 = arith.addi %6, %10 : i32
// CHECK-NEXT:     %14 = arith.addi %13, %12 : i32
// CHECK-NEXT:     %15 = arith.bitcast %14 : i32 to f32
// CHECK-NEXT:     %16 = arith.bitcast %arg0 : f4E2M1FN to i4
// CHECK-NEXT:     %c0_i4_0 = arith.constant 0 : i4
// CHECK-NEXT:     %c1_i4_1 = arith.constant 1 : i4
// CHECK-NEXT:     %c2_i4_2 = arith.constant 2 : i4
// CHECK-NEXT:     %c4_i4_3 = arith.constant 4 : i4
// CHECK-NEXT:     %c7_i4_4 = arith.constant 7 : i4
// CHECK-NEXT:     %17 = arith.andi %16, %c7_i4_4 : i4
// CHECK-NEXT:     %c20_i32_5 = arith.constant 20 : i32
// CHECK-NEXT:     %18 = arith.shli %17, %c2_i4_2 : i4
// CHECK-NEXT:     %19 = arith.cmpi eq, %17, %c1_i4_1 : i4
// CHECK-NEXT:     %20 = arith.select %19, %c0_i4_0, %18 : i4
// CHECK-NEXT:     %21 = arith.extui %20 : i4 to i32
// CHECK-NEXT:     %22 = arith.shli %21, %c20_i32_5 : i32
// CHECK-NEXT:     %c0_i32_6 = arith.constant 0 : i32
// CHECK-NEXT:     %c1073741824_i32_7 = arith.constant 1073741824 : i32
// CHECK-NEXT:     %c1056964608_i32_8 = arith.constant 1056964608 : i32
// CHECK-NEXT:     %23 = arith.cmpi uge, %17, %c4_i4_3 : i4
// CHECK-NEXT:     %24 = arith.select %23, %c1073741824_i32_7, %c1056964608_i32_8 : i32
// CHECK-NEXT:     %25 = arith.cmpi eq, %17, %c0_i4_0 : i4
// CHECK-NEXT:     %26 = arith.select %25, %c0_i32_6, %24 : i32
// CHECK-NEXT:     %c-2147483648_i32_9 = arith.constant -2147483648 : i32
// CHECK-NEXT:     %c-8_i4_10 = arith.constant -8 : i4
// CHECK-NEXT:     %27 = arith.cmpi uge, %16, %c-8_i4_10 : i4
// CHECK-NEXT:     %28 = arith.select %27, %c-2147483648_i32_9, %c0_i32_6 : i32
// CHECK-NEXT:     %29 = arith.addi %22, %26 : i32
// CHECK-NEXT:     %30 = arith.addi %29, %28 : i32
// CHECK-NEXT:     %31 = arith.bitcast %30 : i32 to f32
// CHECK-NEXT:     %32 = arith.cmpf une, %31, %31 : f32
// CHECK-NEXT:     %c32767_i32 = arith.constant 32767 : i32
// CHECK-NEXT:     %c32704_i16 = arith.constant 32704 : i16
// CHECK-NEXT:     %c16_i32 = arith.constant 16 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %33 = arith.bitcast %31 : f32 to i32
// CHECK-NEXT:     %34 = arith.shrui %33, %c16_i32 : i32
// CHECK-NEXT:     %35 = arith.andi %34, %c1_i32 : i32
// CHECK-NEXT:     %36 = arith.addi %35, %c32767_i32 : i32
// CHECK-NEXT:     %37 = arith.addi %33, %36 : i32
// CHECK-NEXT:     %38 = arith.shrui %37, %c16_i32 : i32
// CHECK-NEXT:     %39 = arith.trunci %38 : i32 to i16
// CHECK-NEXT:     %40 = arith.select %32, %c32704_i16, %39 : i16
// CHECK-NEXT:     %41 = arith.bitcast %40 : i16 to bf16
// CHECK-NEXT:     return %15, %41 : f32, bf16
// CHECK-NEXT:   }
// CHECK-NEXT: }
// BF16-NEXT:   func.func @from_f4e2m1(%arg0: f4E2M1FN) -> (f32, bf16) {
// BF16-NEXT:     %0 = arith.extf %arg0 : f4E2M1FN to f32
// BF16-NEXT:     %1 = arith.extf %arg0 fastmath<fast> : f4E2M1FN to bf16
// BF16-NEXT:     return %0, %1 : f32, bf16
// BF16-NEXT:   }
// BF16-NEXT: }
// F8-NEXT:   func.func @from_f4e2m1(%arg0: f4E2M1FN) -> (f32, bf16) {
// F8-NEXT:     %0 = arith.extf %arg0 : f4E2M1FN to f32
// F8-NEXT:     %1 = arith.extf %arg0 fastmath<fast> : f4E2M1FN to bf16
// F8-NEXT:     return %0, %1 : f32, bf16
// F8-NEXT:   }
// F8-NEXT: }
// F4-NEXT:   func.func @from_f4e2m1(%arg0: f4E2M1FN) -> (f32, bf16) {
// F4-NEXT:     %0 = arith.bitcast %arg0 : f4E2M1FN to i4
// F4-NEXT:     %c0_i4 = arith.constant 0 : i4
// F4-NEXT:     %c1_i4 = arith.constant 1 : i4
// F4-NEXT:     %c2_i4 = arith.constant 2 : i4
// F4-NEXT:     %c4_i4 = arith.constant 4 : i4
// F4-NEXT:     %c7_i4 = arith.constant 7 : i4
// F4-NEXT:     %1 = arith.andi %0, %c7_i4 : i4
// F4-NEXT:     %c20_i32 = arith.constant 20 : i32
// F4-NEXT:     %2 = arith.shli %1, %c2_i4 : i4
// F4-NEXT:     %3 = arith.cmpi eq, %1, %c1_i4 : i4
// F4-NEXT:     %4 = arith.select %3, %c0_i4, %2 : i4
// F4-NEXT:     %5 = arith.extui %4 : i4 to i32
// F4-NEXT:     %6 = arith.shli %5, %c20_i32 : i32
// F4-NEXT:     %c0_i32 = arith.constant 0 : i32
// F4-NEXT:     %c1073741824_i32 = arith.constant 1073741824 : i32
// F4-NEXT:     %c1056964608_i32 = arith.constant 1056964608 : i32
// F4-NEXT:     %7 = arith.cmpi uge, %1, %c4_i4 : i4
// F4-NEXT:     %8 = arith.select %7, %c1073741824_i32, %c1056964608_i32 : i32
// F4-NEXT:     %9 = arith.cmpi eq, %1, %c0_i4 : i4
// F4-NEXT:     %10 = arith.select %9, %c0_i32, %8 : i32
// F4-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// F4-NEXT:     %c-8_i4 = arith.constant -8 : i4
// F4-NEXT:     %11 = arith.cmpi uge, %0, %c-8_i4 : i4
// F4-NEXT:     %12 = arith.select %11, %c-2147483648_i32, %c0_i32 : i32
// F4-NEXT:     %13 = arith.addi %6, %10 : i32
// F4-NEXT:     %14 = arith.addi %13, %12 : i32
// F4-NEXT:     %15 = arith.bitcast %14 : i32 to f32
// F4-NEXT:     %16 = arith.bitcast %arg0 : f4E2M1FN to i4
// F4-NEXT:     %c0_i4_0 = arith.constant 0 : i4
// F4-NEXT:     %c1_i4_1 = arith.constant 1 : i4
// F4-NEXT:     %c2_i4_2 = arith.constant 2 : i4
// F4-NEXT:     %c4_i4_3 = arith.constant 4 : i4
// F4-NEXT:     %c7_i4_4 = arith.constant 7 : i4
// F4-NEXT:     %17 = arith.andi %16, %c7_i4_4 : i4
// F4-NEXT:     %c20_i32_5 = arith.constant 20 : i32
// F4-NEXT:     %18 = arith.shli %17, %c2_i4_2 : i4
// F4-NEXT:     %19 = arith.cmpi eq, %17, %c1_i4_1 : i4
// F4-NEXT:     %20 = arith.select %19, %c0_i4_0, %18 : i4
// F4-NEXT:     %21 = arith.extui %20 : i4 to i32
// F4-NEXT:     %22 = arith.shli %21, %c20_i32_5 : i32
// F4-NEXT:     %c0_i32_6 = arith.constant 0 : i32
// F4-NEXT:     %c1073741824_i32_7 = arith.constant 1073741824 : i32
// F4-NEXT:     %c1056964608_i32_8 = arith.constant 1056964608 : i32
// F4-NEXT:     %23 = arith.cmpi uge, %17, %c4_i4_3 : i4
// F4-NEXT:     %24 = arith.select %23, %c1073741824_i32_7, %c1056964608_i32_8 : i32
// F4-NEXT:     %25 = arith.cmpi eq, %17, %c0_i4_0 : i4
// F4-NEXT:     %26 = arith.select %25, %c0_i32_6, %24 : i32
// F4-NEXT:     %c-2147483648_i32_9 = arith.constant -2147483648 : i32
// F4-NEXT:     %c-8_i4_10 = arith.constant -8 : i4
// F4-NEXT:     %27 = arith.cmpi uge, %16, %c-8_i4_10 : i4
// F4-NEXT:     %28 = arith.select %27, %c-2147483648_i32_9, %c0_i32_6 : i32
// F4-NEXT:     %29 = arith.addi %22, %26 : i32
// F4-NEXT:     %30 = arith.addi %29, %28 : i32
// F4-NEXT:     %31 = arith.bitcast %30 : i32 to f32
// F4-NEXT:     %32 = arith.truncf %31 : f32 to bf16
// F4-NEXT:     return %15, %32 : f32, bf16
// F4-NEXT:   }
// F4-NEXT: }
func.func @from_f4e2m1(%a: f4E2M1FN) -> (f32, bf16) {
  %0 = arith.extf %a : f4E2M1FN to f32
  %1 = arith.extf %a fastmath<fast> : f4E2M1FN to bf16
  return %0, %1 : f32, bf16
}
