// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected ','}}
func.func @a() attributes {x = #nvvm.shape<m = 1, n = 2>} { return }

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: m}}
func.func @a() attributes {x = #nvvm.shape<m = 1, n = 2, m = 3>} { return }

// -----

// expected-error@+1 {{expected valid keyword}}
func.func @a() attributes {x = #nvvm.shape<m = 1, 5 = 2, k = 3>} { return }

// -----

// expected-error @+2 {{failed to parse MMATypesAttr parameter 'value' which is to be a `::mlir::NVVM::MMATypes`}}
// expected-error@+1 {{expected valid keyword or string}}
func.func @a() attributes {x = #nvvm.mma_type<7>} { return }

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: O}}
func.func @a() attributes {x = #nvvm.target<O = 3, O = 3>} { return }

// -----

// expected-error @+2 {{failed to parse NVGPU_WarpgroupAccumulator parameter 'fragmented' which is to be a `VectorType`}}
// expected-error@+1 {{invalid kind of type specified: expected builtin.vector, but found 'i32'}}
func.func private @a(!nvgpu.warpgroup.accumulator<fragmented = i32>)

// -----

llvm.func @mma(%c: f32, %s: i32, %t: i16) {
  // expected-error@+1 {{needs an operand for B}}
  %0 = nvvm.mma.block_scale A[%s, %s, %s, %s] B[] C[%c, %c, %c, %c] scaleA[%s, %t, %t] scaleB[%s, %t, %t]
    {shape = #nvvm.shape<m = 16, n = 8, k = 64>, multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, scaleVecSize = #nvvm.scale_vec_size<x2>, blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf4>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}
