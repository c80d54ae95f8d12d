// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

module attributes {gpu.container_module} {
  func.func @no_module(%n: index) {
    // expected-error@+1 {{kernel container 'kernels' is undefined}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @count(%n: index) {
    // expected-error@+1 {{got 0 kernel operands but expected 1}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

gpu.module @m {
  // expected-note@+1 {{return type declared here}}
  gpu.func @returns(%a: f32) -> f32 {
    // expected-error@+1 {{expected 1 result operands}}
    gpu.return
  }
}

// -----

func.func @operation(%a: f32) {
  // expected-error@+1 {{`and` reduction operation is not compatible with type 'f32'}}
  %0 = gpu.all_reduce and %a {} : (f32) -> f32
  return
}
