// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What nvvm operations, attributes and targets cannot be, in MLIR's words.

func.func @a(%a: vector<2xf16>, %i : i32, %f: f32) {
  // expected-error@+1 {{'nvvm.mma.sync' op Could not match types for the A operands; expected one of 2xvector<2xf16> but got vector<2xf16>}}
  %0 = nvvm.mma.sync A[%a] B[%a] C[%a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}

// -----

func.func @a(%a: vector<2xf16>, %i : i32, %f: f32) {
  // expected-error@+1 {{invalid shape or multiplicand type: s32}}
  %0 = nvvm.mma.sync A[%i, %i] B[%i] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32,i32,i32,i32)>
  return
}

// -----

func.func @a(%a: vector<2xf16>, %i : i32, %f: f32) {
  // expected-error@+1 {{'nvvm.mma.sync' op op requires intOverflowBehavior attribute}}
  %0 = nvvm.mma.sync A[%i, %i] B[%i] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32,i32,i32,i32)>
  return
}

// -----

func.func @a(%a: vector<2xf16>, %i : i32, %f: f32) {
  // expected-error@+1 {{'nvvm.mma.sync' op requires layoutA = #nvvm.mma_layout<row> and layoutB = #nvvm.mma_layout<col> for shape <16, 8, 16> with element types s8 and s8. Only m8n8k4 with f16 supports other layouts.}}
  %0 = nvvm.mma.sync A[%i, %i] B[%i] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32,i32,i32,i32)>
  return
}

// -----

func.func @a(%a: vector<2xf16>, %i : i32, %f: f32) {
  // expected-error@+1 {{'nvvm.mma.sync' op op requires b1Op attribute}}
  %0 = nvvm.mma.sync A[%i] B[%i] C[%i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, shape = #nvvm.shape<m = 8, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32,i32)>
  return
}

// -----

func.func @a(%a: vector<2xf16>, %i : i32, %f: f32) {
  // expected-error@+1 {{'nvvm.mma.sync' op unimplemented variant for MMA shape <16, 8, 128>}}
  %0 = nvvm.mma.sync A[%i] B[%i] C[%f, %f, %f, %f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @a(%a: vector<2xf16>, %i : i32, %f: f32) {
  // expected-error@+1 {{'nvvm.mma.sync' op ctype does not match dtype}}
  %0 = nvvm.mma.sync A[%i, %i] B[%i] C[%a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, vector<2xf16>) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @a(%a: vector<2xf16>, %i : i32, %f: f32) {
  // expected-error@+1 {{'nvvm.mma.sync' op Could not match types for the C operands; expected one of 2xvector<2xf16> 4xf32 but got f32, f32}}
  %0 = nvvm.mma.sync A[%i, %i] B[%i] C[%f, %f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32)>
  return
}

// -----

func.func @a(%a: vector<4xi32>, %i : i32, %s: i16) {
  // expected-error@+1 {{custom op 'nvvm.mma.block_scale' number of operands and types do not match: got 2 operands and 3 types}}
  %0 = nvvm.mma.block_scale A[%a] B[%a] C[%a] scaleA[%i, %s] scaleB[%i, %s, %s] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf4>, multiplicandAPtxType = #nvvm.mma_type<e2m3>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xf32>)>
  return
}

// -----

func.func @a(%a: vector<4xi32>, %i : i32, %s: i16) {
  // expected-error@+3 {{'nvvm.mma.block_scale' op unsupported MMATypes attribute for mma.m16n8k64.(mxf4nvf4|mxf4)}}
  // expected-error@+2 {{'nvvm.mma.block_scale' op unsupported ScaleVecSize attribute for mma.m16n8k64.mxf4}}
  // expected-error@+1 {{'nvvm.mma.block_scale' op unsupported BlockScaleFormat attribute for mma.m16n8k64.mxf4}}
  %0 = nvvm.mma.block_scale A[%a] B[%a] C[%a] scaleA[%i, %s, %s] scaleB[%i, %s, %s] {blockScaleFormat = #nvvm.block_scale_format<ue4m3>, kind = #nvvm.block_scale_kind<mxf4>, multiplicandAPtxType = #nvvm.mma_type<e2m3>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xf32>)>
  return
}

// -----

func.func @a(%a: vector<4xi32>, %i : i32, %s: i16) {
  // expected-error@+1 {{'nvvm.mma.block_scale' op unsupported Geom for mma with block scaling}}
  %0 = nvvm.mma.block_scale A[%a] B[%a] C[%a] scaleA[%i, %s, %s] scaleB[%i, %s, %s] {blockScaleFormat = #nvvm.block_scale_format<ue4m3>, kind = #nvvm.block_scale_kind<mxf4>, multiplicandAPtxType = #nvvm.mma_type<e2m3>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xf32>)>
  return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32) {
  // expected-error@+1 {{'nvvm.wmma.load' op invalid attribute combination}}
  %0 = nvvm.wmma.load %p, %s {eltype = #nvvm.mma_type<s32>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32) {
  // expected-error@+1 {{'nvvm.wmma.load' op expected destination type is a structure of 4 elements of type 'i32'}}
  %0 = nvvm.wmma.load %p, %s {eltype = #nvvm.mma_type<s8>, frag = #nvvm.mma_frag<b>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 32 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<5>, %s: i32) {
  // expected-error@+1 {{'nvvm.wmma.load' op expected source pointer in memory space 0, 1, 3}}
  %0 = nvvm.wmma.load %p, %s {eltype = #nvvm.mma_type<s8>, frag = #nvvm.mma_frag<b>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 32 : i32} : (!llvm.ptr<5>) -> !llvm.struct<(i32)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32, %f: f32) {
  // expected-error@+1 {{'nvvm.wmma.store' op expected 8 data operands}}
  nvvm.wmma.store %p, %s, %f, %f {eltype = #nvvm.mma_type<f32>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<3>, f32, f32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32, %f: f32) {
  // expected-error@+1 {{'nvvm.wmma.store' op expected data operands of type 'f64'}}
  nvvm.wmma.store %p, %s, %f, %f {eltype = #nvvm.mma_type<f64>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : !llvm.ptr<3>, f32, f32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32, %f: f64) {
  // expected-error@+1 {{'nvvm.wmma.mma' op expected destination type is a structure of 2 elements of type 'f64'}}
  %0 = nvvm.wmma.mma %f, %f, %f, %f {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f64>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 8 : i32, n = 8 : i32} : (f64, f64, f64, f64) -> !llvm.struct<(f64)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32, %f: f64) {
  // expected-error@+1 {{'nvvm.wmma.mma' op expected 4 arguments}}
  %0 = nvvm.wmma.mma %f, %f, %f {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f64>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 8 : i32, n = 8 : i32} : (f64, f64, f64) -> !llvm.struct<(f64)>
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32, %f: f32) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected num attribute to be 1, 2 or 4 for 8x8 matrix}}
  %l = nvvm.ldmatrix %p {num = 3 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32, %f: f32) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected destination type is a structure of 4 elements of type i32}}
  %l = nvvm.ldmatrix %p {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%p: !llvm.ptr<3>, %s: i32, %f: f32) {
  // expected-error@+1 {{'nvvm.stmatrix' op expected num attribute to be 1, 2 or 4}}
  nvvm.stmatrix %p, %s, %s, %s {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32
  llvm.return
}

// -----

func.func @w(%d : i64, %r : !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op results 8, however output struct has 4 elements}}
  %0 = nvvm.wgmma.mma_async %d, %d, %r, #nvvm.shape<m = 64, n = 16, k = 8>, D [<f32>, <one>], A [<tf32>, <one>, <row>], B [<tf32>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @w(%d : i64, %r : !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op shape 'k' must be 8 for input type tf32}}
  %0 = nvvm.wgmma.mma_async %d, %d, %r, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<tf32>, <one>, <row>], B [<tf32>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @w(%d : i64, %r : !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op given layouts layout_a = col and layout_b = col for input types tf32 and tf32 requires transpose. However, this is only supported for: f16 and bf16}}
  %0 = nvvm.wgmma.mma_async %d, %d, %r, #nvvm.shape<m = 64, n = 8, k = 8>, D [<f32>, <one>], A [<tf32>, <one>, <col>], B [<tf32>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @w(%d : i64, %r : !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op  `satfinite` can be only used with s32 accumulator, however the current accumulator is f32}}
  %0 = nvvm.wgmma.mma_async %d, %d, %r, #nvvm.shape<m = 64, n = 8, k = 8>, D [<f32>, <one>, <satfinite>], A [<tf32>, <one>, <row>], B [<tf32>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @w(%d : i64, %r : !llvm.struct<(i32, i32, i32, i32)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op s32 += tf32 * tf32, it is not supported.}}
  %0 = nvvm.wgmma.mma_async %d, %d, %r, #nvvm.shape<m = 64, n = 8, k = 8>, D [<s32>, <one>, <satfinite>], A [<tf32>, <one>, <row>], B [<tf32>, <one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  return
}

// -----

// expected-error@+1 {{'"nvvm.maxntid"' attribute must be integer array with maximum 3 index}}
llvm.func @f() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1, 2, 3, 4>} { llvm.return }

// -----

// expected-error@+1 {{'"nvvm.minctasm"' attribute must be integer constant}}
llvm.func @f() attributes {nvvm.kernel, nvvm.minctasm = "a"} { llvm.return }

// -----

// expected-error@+1 {{'"nvvm.blocksareclusters"' attribute must be used along with 'nvvm.reqntid' and 'nvvm.cluster_dim'}}
llvm.func @f() attributes {nvvm.kernel, nvvm.blocksareclusters} { llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr, %i: i32) { 
 nvvm.prefetch level = L1 uniform, %p : !llvm.ptr
 // expected-error@+1 {{'nvvm.prefetch' op unsupported cache level, the only supported uniform cache level is L1}}
 nvvm.prefetch level = L2 uniform, %p : !llvm.ptr
 llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr, %i: i32) { 
 // expected-error@+1 {{'nvvm.setmaxregister' op new register size must be multiple of 8}}
 nvvm.setmaxregister increase 10
 llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr, %i: i32) { 
 // expected-error@+1 {{'nvvm.barrier' op barrier id is missing, it should be set between 0 to 15}}
 nvvm.barrier number_of_threads = %i
 llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr, %i: i32) -> i32 { 
 // expected-error@+1 {{'nvvm.read.ptx.sreg.tid.x' op invalid range attribute: Lower == Upper, but they aren't min (0) or max (4294967295) value! This is an invalid constant range.}}
 %0 = nvvm.read.ptx.sreg.tid.x range <i32, 5, 5> : i32
 llvm.return %0 : i32 }

// -----

llvm.func @f(%p: !llvm.ptr, %i: i32, %b: i1) { 
 // expected-error@+1 {{'nvvm.vote.sync' op vote.sync 'any', 'all' and 'uni' returns an i1}}
 %0 = nvvm.vote.sync any %i, %b -> i32
 llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr, %i: i32, %b: i1) { 
 // expected-error@+1 {{'nvvm.match.sync' op match.sync 'all' returns a two element struct with first element as i32 and second element as i1}}
 %0 = nvvm.match.sync all %i, %i : i32 -> i32
 llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr<3>, %g: !llvm.ptr<1>, %i: i32, %b: i1) { 
 // expected-error@+1 {{CG cache modifier is only support for 16 bytes copy.}}
 nvvm.cp.async.shared.global %p, %g, 8, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
 llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr<6>, %i: i64) { 
 // expected-error@+1 {{Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op}}
 nvvm.tcgen05.cp %p, %i {shape = #nvvm.tcgen05_cp_shape<shape_64x128b>} 
 llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr<6>, %i: i64) { 
 // expected-error@+1 {{Invalid multicast type for tcgen05.cp Op}}
 nvvm.tcgen05.cp %p, %i {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>} 
 llvm.return }

// -----

llvm.func @f(%p: !llvm.ptr, %i: i64) { 
 // expected-error@+1 {{'nvvm.st.bulk' op only 0 is supported for initVal, got 4}}
 nvvm.st.bulk %p, size = %i, init = 4 : !llvm.ptr
 llvm.return }

// -----

// expected-error@+1 {{'gpu.module' op attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at least 1 elements}}
gpu.module @m [] { }

// -----

// expected-error@+1 {{Minimum NVVM target SM version is sm_20}}
gpu.module @m [#nvvm.target<chip = "sm_10">] { }

// -----

// expected-error@+1 {{'nvvm.cluster.wait' op is not supported on sm_80}}
gpu.module @m [#nvvm.target<chip = "sm_80">] { llvm.func @f(%i: i32) { nvvm.cluster.wait 
 llvm.return } }

// -----

// expected-error@+1 {{'nvvm.wgmma.fence.aligned' op is not supported on sm_90}}
gpu.module @m [#nvvm.target<chip = "sm_90">] { llvm.func @f(%i: i32) { nvvm.wgmma.fence.aligned 
 llvm.return } }

// -----

gpu.module @m [#nvvm.target<chip = "sm_100f">] { llvm.func @f(%p: !llvm.ptr<6>, %i: i64) { 
 // expected-error@+1 {{'nvvm.tcgen05.cp' op is not supported on sm_100f}}
 nvvm.tcgen05.cp %p, %i {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>} 
 llvm.return } }

// -----

gpu.module @m [#nvvm.target<chip = "sm_103f">] { llvm.func @f(%p: !llvm.ptr<6>, %i: i64) { 
 // expected-error@+1 {{'nvvm.tcgen05.cp' op is not supported on sm_103f}}
 nvvm.tcgen05.cp %p, %i {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>} 
 llvm.return } }

// -----

gpu.module @m [#nvvm.target<chip = "sm_103a">] { llvm.func @f(%p: !llvm.ptr<6>, %i: i64) { 
 // expected-error@+1 {{'nvvm.tcgen05.cp' op is not supported on sm_103a}}
 nvvm.tcgen05.cp %p, %i {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>} 
 llvm.return } }

// -----

gpu.module @m [#nvvm.target<chip = "sm_100">] { llvm.func @f(%p: !llvm.ptr<6>, %i: i64) { 
 // expected-error@+1 {{'nvvm.tcgen05.cp' op is not supported on sm_100}}
 nvvm.tcgen05.cp %p, %i {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>} 
 llvm.return } }

// -----

// expected-error@+1 {{The optimization level must be a number between 0 and 3.}}
module attributes {a = #nvvm.target<O = 4>} {}

// -----

// expected-error@+1 {{The target chip cannot be empty.}}
module attributes {a = #nvvm.target<chip = "">} {}

// -----

// expected-error@+1 {{The target triple cannot be empty.}}
module attributes {a = #nvvm.target<triple = "">} {}

// -----

// expected-error@+1 {{All the elements in the `link` array must be strings.}}
module attributes {a = #nvvm.target<link = [1]>} {}
