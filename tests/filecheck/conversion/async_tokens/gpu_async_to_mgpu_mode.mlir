// RUN: xgpu-opt %s --gpu-async-to-mgpu=mode=graph | filecheck %s --check-prefix=GRAPH
// RUN: xgpu-opt %s --gpu-async-to-mgpu=mode=streams | filecheck %s --check-prefix=STREAMS

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @b() kernel {
      gpu.return
    }
  }
  // GRAPH-LABEL: func.func @chain
  // GRAPH: %[[GRAPH:.*]] = mgpu.graph_create
  // GRAPH: %[[FIRST:.*]] = mgpu.graph_add_kernel %[[GRAPH]][],
  // GRAPH: mgpu.graph_add_kernel %[[GRAPH]][%[[FIRST]]],
  // GRAPH: mgpu.graph_add_kernel %[[GRAPH]][%[[FIRST]]],
  // GRAPH: mgpu.graph_launch
  // STREAMS-LABEL: func.func @chain
  // STREAMS-NOT: graph
  // STREAMS-COUNT-3: mgpu.launch
  func.func @chain(%n: index) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %2 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%1, %2]
    return
  }
}
