// RUN: xgpu-opt %s "--gpu-module-to-binary=format=host relaxed-float-atomics" | filecheck %s --check-prefix=RELAXED
// RUN: xgpu-opt %s --gpu-module-to-binary=format=host | filecheck %s --check-prefix=EXACT

// The code for the host device is made when a kernel is launched; the mark says what it may do then.
// RELAXED: host.relaxed_float_atomics
// EXACT-NOT: host.relaxed_float_atomics

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, nvvm.kernel} {
      llvm.store %x, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
