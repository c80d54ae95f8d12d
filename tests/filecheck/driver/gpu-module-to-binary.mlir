// RUN: xgpu-opt %s --gpu-module-to-binary=format=isa | filecheck %s
// RUN: xgpu-opt %s --gpu-module-to-binary="format=isa section=here" | filecheck %s --check-prefix=SECTION
// RUN: xgpu-opt %s --gpu-module-to-binary=format=llvm | filecheck %s --check-prefix=LLVM

// CHECK:         gpu.binary @kernels  [#gpu.object<#nvvm.target<chip = "sm_80">, properties = {O = 2 : i32}, assembly = "//
// CHECK-SAME:    .version 7.0\0A.target sm_80\0A
// CHECK-SAME:    .visible .entry k(
// CHECK-SAME:    #gpu.object<#nvvm.target<O = 3, chip = "sm_90a">, properties = {O = 3 : i32}, assembly = "//
// CHECK-NOT:     gpu.module
// SECTION:       properties = {O = 2 : i32, section = "here"}
// LLVM:          offload = "BC\C0\DE
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80">, #nvvm.target<O = 3, chip = "sm_90a">] {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %0 = nvvm.read.ptx.sreg.tid.x : i32
      llvm.store %0, %p : i32, !llvm.ptr
      llvm.return
    }
  }
}
