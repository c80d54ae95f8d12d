// RUN: xgpu-opt %examples/two_matmuls.mlir "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-format=isa" | filecheck %s --check-prefixes=CHECK,OURS
// RUN: xgpu-opt %examples/two_matmuls_launch.mlir "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-format=isa" | filecheck %s --check-prefixes=CHECK,OURS
// RUN: xgpu-opt %examples/two_matmuls.mlir "--gpu-lower-to-nvvm-pipeline=cubin-chip=sm_80 cubin-format=isa async-lowering=mlir" --canonicalize | filecheck %s --check-prefixes=CHECK,MLIR

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: llvm.func @two_matmuls

// Two streams and one event, and all are gone at the end.
// OURS: %[[AT:.*]] = llvm.mlir.addressof @{{.*}}_function : !llvm.ptr
// OURS: %[[BUFFER:.*]] = llvm.alloca
// OURS: llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr
// OURS: %[[S0:.*]] = llvm.call @mgpuStreamCreate()
// OURS: llvm.call @mgpuLaunchKernel({{.*}}, %[[S0]],
// OURS: %[[S1:.*]] = llvm.call @mgpuStreamCreate()
// OURS: llvm.call @mgpuLaunchKernel({{.*}}, %[[S1]],
// OURS: %[[E:.*]] = llvm.call @mgpuEventCreate()
// OURS: llvm.call @mgpuEventRecord(%[[E]], %[[S1]])
// OURS: llvm.call @mgpuStreamDestroy(%[[S1]])
// OURS: llvm.call @mgpuStreamWaitEvent(%[[S0]], %[[E]])
// OURS: llvm.call @mgpuEventDestroy(%[[E]])
// OURS-NOT: mgpuStreamCreate
// OURS: llvm.call @mgpuLaunchKernel({{.*}}, %[[S0]],
// OURS: llvm.call @mgpuStreamSynchronize(%[[S0]])
// OURS: llvm.call @mgpuStreamDestroy(%[[S0]])
// OURS: llvm.return

// MLIR: %[[S0:.*]] = llvm.call @mgpuStreamCreate()
// MLIR: gpu.launch_func <%[[S0]] : !llvm.ptr>
// MLIR: %[[S1:.*]] = llvm.call @mgpuStreamCreate()
// MLIR: gpu.launch_func <%[[S1]] : !llvm.ptr>
// MLIR: %[[S2:.*]] = llvm.call @mgpuStreamCreate()
// MLIR: gpu.launch_func <%[[S2]] : !llvm.ptr>

// CHECK: gpu.binary @{{.*}} [#gpu.object<#nvvm.target<chip = "sm_80">, {{.*}}assembly = "
