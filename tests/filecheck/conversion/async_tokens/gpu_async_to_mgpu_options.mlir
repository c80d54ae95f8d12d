// RUN: xgpu-opt %s --gpu-async-to-mgpu=max-streams=1 --mgpu-verify-lifetimes | filecheck %s --check-prefix=ONE
// RUN: xgpu-opt %s --gpu-async-to-mgpu=assign=min-events --mgpu-verify-lifetimes | filecheck %s --check-prefix=EVENTS
// RUN: xgpu-opt %s --gpu-async-to-mgpu=assign=min-streams --mgpu-verify-lifetimes | filecheck %s --check-prefix=STREAMS
// RUN: xgpu-opt %s --gpu-async-to-mgpu=locations=true | filecheck %s --check-prefix=PLACES

module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @b() kernel { gpu.return } }

  // Two that come before one, and two that come after it: a chain may go past the one in the middle
  // (two streams), or every chain follows tokens (a third stream).
  // ONE: mgpu.stream_create
  // ONE-NOT: mgpu.stream_create
  // ONE-NOT: mgpu.event_create
  // STREAMS-COUNT-2: mgpu.stream_create
  // STREAMS-NOT: mgpu.stream_create
  // EVENTS-COUNT-3: mgpu.stream_create
  // EVENTS-NOT: mgpu.stream_create
  // PLACES: mgpu.annotate "{{.*}}gpu_async_to_mgpu_options.mlir:{{[0-9]+}}:10"
  // PLACES: mgpu.launch
  func.func @middle(%n: index) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %2 = gpu.launch_func async [%0, %1] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %3 = gpu.launch_func async [%2] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %4 = gpu.launch_func async [%2] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%3, %4]
    return
  }
}
