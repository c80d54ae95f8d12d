// RUN: xgpu-opt %s --gpu-async-region | filecheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel { gpu.return }
  }
  // CHECK-LABEL: func.func @chain
  func.func @chain(%n: index) {
    // CHECK: %[[T0:.*]] = gpu.wait async
    // CHECK: %[[T1:.*]] = gpu.launch_func async [%[[T0]]]
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    // CHECK: %[[T2:.*]] = gpu.launch_func async [%[[T1]]]
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    // CHECK: gpu.wait [%[[T2]]]
    return
  }
}
