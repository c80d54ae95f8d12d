// RUN: xgpu-opt %s --convert-gpu-to-nvvm --verify-diagnostics

// MLIR has no lowering of it, and names the operation of the program.
gpu.module @kernels {
  gpu.func @k(%out: memref<32xindex>) kernel {
    // expected-error @+1 {{failed to legalize operation 'gpu.subgroup_id' that was explicitly marked illegal}}
    %s = gpu.subgroup_id : index
    %c0 = arith.constant 0 : index
    memref.store %s, %out[%c0] : memref<32xindex>
    gpu.return
  }
}
