// RUN: xgpu-opt %s --gpu-async-to-mgpu=mode=graph --mgpu-verify-lifetimes 2>&1 | filecheck %s
// RUN: xgpu-opt %s --gpu-async-to-mgpu=mode=graph --verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @a(%m: memref<4xf32>) kernel { gpu.return } }

  // Work with nothing between: built by the first that comes here, given new parameters later, and
  // launched as one behind what it needs.
  // CHECK-LABEL: func.func @together
  // CHECK-SAME: %[[T:[a-z0-9]+]]: !mgpu.event)
  // CHECK: mgpu.stream_wait_event %[[S:.*]], %[[T]]
  // CHECK: %[[X:.*]] = mgpu.cache_load @[[CACHE:.*]][0] : !mgpu.graph_exec
  // CHECK: %[[FIRST:.*]] = mgpu.is_null %[[X]] : !mgpu.graph_exec
  // CHECK: scf.if %[[FIRST]] {
  // CHECK: %[[G:.*]] = mgpu.graph_create
  // CHECK: %[[N0:.*]] = mgpu.graph_add_kernel %[[G]][],
  // CHECK: %[[N1:.*]] = mgpu.graph_add_memset %[[G]][],
  // CHECK: %[[N2:.*]] = mgpu.graph_add_memcpy %[[G]][%[[N0]], %[[N1]]],
  // CHECK: %[[MADE:.*]] = mgpu.graph_instantiate %[[G]]
  // CHECK: mgpu.cache_store %[[MADE]], @[[CACHE]][0]
  // CHECK: mgpu.cache_store %[[G]], @[[CACHE]][1]
  // CHECK: mgpu.cache_store %[[N0]], @[[CACHE]][2]
  // CHECK: } else {
  // CHECK: mgpu.graph_set_kernel
  // CHECK: mgpu.graph_set_memset
  // CHECK: mgpu.graph_set_memcpy
  // CHECK: }
  // CHECK: %[[E:.*]] = mgpu.cache_load @[[CACHE]][0] : !mgpu.graph_exec
  // CHECK: mgpu.graph_launch %[[E]], %[[S]]
  // CHECK: mgpu.stream_synchronize %[[S]]
  func.func @together(%n: index, %m: memref<4xf32>, %o: memref<4xf32>, %v: f32, %t: !gpu.async.token) {
    %0 = gpu.launch_func async [%t] @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<4xf32>)
    %1 = gpu.memset async %o, %v : memref<4xf32>, f32
    %j = gpu.wait async [%0, %1]
    %2 = gpu.memcpy async [%j] %o, %m : memref<4xf32>, memref<4xf32>
    gpu.wait [%2]
    return
  }

  // CHECK-LABEL: func.func @apart
  // CHECK-NOT: mgpu.graph
  // CHECK: return
  func.func @apart(%n: index, %m: memref<4xf32>, %v: f32) {
    // expected-remark @+1 {{'gpu.alloc' runs on a stream and not in a graph: memory of a graph would belong to the graph}}
    %a, %0 = gpu.alloc async () : memref<4xf32>
    // expected-remark @+1 {{'gpu.memset' runs on a stream and not in a graph: nothing else can be in a graph with it}}
    %1 = gpu.memset async [%0] %a, %v : memref<4xf32>, f32
    // expected-remark @+1 {{'gpu.memcpy' runs on a stream and not in a graph: the host waits for it}}
    gpu.memcpy [%1] %m, %a : memref<4xf32>, memref<4xf32>
    // expected-remark @+1 {{'gpu.launch_func' runs on a stream and not in a graph: the parameters of a launch in clusters cannot be changed in a graph}}
    %2 = gpu.launch_func async @k::@a clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<4xf32>)
    // expected-remark @+1 {{'gpu.dealloc' runs on a stream and not in a graph: memory of a graph would belong to the graph}}
    %3 = gpu.dealloc async [%2] %a : memref<4xf32>
    gpu.wait [%3]
    return
  }
}

// CHECK: llvm.mlir.global internal @[[CACHE]]() {{.*}} : !llvm.array<5 x ptr>
// CHECK: llvm.func internal @[[CACHE]]_end()
// CHECK: mgpu.graph_exec_destroy
// CHECK: mgpu.graph_destroy
// CHECK: llvm.mlir.global_dtors dtors = [@[[CACHE]]_end], priorities = [124 : i32]
