// Counting leading zeros becomes a function of the module.
// RUN: xgpu-opt %s --convert-math-to-funcs=convert-ctlz | filecheck %s --match-full-lines

func.func @f(%x: i32) -> i32 {
  %0 = math.ctlz %x : i32
  return %0 : i32
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = call @__mlir_math_ctlz_i32(%arg0) : (i32) -> i32
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @__mlir_math_ctlz_i32(%arg0: i32) -> i32 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
// CHECK-NEXT:     %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg0, %c0_i32 : i32
// CHECK-NEXT:     %1 = scf.if %0 -> (i32) {
// CHECK-NEXT:       scf.yield %c32_i32 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %c32 = arith.constant 32 : index
// CHECK-NEXT:       %c0_i32_0 = arith.constant 0 : i32
// CHECK-NEXT:       %2:2 = scf.for %arg1 = %c1 to %c32 step %c1 iter_args(%arg2 = %arg0, %arg3 = %c0_i32_0) -> (i32, i32) {
// CHECK-NEXT:         %3 = arith.cmpi slt, %arg2, %c0_i32 : i32
// CHECK-NEXT:         %4:2 = scf.if %3 -> (i32, i32) {
// CHECK-NEXT:           scf.yield %arg2, %arg3 : i32, i32
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %5 = arith.addi %arg3, %c1_i32 : i32
// CHECK-NEXT:           %6 = arith.shli %arg2, %c1_i32 : i32
// CHECK-NEXT:           scf.yield %6, %5 : i32, i32
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %4#0, %4#1 : i32, i32
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %2#1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
