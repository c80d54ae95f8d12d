// A function of CUDA's device runtime that kernels call gets a body.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-define-device-runtime))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     func.func private @cudaCGGetIntrinsicHandle(%arg0: i32) -> i64 {
// CHECK-NEXT:       %c1_i64 = arith.constant 1 : i64
// CHECK-NEXT:       return %c1_i64 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  func.func private @cudaCGGetIntrinsicHandle(i32) -> i64
}
