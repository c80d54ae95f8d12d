// RUN: xgpu-opt %s --gpu-to-llvm | filecheck %s

module attributes {gpu.container_module} {
  // A product of a sparse matrix and a vector: 3 is the code of 64-bit indices, 1 that of f64.
  // CHECK-LABEL: llvm.func @spmv
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamCreate()
  // CHECK: %[[A:.*]] = llvm.call @mgpuCreateCsr({{.*}}, %[[S]]) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
  // CHECK: %[[X:.*]] = llvm.call @mgpuCreateDnVec({{.*}}, %[[S]]) : (i64, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
  // CHECK: llvm.call @mgpuSpMVBufferSize(%{{.*}}, %[[A]], %[[X]], %[[X]], %{{.*}}, %[[S]])
  // CHECK: llvm.call @mgpuSpMV(%{{.*}}, %[[A]], %[[X]], %[[X]], %{{.*}}, %{{.*}}, %[[S]])
  // CHECK: llvm.call @mgpuDestroySpMat(%[[A]], %[[S]])
  // CHECK: llvm.call @mgpuDestroyDnVec(%[[X]], %[[S]])
  // CHECK: llvm.call @mgpuStreamSynchronize(%[[S]])
  func.func @spmv(%n: index, %i: memref<?xindex>, %v: memref<?xf64>) {
    %t0 = gpu.wait async
    %a, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    %x, %t2 = gpu.create_dn_tensor async [%t1] %v, %n : index into memref<?xf64>
    %s, %t3 = gpu.spmv_buffer_size async [%t2] %a, %x, %x into f64
    %t4 = gpu.spmv async [%t3] %a, %x, %x, %v : memref<?xf64> into f64
    %t5 = gpu.destroy_sp_mat async [%t4] %a
    %t6 = gpu.destroy_dn_tensor async [%t5] %x
    gpu.wait [%t6]
    return
  }

  // A matrix of 2:4 sparsity, and the dense one it is multiplied with, are cuSPARSELt's.
  // CHECK-LABEL: llvm.func @lt
  // CHECK: %[[N:.*]] = llvm.mlir.constant(44104 : index)
  // CHECK: llvm.alloca %[[N]] x i8 {alignment = 16 : i64}
  // CHECK: llvm.call @mgpuCusparseLtCreate2To4SpMat
  // CHECK: llvm.mlir.constant(11032 : index)
  // CHECK: llvm.call @mgpuCreateCuSparseLtDnMat
  // CHECK: llvm.call @mgpuCuSparseLtSpMMBufferSize
  // CHECK: llvm.call @mgpuCuSparseLtSpMM
  // CHECK: llvm.call @mgpuDestroyCuSparseLtSpMat
  // CHECK: llvm.call @mgpuDestroyCuSparseLtDnMat
  func.func @lt(%n: index, %v: memref<?xf16>) {
    %t0 = gpu.wait async
    %a, %t1 = gpu.create_2to4_spmat async [%t0] {PRUNE_AND_CHECK} %n, %n, %v : memref<?xf16>
    %b, %t2 = gpu.create_dn_tensor async [%t1] %v, %n, %n : index, index into memref<?xf16>
    %s:3, %t3 = gpu.spmm_buffer_size async [%t2] %a, %b, %b : index, index, index into f16
    %t4 = gpu.spmm async [%t3] %a, %b, %b, %v, %v, %v : memref<?xf16>, memref<?xf16>, memref<?xf16> into f16
    %t5 = gpu.destroy_sp_mat async [%t4] %a
    %t6 = gpu.destroy_dn_tensor async [%t5] %b
    gpu.wait [%t6]
    return
  }
}
