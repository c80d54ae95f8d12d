// RUN: xgpu-opt %s --gpu-to-llvm | filecheck %s

// Two streams meet: MLIR's lowering of tokens, which is this pass, loses them.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target] {
    llvm.func @k() attributes {gpu.kernel} { llvm.return }
  }
  // CHECK-LABEL: llvm.func @join
  func.func @join(%n: index) {
    // CHECK: %[[S0:.*]] = llvm.call @mgpuStreamCreate()
    // CHECK: gpu.launch_func <%[[S0]] : !llvm.ptr> @kernels::@k
    // CHECK: %[[E0:.*]] = llvm.call @mgpuEventCreate()
    // CHECK: llvm.call @mgpuEventRecord(%[[E0]], %[[S0]])
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    // CHECK: %[[S1:.*]] = llvm.call @mgpuStreamCreate()
    // CHECK: gpu.launch_func <%[[S1]] : !llvm.ptr> @kernels::@k
    // CHECK: %[[E1:.*]] = llvm.call @mgpuEventCreate()
    // CHECK: llvm.call @mgpuEventRecord(%[[E1]], %[[S1]])
    %t2 = gpu.wait async
    %t3 = gpu.launch_func async [%t2] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    // CHECK: %[[S2:.*]] = llvm.call @mgpuStreamCreate()
    // CHECK: llvm.call @mgpuStreamWaitEvent(%[[S2]], %[[E0]])
    // CHECK: llvm.call @mgpuStreamWaitEvent(%[[S2]], %[[E1]])
    // CHECK: llvm.call @mgpuEventDestroy(%[[E0]])
    // CHECK: llvm.call @mgpuEventDestroy(%[[E1]])
    // CHECK-NOT: llvm.call @mgpuStreamDestroy(%[[S0]])
    %t4 = gpu.wait async [%t1, %t3]
    // CHECK: gpu.launch_func <%[[S2]] : !llvm.ptr> @kernels::@k
    %t5 = gpu.launch_func async [%t4] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    // CHECK: llvm.call @mgpuStreamSynchronize(%[[S2]])
    // CHECK: llvm.call @mgpuStreamDestroy(%[[S2]])
    gpu.wait [%t5]
    return
  }
}
