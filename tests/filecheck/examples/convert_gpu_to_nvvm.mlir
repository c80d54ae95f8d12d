// Operations of kernels become those of NVIDIA's GPUs.
// RUN: xgpu-opt %s --convert-gpu-to-nvvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64) attributes {gpu.kernel, nvvm.kernel} {
// CHECK-NEXT:       nvvm.barrier0
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @f(%m: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %m[%i] : memref<?xf32>
    gpu.barrier
    gpu.return
  }
}
