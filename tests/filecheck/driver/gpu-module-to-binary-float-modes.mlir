// RUN: xgpu-opt %s --gpu-module-to-binary=format=isa | filecheck %s
// RUN: xgpu-opt %s --gpu-module-to-binary="format=isa fma-contract=1" | filecheck %s --check-prefix=CONTRACT
// RUN: xgpu-opt %s --gpu-module-to-binary="format=isa line-info=1" | filecheck %s --check-prefix=LINES

// LINES: .loc

// One object a target, each computed as its flags say.
// CHECK: gpu.object<#nvvm.target<chip = "sm_80">
// CHECK-SAME: div.rn.f32
// CHECK-SAME: mul.rn.f32
// CHECK-SAME: add.rn.f32
// CHECK-SAME: sqrt.rn.f32
// CHECK-SAME: gpu.object<#nvvm.target<chip = "sm_80", flags = {ftz}>
// CHECK-SAME: div.rn.ftz.f32
// CHECK-SAME: mul.rn.ftz.f32
// CHECK-SAME: sqrt.rn.ftz.f32
// CHECK-SAME: gpu.object<#nvvm.target<chip = "sm_80", flags = {fast}>
// CHECK-SAME: div.approx.ftz.f32
// CHECK-SAME: fma.rn.ftz.f32
// CHECK-SAME: sqrt.approx.ftz.f32

// CONTRACT: gpu.object<#nvvm.target<chip = "sm_80">
// CONTRACT-SAME: div.rn.f32
// CONTRACT-SAME: fma.rn.f32
module attributes {gpu.container_module} {
  gpu.module @kernels [
    #nvvm.target<chip = "sm_80">,
    #nvvm.target<chip = "sm_80", flags = {ftz}>,
    #nvvm.target<chip = "sm_80", flags = {fast}>
  ] {
    llvm.func @k(%p: !llvm.ptr, %a: f32) attributes {gpu.kernel, nvvm.kernel} {
      %0 = llvm.load %p : !llvm.ptr -> f32
      %1 = llvm.fdiv %0, %a : f32
      %2 = llvm.fmul %1, %a : f32
      %3 = llvm.fadd %2, %0 : f32
      %4 = llvm.intr.sqrt(%3) : (f32) -> f32
      llvm.store %4, %p : f32, !llvm.ptr
      llvm.return
    }
  }
}
