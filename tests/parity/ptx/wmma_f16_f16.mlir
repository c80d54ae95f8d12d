gpu.func @k(%A: memref<32x32xf16>, %B: memref<32x32xf16>, %C: memref<32x32xf16>) kernel {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f16
  %init = gpu.subgroup_mma_constant_matrix %z : !gpu.mma_matrix<16x16xf16, "COp">
  %a = gpu.subgroup_mma_load_matrix %A[%c0, %c16] {leadDimension = 32 : index}
    : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %b = gpu.subgroup_mma_load_matrix %B[%c16, %c0] {leadDimension = 32 : index, transpose}
    : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %d = gpu.subgroup_mma_compute %a, %b, %init
    : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp">
    -> !gpu.mma_matrix<16x16xf16, "COp">
  %r = gpu.subgroup_mma_elementwise addf %d, %init
    : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">)
    -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %r, %C[%c0, %c0] {leadDimension = 32 : index}
    : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16>
  gpu.return
}
