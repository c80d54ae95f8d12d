// RUN: xgpu-opt %s --pass-pipeline='builtin.module(convert-math-to-funcs{convert-ctlz})' | filecheck %s --match-full-lines

func.func @powers(%a: i1, %b: i16, %c: vector<2xf32>, %d: vector<2xi32>, %e: f64, %x: index) {
  %0 = math.ipowi %a, %a : i1
  %1 = math.ipowi %b, %b : i16
  %2 = math.fpowi %c, %d fastmath<fast> {a} : vector<2xf32>, vector<2xi32>
  %3 = math.fpowi %e, %b : f64, i16
  %4 = math.ipowi %x, %x : index
  return
}

func.func @leading_zeros(%a: vector<1x2xi16>, %b: vector<i8>, %x: index) {
  %0 = math.ctlz %a : vector<1x2xi16>
  %1 = math.ctlz %b : vector<i8>
  %2 = math.ctlz %x : index
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @powers(%arg0: i1, %arg1: i16, %arg2: vector<2xf32>, %arg3: vector<2xi32>, %arg4: f64, %arg5: index) {
// CHECK-NEXT:     %0 = call @__mlir_math_ipowi_i1(%arg0, %arg0) : (i1, i1) -> i1
// CHECK-NEXT:     %1 = call @__mlir_math_ipowi_i16(%arg1, %arg1) : (i16, i16) -> i16
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK-NEXT:     %2 = vector.extract %arg2[0] : f32 from vector<2xf32>
// CHECK-NEXT:     %3 = vector.extract %arg3[0] : i32 from vector<2xi32>
// CHECK-NEXT:     %4 = call @__mlir_math_fpowi_f32_i32(%2, %3) : (f32, i32) -> f32
// CHECK-NEXT:     %5 = vector.insert %4, %cst [0] : f32 into vector<2xf32>
// CHECK-NEXT:     %6 = vector.extract %arg2[1] : f32 from vector<2xf32>
// CHECK-NEXT:     %7 = vector.extract %arg3[1] : i32 from vector<2xi32>
// CHECK-NEXT:     %8 = call @__mlir_math_fpowi_f32_i32(%6, %7) : (f32, i32) -> f32
// CHECK-NEXT:     %9 = vector.insert %8, %5 [1] : f32 into vector<2xf32>
// CHECK-NEXT:     %10 = call @__mlir_math_fpowi_f64_i16(%arg4, %arg1) : (f64, i16) -> f64
// CHECK-NEXT:     %11 = math.ipowi %arg5, %arg5 : index
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @leading_zeros(%arg0: vector<1x2xi16>, %arg1: vector<i8>, %arg2: index) {
// CHECK-NEXT:     %cst = arith.constant dense<0> : vector<1x2xi16>
// CHECK-NEXT:     %0 = vector.extract %arg0[0, 0] : i16 from vector<1x2xi16>
// CHECK-NEXT:     %1 = call @__mlir_math_ctlz_i16(%0) : (i16) -> i16
// CHECK-NEXT:     %2 = vector.insert %1, %cst [0, 0] : i16 into vector<1x2xi16>
// CHECK-NEXT:     %3 = vector.extract %arg0[0, 1] : i16 from vector<1x2xi16>
// CHECK-NEXT:     %4 = call @__mlir_math_ctlz_i16(%3) : (i16) -> i16
// CHECK-NEXT:     %5 = vector.insert %4, %2 [0, 1] : i16 into vector<1x2xi16>
// CHECK-NEXT:     %cst_0 = arith.constant dense<0> : vector<i8>
// CHECK-NEXT:     %6 = vector.extract %arg1[] : i8 from vector<i8>
// CHECK-NEXT:     %7 = call @__mlir_math_ctlz_i8(%6) : (i8) -> i8
// CHECK-NEXT:     %8 = vector.insert %7, %cst_0 [] : i8 into vector<i8>
// CHECK-NEXT:     %9 = math.ctlz %arg2 : index
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @__mlir_math_ipowi_i1(%arg0: i1, %arg1: i1) -> i1 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %true_0 = arith.constant true
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg1, %false : i1
// CHECK-NEXT:     cf.cond_br %0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %1 = arith.cmpi sle, %arg1, %false : i1
// CHECK-NEXT:     cf.cond_br %1, ^bb3, ^bb12(%true, %arg0, %arg1 : i1, i1, i1)
// CHECK-NEXT:   ^bb3:  // pred: ^bb2
// CHECK-NEXT:     %2 = arith.cmpi eq, %arg0, %false : i1
// CHECK-NEXT:     cf.cond_br %2, ^bb4, ^bb5
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     %3 = arith.divsi %true, %false : i1
// CHECK-NEXT:     return %3 : i1
// CHECK-NEXT:   ^bb5:  // pred: ^bb3
// CHECK-NEXT:     %4 = arith.cmpi eq, %arg0, %true : i1
// CHECK-NEXT:     cf.cond_br %4, ^bb6, ^bb7
// CHECK-NEXT:   ^bb6:  // pred: ^bb5
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   ^bb7:  // pred: ^bb5
// CHECK-NEXT:     %5 = arith.cmpi eq, %arg0, %true_0 : i1
// CHECK-NEXT:     cf.cond_br %5, ^bb8, ^bb11
// CHECK-NEXT:   ^bb8:  // pred: ^bb7
// CHECK-NEXT:     %6 = arith.andi %arg1, %true : i1
// CHECK-NEXT:     %7 = arith.cmpi ne, %6, %false : i1
// CHECK-NEXT:     cf.cond_br %7, ^bb9, ^bb10
// CHECK-NEXT:   ^bb9:  // pred: ^bb8
// CHECK-NEXT:     return %true_0 : i1
// CHECK-NEXT:   ^bb10:  // pred: ^bb8
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   ^bb11:  // pred: ^bb7
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   ^bb12(%8: i1, %9: i1, %10: i1):  // 2 preds: ^bb2, ^bb16
// CHECK-NEXT:     %11 = arith.andi %10, %true : i1
// CHECK-NEXT:     %12 = arith.cmpi ne, %11, %false : i1
// CHECK-NEXT:     cf.cond_br %12, ^bb13, ^bb14(%8 : i1)
// CHECK-NEXT:   ^bb13:  // pred: ^bb12
// CHECK-NEXT:     %13 = arith.muli %8, %9 : i1
// CHECK-NEXT:     cf.br ^bb14(%13 : i1)
// CHECK-NEXT:   ^bb14(%14: i1):  // 2 preds: ^bb12, ^bb13
// CHECK-NEXT:     %15 = arith.shrui %10, %true : i1
// CHECK-NEXT:     %16 = arith.cmpi eq, %15, %false : i1
// CHECK-NEXT:     cf.cond_br %16, ^bb15, ^bb16
// CHECK-NEXT:   ^bb15:  // pred: ^bb14
// CHECK-NEXT:     return %14 : i1
// CHECK-NEXT:   ^bb16:  // pred: ^bb14
// CHECK-NEXT:     %17 = arith.muli %9, %9 : i1
// CHECK-NEXT:     cf.br ^bb12(%14, %17, %15 : i1, i1, i1)
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @__mlir_math_ipowi_i16(%arg0: i16, %arg1: i16) -> i16 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
// CHECK-NEXT:     %c0_i16 = arith.constant 0 : i16
// CHECK-NEXT:     %c1_i16 = arith.constant 1 : i16
// CHECK-NEXT:     %c-1_i16 = arith.constant -1 : i16
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg1, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     return %c1_i16 : i16
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %1 = arith.cmpi sle, %arg1, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %1, ^bb3, ^bb12(%c1_i16, %arg0, %arg1 : i16, i16, i16)
// CHECK-NEXT:   ^bb3:  // pred: ^bb2
// CHECK-NEXT:     %2 = arith.cmpi eq, %arg0, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %2, ^bb4, ^bb5
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     %3 = arith.divsi %c1_i16, %c0_i16 : i16
// CHECK-NEXT:     return %3 : i16
// CHECK-NEXT:   ^bb5:  // pred: ^bb3
// CHECK-NEXT:     %4 = arith.cmpi eq, %arg0, %c1_i16 : i16
// CHECK-NEXT:     cf.cond_br %4, ^bb6, ^bb7
// CHECK-NEXT:   ^bb6:  // pred: ^bb5
// CHECK-NEXT:     return %c1_i16 : i16
// CHECK-NEXT:   ^bb7:  // pred: ^bb5
// CHECK-NEXT:     %5 = arith.cmpi eq, %arg0, %c-1_i16 : i16
// CHECK-NEXT:     cf.cond_br %5, ^bb8, ^bb11
// CHECK-NEXT:   ^bb8:  // pred: ^bb7
// CHECK-NEXT:     %6 = arith.andi %arg1, %c1_i16 : i16
// CHECK-NEXT:     %7 = arith.cmpi ne, %6, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %7, ^bb9, ^bb10
// CHECK-NEXT:   ^bb9:  // pred: ^bb8
// CHECK-NEXT:     return %c-1_i16 : i16
// CHECK-NEXT:   ^bb10:  // pred: ^bb8
// CHECK-NEXT:     return %c1_i16 : i16
// CHECK-NEXT:   ^bb11:  // pred: ^bb7
// CHECK-NEXT:     return %c0_i16 : i16
// CHECK-NEXT:   ^bb12(%8: i16, %9: i16, %10: i16):  // 2 preds: ^bb2, ^bb16
// CHECK-NEXT:     %11 = arith.andi %10, %c1_i16 : i16
// CHECK-NEXT:     %12 = arith.cmpi ne, %11, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %12, ^bb13, ^bb14(%8 : i16)
// CHECK-NEXT:   ^bb13:  // pred: ^bb12
// CHECK-NEXT:     %13 = arith.muli %8, %9 : i16
// CHECK-NEXT:     cf.br ^bb14(%13 : i16)
// CHECK-NEXT:   ^bb14(%14: i16):  // 2 preds: ^bb12, ^bb13
// CHECK-NEXT:     %15 = arith.shrui %10, %c1_i16 : i16
// CHECK-NEXT:     %16 = arith.cmpi eq, %15, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %16, ^bb15, ^bb16
// CHECK-NEXT:   ^bb15:  // pred: ^bb14
// CHECK-NEXT:     return %14 : i16
// CHECK-NEXT:   ^bb16:  // pred: ^bb14
// CHECK-NEXT:     %17 = arith.muli %9, %9 : i16
// CHECK-NEXT:     cf.br ^bb12(%14, %17, %15 : i16, i16, i16)
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @__mlir_math_fpowi_f32_i32(%arg0: f32, %arg1: i32) -> f32 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:     %c2147483647_i32 = arith.constant 2147483647 : i32
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     return %cst : f32
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %1 = arith.cmpi sle, %arg1, %c0_i32 : i32
// CHECK-NEXT:     %2 = arith.cmpi eq, %arg1, %c-2147483648_i32 : i32
// CHECK-NEXT:     %3 = arith.subi %c0_i32, %arg1 : i32
// CHECK-NEXT:     %4 = arith.select %1, %3, %arg1 : i32
// CHECK-NEXT:     %5 = arith.select %2, %c2147483647_i32, %4 : i32
// CHECK-NEXT:     cf.br ^bb3(%cst, %arg0, %5 : f32, f32, i32)
// CHECK-NEXT:   ^bb3(%6: f32, %7: f32, %8: i32):  // 2 preds: ^bb2, ^bb6
// CHECK-NEXT:     %9 = arith.andi %8, %c1_i32 : i32
// CHECK-NEXT:     %10 = arith.cmpi ne, %9, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %10, ^bb4, ^bb5(%6 : f32)
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     %11 = arith.mulf %6, %7 : f32
// CHECK-NEXT:     cf.br ^bb5(%11 : f32)
// CHECK-NEXT:   ^bb5(%12: f32):  // 2 preds: ^bb3, ^bb4
// CHECK-NEXT:     %13 = arith.shrui %8, %c1_i32 : i32
// CHECK-NEXT:     %14 = arith.cmpi eq, %13, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %14, ^bb7(%12 : f32), ^bb6
// CHECK-NEXT:   ^bb6:  // pred: ^bb5
// CHECK-NEXT:     %15 = arith.mulf %7, %7 : f32
// CHECK-NEXT:     cf.br ^bb3(%12, %15, %13 : f32, f32, i32)
// CHECK-NEXT:   ^bb7(%16: f32):  // pred: ^bb5
// CHECK-NEXT:     cf.cond_br %2, ^bb8, ^bb9(%16 : f32)
// CHECK-NEXT:   ^bb8:  // pred: ^bb7
// CHECK-NEXT:     %17 = arith.mulf %16, %arg0 : f32
// CHECK-NEXT:     cf.br ^bb9(%17 : f32)
// CHECK-NEXT:   ^bb9(%18: f32):  // 2 preds: ^bb7, ^bb8
// CHECK-NEXT:     cf.cond_br %1, ^bb10, ^bb11(%18 : f32)
// CHECK-NEXT:   ^bb10:  // pred: ^bb9
// CHECK-NEXT:     %19 = arith.divf %cst, %18 : f32
// CHECK-NEXT:     cf.br ^bb11(%19 : f32)
// CHECK-NEXT:   ^bb11(%20: f32):  // 2 preds: ^bb9, ^bb10
// CHECK-NEXT:     return %20 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @__mlir_math_fpowi_f64_i16(%arg0: f64, %arg1: i16) -> f64 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:     %c0_i16 = arith.constant 0 : i16
// CHECK-NEXT:     %c1_i16 = arith.constant 1 : i16
// CHECK-NEXT:     %c-32768_i16 = arith.constant -32768 : i16
// CHECK-NEXT:     %c32767_i16 = arith.constant 32767 : i16
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg1, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     return %cst : f64
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %1 = arith.cmpi sle, %arg1, %c0_i16 : i16
// CHECK-NEXT:     %2 = arith.cmpi eq, %arg1, %c-32768_i16 : i16
// CHECK-NEXT:     %3 = arith.subi %c0_i16, %arg1 : i16
// CHECK-NEXT:     %4 = arith.select %1, %3, %arg1 : i16
// CHECK-NEXT:     %5 = arith.select %2, %c32767_i16, %4 : i16
// CHECK-NEXT:     cf.br ^bb3(%cst, %arg0, %5 : f64, f64, i16)
// CHECK-NEXT:   ^bb3(%6: f64, %7: f64, %8: i16):  // 2 preds: ^bb2, ^bb6
// CHECK-NEXT:     %9 = arith.andi %8, %c1_i16 : i16
// CHECK-NEXT:     %10 = arith.cmpi ne, %9, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %10, ^bb4, ^bb5(%6 : f64)
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     %11 = arith.mulf %6, %7 : f64
// CHECK-NEXT:     cf.br ^bb5(%11 : f64)
// CHECK-NEXT:   ^bb5(%12: f64):  // 2 preds: ^bb3, ^bb4
// CHECK-NEXT:     %13 = arith.shrui %8, %c1_i16 : i16
// CHECK-NEXT:     %14 = arith.cmpi eq, %13, %c0_i16 : i16
// CHECK-NEXT:     cf.cond_br %14, ^bb7(%12 : f64), ^bb6
// CHECK-NEXT:   ^bb6:  // pred: ^bb5
// CHECK-NEXT:     %15 = arith.mulf %7, %7 : f64
// CHECK-NEXT:     cf.br ^bb3(%12, %15, %13 : f64, f64, i16)
// CHECK-NEXT:   ^bb7(%16: f64):  // pred: ^bb5
// CHECK-NEXT:     cf.cond_br %2, ^bb8, ^bb9(%16 : f64)
// CHECK-NEXT:   ^bb8:  // pred: ^bb7
// CHECK-NEXT:     %17 = arith.mulf %16, %arg0 : f64
// CHECK-NEXT:     cf.br ^bb9(%17 : f64)
// CHECK-NEXT:   ^bb9(%18: f64):  // 2 preds: ^bb7, ^bb8
// CHECK-NEXT:     cf.cond_br %1, ^bb10, ^bb11(%18 : f64)
// CHECK-NEXT:   ^bb10:  // pred: ^bb9
// CHECK-NEXT:     %19 = arith.divf %cst, %18 : f64
// CHECK-NEXT:     cf.br ^bb11(%19 : f64)
// CHECK-NEXT:   ^bb11(%20: f64):  // 2 preds: ^bb9, ^bb10
// CHECK-NEXT:     return %20 : f64
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @__mlir_math_ctlz_i16(%arg0: i16) -> i16 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
// CHECK-NEXT:     %c16_i16 = arith.constant 16 : i16
// CHECK-NEXT:     %c0_i16 = arith.constant 0 : i16
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg0, %c0_i16 : i16
// CHECK-NEXT:     %1 = scf.if %0 -> (i16) {
// CHECK-NEXT:       scf.yield %c16_i16 : i16
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c1_i16 = arith.constant 1 : i16
// CHECK-NEXT:       %c16 = arith.constant 16 : index
// CHECK-NEXT:       %c0_i16_0 = arith.constant 0 : i16
// CHECK-NEXT:       %2:2 = scf.for %arg1 = %c1 to %c16 step %c1 iter_args(%arg2 = %arg0, %arg3 = %c0_i16_0) -> (i16, i16) {
// CHECK-NEXT:         %3 = arith.cmpi slt, %arg2, %c0_i16 : i16
// CHECK-NEXT:         %4:2 = scf.if %3 -> (i16, i16) {
// CHECK-NEXT:           scf.yield %arg2, %arg3 : i16, i16
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %5 = arith.addi %arg3, %c1_i16 : i16
// CHECK-NEXT:           %6 = arith.shli %arg2, %c1_i16 : i16
// CHECK-NEXT:           scf.yield %6, %5 : i16, i16
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %4#0, %4#1 : i16, i16
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %2#1 : i16
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : i16
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @__mlir_math_ctlz_i8(%arg0: i8) -> i8 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
// CHECK-NEXT:     %c8_i8 = arith.constant 8 : i8
// CHECK-NEXT:     %c0_i8 = arith.constant 0 : i8
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg0, %c0_i8 : i8
// CHECK-NEXT:     %1 = scf.if %0 -> (i8) {
// CHECK-NEXT:       scf.yield %c8_i8 : i8
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c1_i8 = arith.constant 1 : i8
// CHECK-NEXT:       %c8 = arith.constant 8 : index
// CHECK-NEXT:       %c0_i8_0 = arith.constant 0 : i8
// CHECK-NEXT:       %2:2 = scf.for %arg1 = %c1 to %c8 step %c1 iter_args(%arg2 = %arg0, %arg3 = %c0_i8_0) -> (i8, i8) {
// CHECK-NEXT:         %3 = arith.cmpi slt, %arg2, %c0_i8 : i8
// CHECK-NEXT:         %4:2 = scf.if %3 -> (i8, i8) {
// CHECK-NEXT:           scf.yield %arg2, %arg3 : i8, i8
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %5 = arith.addi %arg3, %c1_i8 : i8
// CHECK-NEXT:           %6 = arith.shli %arg2, %c1_i8 : i8
// CHECK-NEXT:           scf.yield %6, %5 : i8, i8
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %4#0, %4#1 : i8, i8
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %2#1 : i8
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : i8
// CHECK-NEXT:   }
// CHECK-NEXT: }
