// A module of kernels gets the chip that it is compiled for.
// RUN: xgpu-opt %s --nvvm-attach-target='chip=sm_90 O=3' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90">] {
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
}
