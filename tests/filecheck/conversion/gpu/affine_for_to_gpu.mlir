// RUN: xgpu-opt %s --pass-pipeline=builtin.module(func.func(convert-affine-for-to-gpu)) | filecheck %s

// A nest of loops as a launch.

func.func @loops(%m: memref<32x32xf32>) {
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      %v = affine.load %m[%i, %j] : memref<32x32xf32>
      affine.store %v, %m[%j, %i] : memref<32x32xf32>
    }
  }
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @loops(%arg0: memref<32x32xf32>) {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c32 = arith.constant 32 : index
// CHECK-NEXT: %0 = arith.subi %c32, %c0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0_0 = arith.constant 0 : index
// CHECK-NEXT: %c32_1 = arith.constant 32 : index
// CHECK-NEXT: %1 = arith.subi %c32_1, %c0_0 : index
// CHECK-NEXT: %c1_2 = arith.constant 1 : index
// CHECK-NEXT: %c1_3 = arith.constant 1 : index
// CHECK-NEXT: gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %0, %arg8 = %c1_3, %arg9 = %c1_3) threads(%arg4, %arg5, %arg6) in (%arg10 = %1, %arg11 = %c1_3, %arg12 = %c1_3) {
// CHECK-NEXT: %2 = arith.addi %c0, %arg1 : index
// CHECK-NEXT: %3 = arith.addi %c0_0, %arg4 : index
// CHECK-NEXT: %4 = affine.load %arg0[%2, %3] : memref<32x32xf32>
// CHECK-NEXT: affine.store %4, %arg0[%3, %2] : memref<32x32xf32>
// CHECK-NEXT: gpu.terminator
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
