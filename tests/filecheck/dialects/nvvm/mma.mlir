// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// The PTX types of A and B are left out where they follow from the registers.
// CHECK-LABEL: func.func @dense
// CHECK: nvvm.mma.sync A[%{{.*}}, %{{.*}}]  B[%{{.*}}]  C[%{{.*}}, %{{.*}}]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
// GENERIC: multiplicandAPtxType = #nvvm.mma_type<f16>, multiplicandBPtxType = #nvvm.mma_type<f16>, operandSegmentSizes = array<i32: 2, 1, 2>
func.func @dense(%a: vector<2xf16>) {
  %0 = nvvm.mma.sync A[%a, %a] B[%a] C[%a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}

// CHECK-LABEL: func.func @sparse
// CHECK: nvvm.mma.sp.sync A[%{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}] sparseMetadata[%{{.*}}] selector[%{{.*}}] {shape = #nvvm.shape<m = 16, n = 8, k = 16>}
func.func @sparse(%a: vector<2xf16>, %i: i32) {
  %0 = nvvm.mma.sp.sync A[%a, %a] B[%a, %a] C[%a, %a] sparseMetadata[%i] selector[%i] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}

// CHECK-LABEL: func.func @scaled
// CHECK: nvvm.mma.block_scale A[%{{.*}}] B[%{{.*}}] C[%{{.*}}] scaleA[%{{.*}}, %{{.*}}, %{{.*}}] scaleB[%{{.*}}, %{{.*}}, %{{.*}}] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>
// CHECK: nvvm.mma.sp.block_scale A[%{{.*}}] B[%{{.*}}] C[%{{.*}}] sparseMetadata[%{{.*}}] selector[%{{.*}}] scaleA[{{.*}} orderedMetadata
func.func @scaled(%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<4xf32>, %i: i32, %s: i16) {
  %0 = nvvm.mma.block_scale A[%a] B[%b] C[%c] scaleA[%i, %s, %s] scaleB[%i, %s, %s] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e4m3>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (vector<4xi32>, vector<2xi32>, vector<4xf32>) -> !llvm.struct<(vector<4xf32>)>
  %1 = nvvm.mma.sp.block_scale A[%a] B[%a] C[%c] sparseMetadata[%i] selector[%i] scaleA[%i, %s, %s] scaleB[%i, %s, %s] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e4m3>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (vector<4xi32>, vector<4xi32>, vector<4xf32>) -> !llvm.struct<(vector<4xf32>)>
  return
}
