// RUN: xgpu-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(gpu-lower-to-nvvm-pipeline{cubin-format=isa})'

// Private and workgroup buffers are allocated in address spaces 0 and 3. A type that names another
// one is not lowered, as in MLIR.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @+1 {{Type mismatch: cannot insert '!llvm.ptr' into '!llvm.struct<(ptr<5>, ptr<5>, i64, array<1 x i64>, array<1 x i64>)>'}}
    gpu.func @k(%x: memref<4xf32>) private(%buffer: memref<4xf32, 5>) kernel {
      %c0 = arith.constant 0 : index
      %value = memref.load %x[%c0] : memref<4xf32>
      memref.store %value, %buffer[%c0] : memref<4xf32, 5>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @+1 {{Type mismatch: cannot insert '!llvm.ptr<3>' into '!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>'}}
    gpu.func @k(%x: memref<4xf32>) workgroup(%buffer: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %value = memref.load %x[%c0] : memref<4xf32>
      memref.store %value, %buffer[%c0] : memref<4xf32>
      gpu.return
    }
  }
}
