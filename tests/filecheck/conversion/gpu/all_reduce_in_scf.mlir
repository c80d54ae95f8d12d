// What a reduction becomes needs blocks, which a loop's body cannot have.
// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm))" --split-input-file --verify-diagnostics
// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --test-gpu-rewrite --split-input-file --verify-diagnostics

gpu.module @in_a_loop {
  gpu.func @kernel(%v: i32, %n: index) kernel {
    scf.for %i = %n to %n step %n {
      // expected-error @below {{'gpu.all_reduce' op becomes branches, for which the region of 'scf.for' around it has no room; convert-scf-to-cf makes it}}
      %r = gpu.all_reduce add %v uniform {} : (i32) -> i32
    }
    gpu.return
  }
}

// -----

gpu.module @in_a_condition {
  gpu.func @kernel(%v: i32, %c: i1) kernel {
    scf.if %c {
      // expected-error @below {{the region of 'scf.if' around it has no room}}
      %r = gpu.all_reduce add %v uniform {} : (i32) -> i32
    }
    gpu.return
  }
}
