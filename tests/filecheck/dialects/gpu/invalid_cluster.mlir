// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// mlir-opt 22.1 accepts a launch with a part of a cluster's sizes.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel {
      gpu.return
    }
  }
  func.func @f(%n: index, %x: f32) {
    // expected-error@+1 {{'gpu.launch_func' op cluster size must be all present}}
    "gpu.launch_func"(%n, %n, %n, %n, %n, %n, %n, %x) <{kernel = @kernels::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, index, f32) -> ()
    return
  }
}
