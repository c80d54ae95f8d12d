// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: xgpu-opt --host-vectorize --split-input-file --verify-diagnostics %s
// RUN: xgpu-opt --host-uniformity --split-input-file --verify-diagnostics %s
// RUN: xgpu-opt --host-regions --split-input-file --verify-diagnostics %s

gpu.module @m {
  // expected-error@+1 {{the size of the kernel's blocks is not known: give the option 'block'}}
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// A size that the kernel itself names is enough.
gpu.module @m {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 2, 1>} {
    llvm.return
  }
}
