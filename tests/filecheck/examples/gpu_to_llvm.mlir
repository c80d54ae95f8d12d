// A launch becomes a launch on a stream, a memref the struct that describes it.
// RUN: xgpu-opt %s --gpu-to-llvm | filecheck %s --match-full-lines

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target] {
    llvm.func @k(%x: f32) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  func.func @f(%x: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : f32)
    return
  }
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   gpu.module @kernels [#nvvm.target] {
// CHECK-NEXT:     llvm.func @k(%arg0: f32) attributes {gpu.kernel, nvvm.kernel} {
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @f(%arg0: f32) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     gpu.launch_func  @kernels::@k blocks in (%0, %0, %0) threads in (%0, %0, %0) : i64 args(%arg0 : f32)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
