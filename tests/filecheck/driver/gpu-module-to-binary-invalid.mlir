// RUN: xgpu-opt %s --gpu-module-to-binary=format=isa --split-input-file --verify-diagnostics

module {
  // expected-error @+1 {{the module has no target attributes}}
  gpu.module @m {
  }
}

// -----

module {
  // expected-error @+1 {{unknown chip 'sm_1000', expected one of: sm_20}}
  gpu.module @m [#nvvm.target<chip = "sm_1000">] {
  }
}

// -----

module {
  gpu.module @m [#nvvm.target<chip = "sm_80">] {
    // expected-error @+1 {{LLVM Translation failed for operation: nvvm.inline_ptx}}
    "nvvm.inline_ptx"() <{ptxCode = "", operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
  }
}
