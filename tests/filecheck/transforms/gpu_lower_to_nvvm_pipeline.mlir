// RUN: xgpu-opt %examples/two_matmuls.mlir "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-format=isa" | filecheck %s
// RUN: xgpu-opt %examples/two_matmuls_launch.mlir "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-format=isa" | filecheck %s

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: llvm.func @two_matmuls
// CHECK: %[[S0:.*]] = llvm.call @mgpuStreamCreate()
// CHECK: gpu.launch_func <%[[S0]] : !llvm.ptr>
// CHECK: %[[S1:.*]] = llvm.call @mgpuStreamCreate()
// CHECK: gpu.launch_func <%[[S1]] : !llvm.ptr>
// CHECK: %[[S2:.*]] = llvm.call @mgpuStreamCreate()
// CHECK: llvm.call @mgpuStreamDestroy(%[[S0]])
// CHECK: llvm.call @mgpuStreamDestroy(%[[S1]])
// CHECK: gpu.launch_func <%[[S2]] : !llvm.ptr>
// CHECK: llvm.call @mgpuStreamDestroy(%[[S2]])
// CHECK: llvm.return
// CHECK: gpu.binary @{{.*}} [#gpu.object<#nvvm.target<chip = "sm_80">, {{.*}}assembly = "
