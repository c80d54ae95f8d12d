// RUN: xgpu-opt %s --gpu-async-to-mgpu --mgpu-verify-lifetimes --gpu-to-llvm --reconcile-unrealized-casts | filecheck %s

// Calls of libraries keep their operations, and get the stream in place of the token.
module attributes {gpu.container_module} {
  // CHECK-LABEL: llvm.func @sparse
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK: %[[M:.*]] = llvm.call @mgpuCreateCoo({{.*}}, %[[S]])
  // CHECK: %[[V:.*]] = llvm.call @mgpuCreateDnVec({{.*}}, %[[S]])
  // CHECK: llvm.call @mgpuSpMVBufferSize({{.*}}, %[[S]])
  // CHECK: llvm.call @mgpuMemAllocAsync(%{{.*}}, %[[S]])
  // CHECK: llvm.call @mgpuSpMV({{.*}}, %[[S]])
  // CHECK: llvm.call @mgpuDestroySpMat(%[[M]], %[[S]])
  // CHECK: llvm.call @mgpuStreamSynchronize(%[[S]])
  // CHECK: llvm.call @mgpuDestroyDnVec(%[[V]], %[[S]])
  // CHECK: llvm.call @mgpuStreamSynchronize(%[[S]])
  // CHECK: llvm.call @mgpuStreamDestroy(%[[S]])
  func.func @sparse(%n: index, %a: memref<?xi32>, %v: memref<?xf64>) {
    %sp, %1 = gpu.create_coo async %n, %n, %n, %a, %a, %v : memref<?xi32>, memref<?xi32>, memref<?xf64>
    %dn, %2 = gpu.create_dn_tensor async [%1] %v, %n : index into memref<?xf64>
    %size, %3 = gpu.spmv_buffer_size async [%1, %2] %sp, %dn, %dn into f64
    %m, %4 = gpu.alloc async [%3] (%size) : memref<?xi8>
    %5 = gpu.spmv async [%4, %2] %sp, %dn, %dn, %m : memref<?xi8> into f64
    %6 = gpu.destroy_sp_mat async [%5] %sp
    gpu.wait [%6]
    %7 = gpu.wait async
    %8 = gpu.destroy_dn_tensor async [%7] %dn
    gpu.wait [%8]
    return
  }
}
