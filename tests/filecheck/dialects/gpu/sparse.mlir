// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// Every sparse operation.

func.func @sparse(%n: index, %idx: memref<?xindex>, %val: memref<?xf64>, %buf: memref<?xi8>) {
  %t = gpu.wait async
  %coo, %t1 = gpu.create_coo async [%t] %n, %n, %n, %idx, %idx, %val : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %aos, %t2 = gpu.create_coo_aos async [%t1] %n, %n, %n, %idx, %val : memref<?xindex>, memref<?xf64>
  %csr, %t3 = gpu.create_csr async [%t2] %n, %n, %n, %idx, %idx, %val : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %csc, %t4 = gpu.create_csc async [%t3] %n, %n, %n, %idx, %idx, %val : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %bsr, %t5 = gpu.create_bsr async [%t4] %n, %n, %n, %n, %n, %idx, %idx, %val : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %two, %t6 = gpu.create_2to4_spmat async [%t5] {PRUNE_AND_CHECK} %n, %n, %val : memref<?xf64>
  %dn, %t7 = gpu.create_dn_tensor async [%t6] %val, %n : index into memref<?xf64>
  %dm, %t8 = gpu.create_dn_tensor async [%t7] %val, %n, %n : index, index into memref<?xf64>
  %bs, %t9 = gpu.spmv_buffer_size async [%t8] %csr, %dn, %dn into f64
  %t10 = gpu.spmv async [%t9] %csr, %dn, %dn, %buf : memref<?xi8> into f64
  %bs2, %t11 = gpu.spmm_buffer_size async [%t10] %csr, %dm, %dm : index into f64
  %t12 = gpu.spmm async [%t11] %csr, %dm, %dm, %buf : memref<?xi8> into f64
  %bs3, %t13 = gpu.sddmm_buffer_size async [%t12] %dm, %dm, %csr into f64
  %t14 = gpu.sddmm async [%t13] %dm, %dm, %csr, %buf : memref<?xi8> into f64
  %desc, %t15 = gpu.spgemm_create_descr async [%t14]
  %bs4, %t16 = gpu.spgemm_work_estimation_or_compute async [%t15] {WORK_ESTIMATION} %csr, %csr, %csr, %desc, %n, %buf : f64 into memref<?xi8>
  %t17 = gpu.spgemm_copy async [%t16] %csr, %csr, %csr, %desc : f64
  %r, %c, %z, %t18 = gpu.spmat_get_size async [%t17] %csr
  %t19 = gpu.set_csr_pointers async [%t18] %csr, %idx, %idx, %val : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %t20 = gpu.spgemm_destroy_descr async [%t19] %desc
  %t21 = gpu.destroy_sp_mat async [%t20] %csr
  %t22 = gpu.destroy_dn_tensor async [%t21] %dn
  gpu.wait [%t22]
  return
}

// CHECK: module {
// CHECK: func.func @sparse(%arg0: index, %arg1: memref<?xindex>, %arg2: memref<?xf64>, %arg3: memref<?xi8>) {
// CHECK: %0 = gpu.wait async
// CHECK: %spmat, %asyncToken = gpu.create_coo async [%0] %arg0, %arg0, %arg0, %arg1, %arg1, %arg2 : memref<?xindex>, memref<?xindex>, memref<?xf64>
// CHECK: %spmat_0, %asyncToken_1 = gpu.create_coo_aos async [%asyncToken] %arg0, %arg0, %arg0, %arg1, %arg2 : memref<?xindex>, memref<?xf64>
// CHECK: %spmat_2, %asyncToken_3 = gpu.create_csr async [%asyncToken_1] %arg0, %arg0, %arg0, %arg1, %arg1, %arg2 : memref<?xindex>, memref<?xindex>, memref<?xf64>
// CHECK: %spmat_4, %asyncToken_5 = gpu.create_csc async [%asyncToken_3] %arg0, %arg0, %arg0, %arg1, %arg1, %arg2 : memref<?xindex>, memref<?xindex>, memref<?xf64>
// CHECK: %spmat_6, %asyncToken_7 = gpu.create_bsr async [%asyncToken_5] %arg0, %arg0, %arg0, %arg0, %arg0, %arg1, %arg1, %arg2 : memref<?xindex>, memref<?xindex>, memref<?xf64>
// CHECK: %spMat, %asyncToken_8 = gpu.create_2to4_spmat async [%asyncToken_7]{ PRUNE_AND_CHECK} %arg0, %arg0, %arg2 : memref<?xf64>
// CHECK: %dnTensor, %asyncToken_9 = gpu.create_dn_tensor async [%asyncToken_8] %arg2, %arg0 : index into memref<?xf64>
// CHECK: %dnTensor_10, %asyncToken_11 = gpu.create_dn_tensor async [%asyncToken_9] %arg2, %arg0, %arg0 : index, index into memref<?xf64>
// CHECK: %bufferSz, %asyncToken_12 = gpu.spmv_buffer_size async [%asyncToken_11] %spmat_2, %dnTensor, %dnTensor into f64
// CHECK: %1 = gpu.spmv async [%asyncToken_12] %spmat_2, %dnTensor, %dnTensor, %arg3 : memref<?xi8> into f64
// CHECK: %bufferSzs, %asyncToken_13 = gpu.spmm_buffer_size async [%1] %spmat_2, %dnTensor_10, %dnTensor_10 : index into f64
// CHECK: %2 = gpu.spmm async [%asyncToken_13] %spmat_2, %dnTensor_10, %dnTensor_10, %arg3 : memref<?xi8> into f64
// CHECK: %bufferSz_14, %asyncToken_15 = gpu.sddmm_buffer_size async [%2] %dnTensor_10, %dnTensor_10, %spmat_2 into f64
// CHECK: %3 = gpu.sddmm async [%asyncToken_15] %dnTensor_10, %dnTensor_10, %spmat_2, %arg3 : memref<?xi8> into f64
// CHECK: %desc, %asyncToken_16 = gpu.spgemm_create_descr async [%3]
// CHECK: %bufferSzNew, %asyncToken_17 = gpu.spgemm_work_estimation_or_compute async [%asyncToken_16]{ WORK_ESTIMATION} %spmat_2, %spmat_2, %spmat_2, %desc, %arg0, %arg3 : f64 into memref<?xi8>
// CHECK: %4 = gpu.spgemm_copy async [%asyncToken_17] %spmat_2, %spmat_2, %spmat_2, %desc : f64
// CHECK: %rows, %cols, %nnz, %asyncToken_18 = gpu.spmat_get_size async [%4] %spmat_2
// CHECK: %5 = gpu.set_csr_pointers async [%asyncToken_18] %spmat_2, %arg1, %arg1, %arg2 : memref<?xindex>, memref<?xindex>, memref<?xf64>
// CHECK: %6 = gpu.spgemm_destroy_descr async [%5] %desc
// CHECK: %7 = gpu.destroy_sp_mat async [%6] %spmat_2
// CHECK: %8 = gpu.destroy_dn_tensor async [%7] %dnTensor
// CHECK: gpu.wait [%8]
// CHECK: return
// CHECK: }
// CHECK: }
