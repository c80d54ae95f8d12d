// Two nested loops become the blocks and the threads of a launch.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu{gpu-block-dims=1 gpu-thread-dims=1}))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16x32xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %0 = arith.subi %c16, %c0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %1 = arith.subi %c32, %c0_0 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %c1_2 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %0, %arg9 = %c1_2, %arg10 = %c1_2) threads(%arg5, %arg6, %arg7) in (%arg11 = %1, %arg12 = %c1_2, %arg13 = %c1_2) {
// CHECK-NEXT:       %2 = arith.addi %c0, %arg2 : index
// CHECK-NEXT:       %3 = arith.addi %c0_0, %arg5 : index
// CHECK-NEXT:       memref.store %arg1, %arg0[%2, %3] : memref<16x32xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<16x32xf32>, %x: f32) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 32 {
      memref.store %x, %m[%i, %j] : memref<16x32xf32>
    }
  }
  return
}
