// RUN: xgpu-opt %s --gpu-async-to-mgpu=assign=exact | filecheck %s
// RUN: xgpu-opt %s --gpu-lower-to-nvvm-pipeline="cubin-chip=sm_90 cubin-format=isa async-assign=exact" | filecheck %s --check-prefix=LLVM

// Every operation has a stream of its own; tokens are events wherever they go.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<4xf32>) kernel {
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @chain(
  // CHECK-SAME: %[[T:.*]]: !mgpu.event, %{{.*}}: memref<4xf32>, %{{.*}}: f32) -> !mgpu.event
  func.func @chain(%t: !gpu.async.token, %m: memref<4xf32>, %v: f32) -> !gpu.async.token {
    %c1 = arith.constant 1 : index
    // CHECK: %[[S:.*]] = mgpu.stream_create
    // CHECK-NEXT: mgpu.stream_wait_event %[[S]], %[[T]]
    // CHECK-NEXT: mgpu.memset %[[S]], %{{.*}}, %{{.*}} : memref<4xf32>, f32
    // CHECK-NEXT: %[[A:.*]] = mgpu.event_create
    // CHECK-NEXT: mgpu.event_record %[[A]], %[[S]]
    // CHECK-NEXT: mgpu.stream_destroy %[[S]]
    %a = gpu.memset async [%t] %m, %v : memref<4xf32>, f32
    // CHECK-NEXT: %[[R:.*]] = mgpu.stream_create
    // CHECK-NEXT: mgpu.stream_wait_event %[[R]], %[[A]]
    // CHECK-NEXT: mgpu.launch %[[R]],
    // CHECK-NEXT: %[[B:.*]] = mgpu.event_create
    // CHECK-NEXT: mgpu.event_record %[[B]], %[[R]]
    // CHECK-NEXT: mgpu.stream_destroy %[[R]]
    %b = gpu.launch_func async [%a] @kernels::@k
        blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<4xf32>)
    // A join of two.
    // CHECK-NEXT: %[[J:.*]] = mgpu.stream_create
    // CHECK-NEXT: mgpu.stream_wait_event %[[J]], %[[A]]
    // CHECK-NEXT: mgpu.stream_wait_event %[[J]], %[[B]]
    // CHECK-NEXT: %[[C:.*]] = mgpu.event_create
    // CHECK-NEXT: mgpu.event_record %[[C]], %[[J]]
    // CHECK-NEXT: mgpu.stream_destroy %[[J]]
    %c = gpu.wait async [%a, %b]
    // CHECK-NEXT: return %[[C]] : !mgpu.event
    return %c : !gpu.async.token
  }

  // CHECK-LABEL: func.func @loop(
  func.func @loop(%m: memref<4xf32>, %v: f32, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: %[[START:.*]] = mgpu.event_create
    %t = gpu.wait async
    // CHECK-NEXT: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[ARG:.*]] = %[[START]]) -> (!mgpu.event)
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%arg = %t) -> (!gpu.async.token) {
      // CHECK-NEXT: %[[GIVEN:.*]] = func.call @chain(%[[ARG]], %{{.*}}, %{{.*}}) : (!mgpu.event, memref<4xf32>, f32) -> !mgpu.event
      %next = func.call @chain(%arg, %m, %v)
          : (!gpu.async.token, memref<4xf32>, f32) -> !gpu.async.token
      // CHECK-NEXT: scf.yield %[[GIVEN]] : !mgpu.event
      scf.yield %next : !gpu.async.token
    }
    // CHECK: mgpu.event_synchronize %[[LAST]]
    gpu.wait [%last]
    // The host waits for a synchronous operation.
    // CHECK-NEXT: %[[Q:.*]] = mgpu.stream_create
    // CHECK-NEXT: mgpu.memset %[[Q]]
    // CHECK-NEXT: mgpu.stream_synchronize %[[Q]]
    // CHECK-NEXT: mgpu.stream_destroy %[[Q]]
    gpu.memset %m, %v : memref<4xf32>, f32
    return
  }
}
// LLVM-LABEL: llvm.func @loop
// LLVM: llvm.br ^bb1(%{{.*}}, %{{.*}} : i64, !llvm.ptr)
// LLVM: llvm.call @mgpuEventSynchronize
