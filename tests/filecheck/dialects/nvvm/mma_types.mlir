// The PTX types of factors are printed where they do not follow from the registers.
// RUN: xgpu-opt %s | xgpu-opt | filecheck %s

// CHECK: nvvm.mma.sp.sync {{.*}} {multiplicandBPtxType = #nvvm.mma_type<tf32>, orderedMetadata, shape
func.func @other(%a: vector<2xf16>, %f: f32, %i: i32) {
  %0 = "nvvm.mma.sp.sync"(%a, %a, %a, %a, %a, %a, %a, %a, %f, %f, %f, %f, %i, %i) <{multiplicandAPtxType = #nvvm.mma_type<f16>, multiplicandBPtxType = #nvvm.mma_type<tf32>, operandSegmentSizes = array<i32: 4, 4, 4, 1, 1>, orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 32>}> : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}
// CHECK: nvvm.mma.sp.sync {{.*}} {orderedMetadata, shape
func.func @same(%a: vector<2xf16>, %f: f32, %i: i32) {
  %0 = "nvvm.mma.sp.sync"(%a, %a, %a, %a, %a, %a, %a, %a, %f, %f, %f, %f, %i, %i) <{multiplicandAPtxType = #nvvm.mma_type<f16>, multiplicandBPtxType = #nvvm.mma_type<f16>, operandSegmentSizes = array<i32: 4, 4, 4, 1, 1>, orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 32>}> : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}
