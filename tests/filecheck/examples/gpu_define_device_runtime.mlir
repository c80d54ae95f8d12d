// A function of CUDA's device runtime that kernels call gets a body.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-define-device-runtime))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     func.func private @cudaCGGetIntrinsicHandle(%arg0: i32) -> i64 {
// CHECK-NEXT:       %c32_i64 = arith.constant 32 : i64
// CHECK-NEXT:       %0 = nvvm.read.ptx.sreg.envreg1 : i32
// CHECK-NEXT:       %1 = nvvm.read.ptx.sreg.envreg2 : i32
// CHECK-NEXT:       %2 = arith.extui %0 : i32 to i64
// CHECK-NEXT:       %3 = arith.extui %1 : i32 to i64
// CHECK-NEXT:       %4 = arith.shli %3, %c32_i64 : i64
// CHECK-NEXT:       %5 = arith.ori %4, %2 : i64
// CHECK-NEXT:       return %5 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  func.func private @cudaCGGetIntrinsicHandle(i32) -> i64
}
