// RUN: not xgpu-opt %s --gpu-module-to-binary="format=isa l=/does/not/exist.bc" 2>&1 | filecheck %s
// RUN: not xgpu-opt %s --gpu-module-to-binary="format=isa toolkit=/does/not/exist" 2>&1 | filecheck %s --check-prefix=TOOLKIT
// RUN: xgpu-opt %s --gpu-module-to-binary="format=isa opts=--maxrregcount=32" | filecheck %s --check-prefix=OPTS
// RUN: xgpu-opt %s --gpu-module-to-binary="format=isa line-info=true" | filecheck %s --check-prefix=LINES

// CHECK: error: File path: "/does/not/exist.bc" does not exist or is not a file.
// TOOLKIT: error: CUDA path: /does/not/exist does not exist or is not a directory.
// OPTS: gpu.binary @kernels  [#gpu.object<#nvvm.target<chip = "sm_90">, properties = {O = 2 : i32}, assembly = "//
// LINES: .loc
gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
