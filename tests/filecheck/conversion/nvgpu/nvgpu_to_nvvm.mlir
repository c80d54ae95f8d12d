// RUN: xgpu-opt --convert-nvgpu-to-nvvm --split-input-file %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @copies(%arg0: memref<128x128xf32>, %arg1: memref<3x16x128xf32, 3>, %arg2: index, %arg3: index) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg3 : index to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : memref<128x128xf32> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg2 : index to i64
// CHECK-NEXT:     %3 = builtin.unrealized_conversion_cast %arg1 : memref<3x16x128xf32, 3> to !llvm.struct<(ptr<3>, ptr<3>, i64, array<3 x i64>, array<3 x i64>)>
// CHECK-NEXT:     %4 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<3 x i64>, array<3 x i64>)>
// CHECK-NEXT:     %5 = llvm.mlir.constant(2048 : index) : i64
// CHECK-NEXT:     %6 = llvm.mul %2, %5 : i64
// CHECK-NEXT:     %7 = llvm.mlir.constant(128 : index) : i64
// CHECK-NEXT:     %8 = llvm.mul %2, %7 : i64
// CHECK-NEXT:     %9 = llvm.add %6, %8 : i64
// CHECK-NEXT:     %10 = llvm.add %9, %2 : i64
// CHECK-NEXT:     %11 = llvm.getelementptr %4[%10] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT:     %12 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %13 = llvm.mlir.constant(128 : index) : i64
// CHECK-NEXT:     %14 = llvm.mul %2, %13 : i64
// CHECK-NEXT:     %15 = llvm.add %14, %2 : i64
// CHECK-NEXT:     %16 = llvm.getelementptr %12[%15] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %17 = llvm.addrspacecast %16 : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:     nvvm.cp.async.shared.global %11, %17, 16, cache =  ca : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT:     %18 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %19 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<3 x i64>, array<3 x i64>)>
// CHECK-NEXT:     %20 = llvm.mlir.constant(2048 : index) : i64
// CHECK-NEXT:     %21 = llvm.mul %2, %20 : i64
// CHECK-NEXT:     %22 = llvm.mlir.constant(128 : index) : i64
// CHECK-NEXT:     %23 = llvm.mul %2, %22 : i64
// CHECK-NEXT:     %24 = llvm.add %21, %23 : i64
// CHECK-NEXT:     %25 = llvm.add %24, %2 : i64
// CHECK-NEXT:     %26 = llvm.getelementptr %19[%25] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT:     %27 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %28 = llvm.mlir.constant(128 : index) : i64
// CHECK-NEXT:     %29 = llvm.mul %2, %28 : i64
// CHECK-NEXT:     %30 = llvm.add %29, %2 : i64
// CHECK-NEXT:     %31 = llvm.getelementptr %27[%30] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %32 = llvm.addrspacecast %31 : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:     nvvm.cp.async.shared.global %26, %32, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT:     %33 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %34 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<3 x i64>, array<3 x i64>)>
// CHECK-NEXT:     %35 = llvm.mlir.constant(2048 : index) : i64
// CHECK-NEXT:     %36 = llvm.mul %2, %35 : i64
// CHECK-NEXT:     %37 = llvm.mlir.constant(128 : index) : i64
// CHECK-NEXT:     %38 = llvm.mul %2, %37 : i64
// CHECK-NEXT:     %39 = llvm.add %36, %38 : i64
// CHECK-NEXT:     %40 = llvm.add %39, %2 : i64
// CHECK-NEXT:     %41 = llvm.getelementptr %34[%40] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT:     %42 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %43 = llvm.mlir.constant(128 : index) : i64
// CHECK-NEXT:     %44 = llvm.mul %2, %43 : i64
// CHECK-NEXT:     %45 = llvm.add %44, %2 : i64
// CHECK-NEXT:     %46 = llvm.getelementptr %42[%45] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %47 = llvm.addrspacecast %46 : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:     %48 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %49 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:     %50 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     %51 = llvm.mul %49, %50 : i32
// CHECK-NEXT:     %52 = llvm.lshr %51, %48 : i32
// CHECK-NEXT:     nvvm.cp.async.shared.global %41, %47, 16, cache =  ca, %52 : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK-NEXT:     %53 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     nvvm.cp.async.commit.group
// CHECK-NEXT:     %54 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     nvvm.cp.async.wait.group 0
// CHECK-NEXT:     nvvm.cp.async.wait.group 1
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @copies(%src: memref<128x128xf32>, %dst: memref<3x16x128xf32, 3>, %i: index, %n: index) {
  %0 = nvgpu.device_async_copy %src[%i, %i], %dst[%i, %i, %i], 4 : memref<128x128xf32> to memref<3x16x128xf32, 3>
  %1 = nvgpu.device_async_copy %src[%i, %i], %dst[%i, %i, %i], 4 {bypassL1} : memref<128x128xf32> to memref<3x16x128xf32, 3>
  %2 = nvgpu.device_async_copy %src[%i, %i], %dst[%i, %i, %i], 4, %n : memref<128x128xf32> to memref<3x16x128xf32, 3>
  %3 = nvgpu.device_async_create_group %0, %1, %2
  nvgpu.device_async_wait %3
  nvgpu.device_async_wait %3 {numGroups = 1 : i32}
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @matrices(%arg0: memref<16x16xf16, 3>, %arg1: index, %arg2: vector<4x2xf16>, %arg3: vector<2x2xf16>, %arg4: vector<2x2xf32>, %arg5: vector<2xi16>) -> vector<2x2xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg4 : vector<2x2xf32> to !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg0 : memref<16x16xf16, 3> to !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %3 = llvm.extractvalue %2[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %4 = llvm.mlir.constant(16 : index) : i64
// CHECK-NEXT:     %5 = llvm.mul %1, %4 : i64
// CHECK-NEXT:     %6 = llvm.add %5, %1 : i64
// CHECK-NEXT:     %7 = llvm.getelementptr %3[%6] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f16
// CHECK-NEXT:     %8 = nvvm.ldmatrix %7 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %9 = llvm.mlir.poison : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %10 = llvm.extractvalue %8[0] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %11 = llvm.bitcast %10 : i32 to vector<2xf16>
// CHECK-NEXT:     %12 = llvm.insertvalue %11, %9[0] : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %13 = llvm.extractvalue %8[1] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %14 = llvm.bitcast %13 : i32 to vector<2xf16>
// CHECK-NEXT:     %15 = llvm.insertvalue %14, %12[1] : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %16 = llvm.extractvalue %8[2] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %17 = llvm.bitcast %16 : i32 to vector<2xf16>
// CHECK-NEXT:     %18 = llvm.insertvalue %17, %15[2] : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %19 = llvm.extractvalue %8[3] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %20 = llvm.bitcast %19 : i32 to vector<2xf16>
// CHECK-NEXT:     %21 = llvm.insertvalue %20, %18[3] : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %22 = llvm.extractvalue %2[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %23 = llvm.mlir.constant(16 : index) : i64
// CHECK-NEXT:     %24 = llvm.mul %1, %23 : i64
// CHECK-NEXT:     %25 = llvm.add %24, %1 : i64
// CHECK-NEXT:     %26 = llvm.getelementptr %22[%25] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f16
// CHECK-NEXT:     %27 = nvvm.ldmatrix %26 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
// CHECK-NEXT:     %28 = llvm.mlir.poison : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %29 = llvm.extractvalue %27[0] : !llvm.struct<(i32, i32)>
// CHECK-NEXT:     %30 = llvm.bitcast %29 : i32 to vector<2xf16>
// CHECK-NEXT:     %31 = llvm.insertvalue %30, %28[0] : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %32 = llvm.extractvalue %27[1] : !llvm.struct<(i32, i32)>
// CHECK-NEXT:     %33 = llvm.bitcast %32 : i32 to vector<2xf16>
// CHECK-NEXT:     %34 = llvm.insertvalue %33, %31[1] : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %35 = llvm.extractvalue %21[0] : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %36 = llvm.extractvalue %21[1] : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %37 = llvm.extractvalue %21[2] : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %38 = llvm.extractvalue %21[3] : !llvm.array<4 x vector<2xf16>>
// CHECK-NEXT:     %39 = llvm.extractvalue %34[0] : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %40 = llvm.extractvalue %34[1] : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %41 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %42 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %43 = llvm.extractelement %41[%42 : i64] : vector<2xf32>
// CHECK-NEXT:     %44 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %45 = llvm.extractelement %41[%44 : i64] : vector<2xf32>
// CHECK-NEXT:     %46 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %47 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %48 = llvm.extractelement %46[%47 : i64] : vector<2xf32>
// CHECK-NEXT:     %49 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %50 = llvm.extractelement %46[%49 : i64] : vector<2xf32>
// CHECK-NEXT:     %51 = nvvm.mma.sync A[%35, %36, %37, %38]  B[%39, %40]  C[%43, %45, %48, %50]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %52 = llvm.mlir.poison : vector<2xf32>
// CHECK-NEXT:     %53 = llvm.extractvalue %51[0] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %54 = llvm.extractvalue %51[1] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %55 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %56 = llvm.insertelement %53, %52[%55 : i32] : vector<2xf32>
// CHECK-NEXT:     %57 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %58 = llvm.insertelement %54, %56[%57 : i32] : vector<2xf32>
// CHECK-NEXT:     %59 = llvm.mlir.poison : vector<2xf32>
// CHECK-NEXT:     %60 = llvm.extractvalue %51[2] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %61 = llvm.extractvalue %51[3] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %62 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %63 = llvm.insertelement %60, %59[%62 : i32] : vector<2xf32>
// CHECK-NEXT:     %64 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %65 = llvm.insertelement %61, %63[%64 : i32] : vector<2xf32>
// CHECK-NEXT:     %66 = llvm.mlir.poison : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %67 = llvm.insertvalue %58, %66[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %68 = llvm.insertvalue %65, %67[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %69 = llvm.extractvalue %34[0] : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %70 = llvm.extractvalue %34[1] : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %71 = llvm.extractvalue %34[0] : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %72 = llvm.extractvalue %34[1] : !llvm.array<2 x vector<2xf16>>
// CHECK-NEXT:     %73 = llvm.extractvalue %68[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %74 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %75 = llvm.extractelement %73[%74 : i64] : vector<2xf32>
// CHECK-NEXT:     %76 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %77 = llvm.extractelement %73[%76 : i64] : vector<2xf32>
// CHECK-NEXT:     %78 = llvm.extractvalue %68[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %79 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %80 = llvm.extractelement %78[%79 : i64] : vector<2xf32>
// CHECK-NEXT:     %81 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %82 = llvm.extractelement %78[%81 : i64] : vector<2xf32>
// CHECK-NEXT:     %83 = llvm.bitcast %arg5 : vector<2xi16> to i32
// CHECK-NEXT:     %84 = llvm.inline_asm has_side_effects asm_dialect = att "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0,$1,$2,$3},{$4,$5},{$6,$7},{$8,$9,$10,$11},$12,0x0;", "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r" %69, %70, %71, %72, %75, %77, %80, %82, %83 : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, i32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %85 = llvm.mlir.poison : vector<2xf32>
// CHECK-NEXT:     %86 = llvm.extractvalue %84[0] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %87 = llvm.extractvalue %84[1] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %88 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %89 = llvm.insertelement %86, %85[%88 : i32] : vector<2xf32>
// CHECK-NEXT:     %90 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %91 = llvm.insertelement %87, %89[%90 : i32] : vector<2xf32>
// CHECK-NEXT:     %92 = llvm.mlir.poison : vector<2xf32>
// CHECK-NEXT:     %93 = llvm.extractvalue %84[2] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %94 = llvm.extractvalue %84[3] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %95 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %96 = llvm.insertelement %93, %92[%95 : i32] : vector<2xf32>
// CHECK-NEXT:     %97 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %98 = llvm.insertelement %94, %96[%97 : i32] : vector<2xf32>
// CHECK-NEXT:     %99 = llvm.mlir.poison : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %100 = llvm.insertvalue %91, %99[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %101 = llvm.insertvalue %98, %100[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %102 = builtin.unrealized_conversion_cast %101 : !llvm.array<2 x vector<2xf32>> to vector<2x2xf32>
// CHECK-NEXT:     return %102 : vector<2x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @matrices(%m: memref<16x16xf16, 3>, %i: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>, %meta: vector<2xi16>) -> vector<2x2xf32> {
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf16>
  %1 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 2 : i32, transpose = true} : memref<16x16xf16, 3> -> vector<2x2xf16>
  %2 = nvgpu.mma.sync (%0, %1, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %3 = nvgpu.mma.sp.sync (%1, %1, %2) metadata (%meta) {mmaShape = [16, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return %3 : vector<2x2xf32>
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @tf32(%arg0: vector<4x1xf32>, %arg1: vector<2x1xf32>, %arg2: vector<2x2xf32>) -> vector<2x2xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg2 : vector<2x2xf32> to !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg1 : vector<2x1xf32> to !llvm.array<2 x vector<1xf32>>
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg0 : vector<4x1xf32> to !llvm.array<4 x vector<1xf32>>
// CHECK-NEXT:     %3 = llvm.extractvalue %2[0] : !llvm.array<4 x vector<1xf32>>
// CHECK-NEXT:     %4 = llvm.bitcast %3 : vector<1xf32> to i32
// CHECK-NEXT:     %5 = llvm.extractvalue %2[1] : !llvm.array<4 x vector<1xf32>>
// CHECK-NEXT:     %6 = llvm.bitcast %5 : vector<1xf32> to i32
// CHECK-NEXT:     %7 = llvm.extractvalue %2[2] : !llvm.array<4 x vector<1xf32>>
// CHECK-NEXT:     %8 = llvm.bitcast %7 : vector<1xf32> to i32
// CHECK-NEXT:     %9 = llvm.extractvalue %2[3] : !llvm.array<4 x vector<1xf32>>
// CHECK-NEXT:     %10 = llvm.bitcast %9 : vector<1xf32> to i32
// CHECK-NEXT:     %11 = llvm.extractvalue %1[0] : !llvm.array<2 x vector<1xf32>>
// CHECK-NEXT:     %12 = llvm.bitcast %11 : vector<1xf32> to i32
// CHECK-NEXT:     %13 = llvm.extractvalue %1[1] : !llvm.array<2 x vector<1xf32>>
// CHECK-NEXT:     %14 = llvm.bitcast %13 : vector<1xf32> to i32
// CHECK-NEXT:     %15 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %16 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %17 = llvm.extractelement %15[%16 : i64] : vector<2xf32>
// CHECK-NEXT:     %18 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %19 = llvm.extractelement %15[%18 : i64] : vector<2xf32>
// CHECK-NEXT:     %20 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %21 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %22 = llvm.extractelement %20[%21 : i64] : vector<2xf32>
// CHECK-NEXT:     %23 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %24 = llvm.extractelement %20[%23 : i64] : vector<2xf32>
// CHECK-NEXT:     %25 = nvvm.mma.sync A[%4, %6, %8, %10]  B[%12, %14]  C[%17, %19, %22, %24]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %26 = llvm.mlir.poison : vector<2xf32>
// CHECK-NEXT:     %27 = llvm.extractvalue %25[0] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %28 = llvm.extractvalue %25[1] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %29 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %30 = llvm.insertelement %27, %26[%29 : i32] : vector<2xf32>
// CHECK-NEXT:     %31 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %32 = llvm.insertelement %28, %30[%31 : i32] : vector<2xf32>
// CHECK-NEXT:     %33 = llvm.mlir.poison : vector<2xf32>
// CHECK-NEXT:     %34 = llvm.extractvalue %25[2] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %35 = llvm.extractvalue %25[3] : !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NEXT:     %36 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %37 = llvm.insertelement %34, %33[%36 : i32] : vector<2xf32>
// CHECK-NEXT:     %38 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %39 = llvm.insertelement %35, %37[%38 : i32] : vector<2xf32>
// CHECK-NEXT:     %40 = llvm.mlir.poison : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %41 = llvm.insertvalue %32, %40[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %42 = llvm.insertvalue %39, %41[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %43 = builtin.unrealized_conversion_cast %42 : !llvm.array<2 x vector<2xf32>> to vector<2x2xf32>
// CHECK-NEXT:     return %43 : vector<2x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @tf32(%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @integers(%arg0: vector<2x4xi8>, %arg1: vector<1x4xi8>, %arg2: vector<2x2xi32>) -> vector<2x2xi32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg2 : vector<2x2xi32> to !llvm.array<2 x vector<2xi32>>
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg1 : vector<1x4xi8> to !llvm.array<1 x vector<4xi8>>
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg0 : vector<2x4xi8> to !llvm.array<2 x vector<4xi8>>
// CHECK-NEXT:     %3 = llvm.extractvalue %2[0] : !llvm.array<2 x vector<4xi8>>
// CHECK-NEXT:     %4 = llvm.bitcast %3 : vector<4xi8> to i32
// CHECK-NEXT:     %5 = llvm.extractvalue %2[1] : !llvm.array<2 x vector<4xi8>>
// CHECK-NEXT:     %6 = llvm.bitcast %5 : vector<4xi8> to i32
// CHECK-NEXT:     %7 = llvm.extractvalue %1[0] : !llvm.array<1 x vector<4xi8>>
// CHECK-NEXT:     %8 = llvm.bitcast %7 : vector<4xi8> to i32
// CHECK-NEXT:     %9 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<2xi32>>
// CHECK-NEXT:     %10 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %11 = llvm.extractelement %9[%10 : i64] : vector<2xi32>
// CHECK-NEXT:     %12 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %13 = llvm.extractelement %9[%12 : i64] : vector<2xi32>
// CHECK-NEXT:     %14 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<2xi32>>
// CHECK-NEXT:     %15 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %16 = llvm.extractelement %14[%15 : i64] : vector<2xi32>
// CHECK-NEXT:     %17 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %18 = llvm.extractelement %14[%17 : i64] : vector<2xi32>
// CHECK-NEXT:     %19 = nvvm.mma.sync A[%4, %6]  B[%8]  C[%11, %13, %16, %18]  {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %20 = llvm.mlir.poison : vector<2xi32>
// CHECK-NEXT:     %21 = llvm.extractvalue %19[0] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %22 = llvm.extractvalue %19[1] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %23 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %24 = llvm.insertelement %21, %20[%23 : i32] : vector<2xi32>
// CHECK-NEXT:     %25 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %26 = llvm.insertelement %22, %24[%25 : i32] : vector<2xi32>
// CHECK-NEXT:     %27 = llvm.mlir.poison : vector<2xi32>
// CHECK-NEXT:     %28 = llvm.extractvalue %19[2] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %29 = llvm.extractvalue %19[3] : !llvm.struct<(i32, i32, i32, i32)>
// CHECK-NEXT:     %30 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %31 = llvm.insertelement %28, %27[%30 : i32] : vector<2xi32>
// CHECK-NEXT:     %32 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %33 = llvm.insertelement %29, %31[%32 : i32] : vector<2xi32>
// CHECK-NEXT:     %34 = llvm.mlir.poison : !llvm.array<2 x vector<2xi32>>
// CHECK-NEXT:     %35 = llvm.insertvalue %26, %34[0] : !llvm.array<2 x vector<2xi32>>
// CHECK-NEXT:     %36 = llvm.insertvalue %33, %35[1] : !llvm.array<2 x vector<2xi32>>
// CHECK-NEXT:     %37 = builtin.unrealized_conversion_cast %36 : !llvm.array<2 x vector<2xi32>> to vector<2x2xi32>
// CHECK-NEXT:     return %37 : vector<2x2xi32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @integers(%a: vector<2x4xi8>, %b: vector<1x4xi8>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
  %0 = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<2x4xi8>, vector<1x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  return %0 : vector<2x2xi32>
}

// -----

!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK: module {
// CHECK-NEXT:   gpu.module @barriers {
// CHECK-NEXT:     memref.global "private" @__mbarrier : memref<4xi64, 3> {alignment = 8 : i64}
// CHECK-NEXT:     func.func @f(%arg0: index, %arg1: index, %arg2: i1) -> (i1, i32) {
// CHECK-NEXT:       %0 = builtin.unrealized_conversion_cast %arg0 : index to i64
// CHECK-NEXT:       %1 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT:       %2 = memref.get_global @__mbarrier : memref<4xi64, 3>
// CHECK-NEXT:       %3 = builtin.unrealized_conversion_cast %2 : memref<4xi64, 3> to !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %4 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %5 = llvm.getelementptr %4[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %6 = llvm.trunc %1 : i64 to i32
// CHECK-NEXT:       nvvm.mbarrier.init %5, %6 : !llvm.ptr<3>, i32
// CHECK-NEXT:       %7 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %8 = llvm.getelementptr %7[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %9 = llvm.trunc %1 : i64 to i32
// CHECK-NEXT:       nvvm.mbarrier.init %8, %9, predicate = %arg2 : !llvm.ptr<3>, i32, i1
// CHECK-NEXT:       %10 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %11 = llvm.getelementptr %10[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %12 = nvvm.mbarrier.arrive %11 : !llvm.ptr<3> -> i64
// CHECK-NEXT:       %13 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %14 = llvm.getelementptr %13[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %15 = llvm.trunc %1 : i64 to i32
// CHECK-NEXT:       %16 = nvvm.mbarrier.arrive.nocomplete %14, %15 : !llvm.ptr<3>, i32 -> i64
// CHECK-NEXT:       %17 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %18 = llvm.getelementptr %17[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %19 = llvm.trunc %1 : i64 to i32
// CHECK-NEXT:       nvvm.mbarrier.arrive.expect_tx %18, %19 : !llvm.ptr<3>, i32
// CHECK-NEXT:       %20 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %21 = llvm.getelementptr %20[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %22 = llvm.trunc %1 : i64 to i32
// CHECK-NEXT:       nvvm.mbarrier.arrive.expect_tx %21, %22, predicate = %arg2 : !llvm.ptr<3>, i32, i1
// CHECK-NEXT:       %23 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %24 = llvm.getelementptr %23[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %25 = nvvm.mbarrier.test.wait %24, %12 : !llvm.ptr<3>, i64 -> i1
// CHECK-NEXT:       %26 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %27 = llvm.getelementptr %26[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %28 = llvm.trunc %1 : i64 to i32
// CHECK-NEXT:       %29 = llvm.zext %arg2 : i1 to i32
// CHECK-NEXT:       nvvm.mbarrier.try_wait.parity %27, %29, %28 : !llvm.ptr<3>, i32, i32
// CHECK-NEXT:       %30 = llvm.extractvalue %3[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %31 = llvm.getelementptr %30[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:       %32 = llvm.ptrtoint %31 : !llvm.ptr<3> to i32
// CHECK-NEXT:       return %25, %32 : i1, i32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @barriers {
  func.func @f(%i: index, %n: index, %p: i1) -> (i1, i32) {
    %b = nvgpu.mbarrier.create -> !barriers
    nvgpu.mbarrier.init %b[%i], %n : !barriers
    nvgpu.mbarrier.init %b[%i], %n, predicate = %p : !barriers
    %t = nvgpu.mbarrier.arrive %b[%i] : !barriers -> !nvgpu.mbarrier.token
    %u = nvgpu.mbarrier.arrive.nocomplete %b[%i], %n : !barriers -> !nvgpu.mbarrier.token
    nvgpu.mbarrier.arrive.expect_tx %b[%i], %n : !barriers
    nvgpu.mbarrier.arrive.expect_tx %b[%i], %n, predicate = %p : !barriers
    %done = nvgpu.mbarrier.test.wait %b[%i], %t : !barriers, !nvgpu.mbarrier.token
    nvgpu.mbarrier.try_wait.parity %b[%i], %p, %n : !barriers
    %ptr = nvgpu.mbarrier.get %b[%i] : !barriers -> i32
    return %done, %ptr : i1, i32
  }
}

// -----

!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
// CHECK: module {
// CHECK-NEXT:   func.func @tma(%arg0: !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %arg1: memref<32x32xf32, 3>, %arg2: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %arg3: index, %arg4: i1, %arg5: i16) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg3 : index to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg2 : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> to !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg1 : memref<32x32xf32, 3> to !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %3 = builtin.unrealized_conversion_cast %arg0 : !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none> to !llvm.ptr
// CHECK-NEXT:     nvvm.prefetch tensormap, %3 : !llvm.ptr
// CHECK-NEXT:     nvvm.prefetch tensormap, %3, predicate = %arg4 : !llvm.ptr, i1
// CHECK-NEXT:     %4 = llvm.mlir.constant(128 : i32) : i32
// CHECK-NEXT:     nvvm.fence.proxy.acquire <sys> %3, %4
// CHECK-NEXT:     %5 = llvm.extractvalue %2[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %6 = llvm.addrspacecast %5 : !llvm.ptr<3> to !llvm.ptr<7>
// CHECK-NEXT:     %7 = llvm.extractvalue %1[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %8 = llvm.getelementptr %7[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:     %9 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     %10 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %6, %3, %8, box[%9, %10] : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     %11 = llvm.extractvalue %2[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %12 = llvm.addrspacecast %11 : !llvm.ptr<3> to !llvm.ptr<7>
// CHECK-NEXT:     %13 = llvm.extractvalue %1[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %14 = llvm.getelementptr %13[%0] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i64
// CHECK-NEXT:     %15 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     %16 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.shared.cluster.global %12, %3, %14, box[%15, %16] multicast_mask = %arg5 predicate = %arg4 : !llvm.ptr<7>, !llvm.ptr
// CHECK-NEXT:     %17 = llvm.extractvalue %2[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %18 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     %19 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %3, %17, box[%18, %19] : !llvm.ptr, <3>
// CHECK-NEXT:     %20 = llvm.extractvalue %2[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %21 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     %22 = llvm.trunc %0 : i64 to i32
// CHECK-NEXT:     nvvm.cp.async.bulk.tensor.global.shared.cta %3, %20, box[%21, %22], predicate = %arg4 : !llvm.ptr, <3>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @tma(%d: !map, %dst: memref<32x32xf32, 3>, %b: !barriers, %i: index, %p: i1, %mask: i16) {
  nvgpu.tma.prefetch.descriptor %d : !map
  nvgpu.tma.prefetch.descriptor %d, predicate = %p : !map
  nvgpu.tma.fence.descriptor %d : !map
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst : !map, !barriers -> memref<32x32xf32, 3>
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %dst multicast_mask = %mask, predicate = %p : !map, !barriers -> memref<32x32xf32, 3>
  nvgpu.tma.async.store %dst to %d[%i, %i] : memref<32x32xf32, 3> -> !map
  nvgpu.tma.async.store %dst to %d[%i, %i], predicate = %p : memref<32x32xf32, 3> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>
func.func @descriptor(%host: memref<*xf16>, %n: index) {
  %0 = nvgpu.tma.create.descriptor %host box[%n, %n] : memref<*xf16> -> !map
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @descriptor(%arg0: memref<*xf16>, %arg1: index) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : memref<*xf16> to !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %2 = llvm.mlir.constant(6 : i32) : i64
// CHECK-NEXT:     %3 = llvm.extractvalue %1[0] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %4 = llvm.extractvalue %1[1] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %5 = llvm.mlir.constant(5 : i32) : i64
// CHECK-NEXT:     %6 = llvm.alloca %5 x i64 : (i64) -> !llvm.ptr
// CHECK-NEXT:     %7 = llvm.mlir.constant(0 : i32) : i64
// CHECK-NEXT:     %8 = llvm.getelementptr %6[%7] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.store %0, %8 : i64, !llvm.ptr
// CHECK-NEXT:     %9 = llvm.mlir.constant(1 : i32) : i64
// CHECK-NEXT:     %10 = llvm.getelementptr %6[%9] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.store %0, %10 : i64, !llvm.ptr
// CHECK-NEXT:     %11 = llvm.mlir.constant(0 : i32) : i64
// CHECK-NEXT:     %12 = llvm.mlir.constant(3 : i32) : i64
// CHECK-NEXT:     %13 = llvm.mlir.constant(2 : i32) : i64
// CHECK-NEXT:     %14 = llvm.mlir.constant(0 : i32) : i64
// CHECK-NEXT:     %15 = llvm.call @mgpuTensorMapEncodeTiledMemref(%3, %4, %2, %11, %12, %13, %14, %6) : (i64, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuTensorMapEncodeTiledMemref(i64, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT: }

// -----

!a_map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!a = !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>
!b = !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
// CHECK: module {
// CHECK-NEXT:   func.func @warpgroup(%arg0: memref<64x64xf16, 3>, %arg1: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %arg2: !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>, %arg3: !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>>, %arg4: memref<64x64xf32, 3>) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg3 : !nvgpu.warpgroup.descriptor<tensor = memref<16x64xf16, 3>> to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg2 : !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>> to i64
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg0 : memref<64x64xf16, 3> to !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %3 = llvm.mlir.constant(64 : i64) : i64
// CHECK-NEXT:     %4 = llvm.mlir.constant(512 : i64) : i64
// CHECK-NEXT:     %5 = llvm.extractvalue %2[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %6 = llvm.ptrtoint %5 : !llvm.ptr<3> to i64
// CHECK-NEXT:     %7 = llvm.mlir.constant(46 : i64) : i64
// CHECK-NEXT:     %8 = llvm.shl %6, %7 : i64
// CHECK-NEXT:     %9 = llvm.mlir.constant(50 : i64) : i64
// CHECK-NEXT:     %10 = llvm.lshr %8, %9 : i64
// CHECK-NEXT:     %11 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %12 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %13 = llvm.mlir.constant(62 : i64) : i64
// CHECK-NEXT:     %14 = llvm.shl %12, %13 : i64
// CHECK-NEXT:     %15 = llvm.or %11, %14 : i64
// CHECK-NEXT:     %16 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %17 = llvm.mlir.constant(49 : i64) : i64
// CHECK-NEXT:     %18 = llvm.shl %16, %17 : i64
// CHECK-NEXT:     %19 = llvm.or %15, %18 : i64
// CHECK-NEXT:     %20 = llvm.mlir.constant(32 : i64) : i64
// CHECK-NEXT:     %21 = llvm.shl %3, %20 : i64
// CHECK-NEXT:     %22 = llvm.or %19, %21 : i64
// CHECK-NEXT:     %23 = llvm.mlir.constant(16 : i64) : i64
// CHECK-NEXT:     %24 = llvm.shl %4, %23 : i64
// CHECK-NEXT:     %25 = llvm.or %22, %24 : i64
// CHECK-NEXT:     %26 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %27 = llvm.shl %10, %26 : i64
// CHECK-NEXT:     %28 = llvm.or %25, %27 : i64
// CHECK-NEXT:     %29 = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK-NEXT:     %30 = llvm.mlir.poison : !llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>)>
// CHECK-NEXT:     %31 = llvm.extractvalue %30[0] : !llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>)>
// CHECK-NEXT:     %32 = llvm.insertvalue %29, %31[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %33 = llvm.insertvalue %29, %32[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %34 = llvm.insertvalue %29, %33[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %35 = llvm.insertvalue %29, %34[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %36 = llvm.insertvalue %29, %35[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %37 = llvm.insertvalue %29, %36[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %38 = llvm.insertvalue %29, %37[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %39 = llvm.insertvalue %29, %38[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %40 = llvm.insertvalue %29, %39[8] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %41 = llvm.insertvalue %29, %40[9] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %42 = llvm.insertvalue %29, %41[10] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %43 = llvm.insertvalue %29, %42[11] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %44 = llvm.insertvalue %29, %43[12] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %45 = llvm.insertvalue %29, %44[13] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %46 = llvm.insertvalue %29, %45[14] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %47 = llvm.insertvalue %29, %46[15] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %48 = llvm.insertvalue %29, %47[16] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %49 = llvm.insertvalue %29, %48[17] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %50 = llvm.insertvalue %29, %49[18] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %51 = llvm.insertvalue %29, %50[19] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %52 = llvm.insertvalue %29, %51[20] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %53 = llvm.insertvalue %29, %52[21] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %54 = llvm.insertvalue %29, %53[22] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %55 = llvm.insertvalue %29, %54[23] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %56 = llvm.insertvalue %29, %55[24] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %57 = llvm.insertvalue %29, %56[25] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %58 = llvm.insertvalue %29, %57[26] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %59 = llvm.insertvalue %29, %58[27] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %60 = llvm.insertvalue %29, %59[28] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %61 = llvm.insertvalue %29, %60[29] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %62 = llvm.insertvalue %29, %61[30] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %63 = llvm.insertvalue %29, %62[31] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %64 = llvm.insertvalue %63, %30[0] : !llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>)>
// CHECK-NEXT:     nvvm.wgmma.fence.aligned
// CHECK-NEXT:     %65 = llvm.mlir.poison : !llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>)>
// CHECK-NEXT:     %66 = llvm.extractvalue %64[0] : !llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>)>
// CHECK-NEXT:     %67 = nvvm.wgmma.mma_async %1, %0, %66, <m = 64, n = 64, k = 16>, D[<f32>, <one>, <wrapped>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %68 = llvm.insertvalue %67, %65[0] : !llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>)>
// CHECK-NEXT:     nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT:     nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NEXT:     %69 = llvm.extractvalue %68[0] : !llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>)>
// CHECK-NEXT:     %70 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %71 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:     %72 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     %73 = llvm.mlir.constant(8 : i32) : i32
// CHECK-NEXT:     %74 = llvm.mlir.constant(16 : i32) : i32
// CHECK-NEXT:     %75 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:     %76 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:     %77 = llvm.urem %76, %75 : i32
// CHECK-NEXT:     %78 = llvm.udiv %76, %75 : i32
// CHECK-NEXT:     %79 = llvm.udiv %77, %72 : i32
// CHECK-NEXT:     %80 = llvm.urem %77, %72 : i32
// CHECK-NEXT:     %81 = llvm.mul %80, %71 : i32
// CHECK-NEXT:     %82 = llvm.mul %78, %74 : i32
// CHECK-NEXT:     %83 = llvm.add %79, %82 : i32
// CHECK-NEXT:     %84 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %85 = llvm.mul %84, %73 : i32
// CHECK-NEXT:     %86 = llvm.add %83, %85 : i32
// CHECK-NEXT:     %87 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %88 = llvm.mul %87, %73 : i32
// CHECK-NEXT:     %89 = llvm.add %81, %88 : i32
// CHECK-NEXT:     %90 = arith.index_cast %86 : i32 to index
// CHECK-NEXT:     %91 = arith.index_cast %89 : i32 to index
// CHECK-NEXT:     %92 = llvm.add %89, %70 : i32
// CHECK-NEXT:     %93 = arith.index_cast %92 : i32 to index
// CHECK-NEXT:     %94 = llvm.extractvalue %69[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %95 = llvm.extractvalue %69[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %94, %arg4[%90, %91] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %95, %arg4[%90, %93] : memref<64x64xf32, 3>
// CHECK-NEXT:     %96 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %97 = llvm.mul %96, %73 : i32
// CHECK-NEXT:     %98 = llvm.add %81, %97 : i32
// CHECK-NEXT:     %99 = arith.index_cast %86 : i32 to index
// CHECK-NEXT:     %100 = arith.index_cast %98 : i32 to index
// CHECK-NEXT:     %101 = llvm.add %98, %70 : i32
// CHECK-NEXT:     %102 = arith.index_cast %101 : i32 to index
// CHECK-NEXT:     %103 = llvm.extractvalue %69[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %104 = llvm.extractvalue %69[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %103, %arg4[%99, %100] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %104, %arg4[%99, %102] : memref<64x64xf32, 3>
// CHECK-NEXT:     %105 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:     %106 = llvm.mul %105, %73 : i32
// CHECK-NEXT:     %107 = llvm.add %81, %106 : i32
// CHECK-NEXT:     %108 = arith.index_cast %86 : i32 to index
// CHECK-NEXT:     %109 = arith.index_cast %107 : i32 to index
// CHECK-NEXT:     %110 = llvm.add %107, %70 : i32
// CHECK-NEXT:     %111 = arith.index_cast %110 : i32 to index
// CHECK-NEXT:     %112 = llvm.extractvalue %69[8] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %113 = llvm.extractvalue %69[9] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %112, %arg4[%108, %109] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %113, %arg4[%108, %111] : memref<64x64xf32, 3>
// CHECK-NEXT:     %114 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %115 = llvm.mul %114, %73 : i32
// CHECK-NEXT:     %116 = llvm.add %81, %115 : i32
// CHECK-NEXT:     %117 = arith.index_cast %86 : i32 to index
// CHECK-NEXT:     %118 = arith.index_cast %116 : i32 to index
// CHECK-NEXT:     %119 = llvm.add %116, %70 : i32
// CHECK-NEXT:     %120 = arith.index_cast %119 : i32 to index
// CHECK-NEXT:     %121 = llvm.extractvalue %69[12] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %122 = llvm.extractvalue %69[13] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %121, %arg4[%117, %118] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %122, %arg4[%117, %120] : memref<64x64xf32, 3>
// CHECK-NEXT:     %123 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     %124 = llvm.mul %123, %73 : i32
// CHECK-NEXT:     %125 = llvm.add %81, %124 : i32
// CHECK-NEXT:     %126 = arith.index_cast %86 : i32 to index
// CHECK-NEXT:     %127 = arith.index_cast %125 : i32 to index
// CHECK-NEXT:     %128 = llvm.add %125, %70 : i32
// CHECK-NEXT:     %129 = arith.index_cast %128 : i32 to index
// CHECK-NEXT:     %130 = llvm.extractvalue %69[16] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %131 = llvm.extractvalue %69[17] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %130, %arg4[%126, %127] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %131, %arg4[%126, %129] : memref<64x64xf32, 3>
// CHECK-NEXT:     %132 = llvm.mlir.constant(5 : i32) : i32
// CHECK-NEXT:     %133 = llvm.mul %132, %73 : i32
// CHECK-NEXT:     %134 = llvm.add %81, %133 : i32
// CHECK-NEXT:     %135 = arith.index_cast %86 : i32 to index
// CHECK-NEXT:     %136 = arith.index_cast %134 : i32 to index
// CHECK-NEXT:     %137 = llvm.add %134, %70 : i32
// CHECK-NEXT:     %138 = arith.index_cast %137 : i32 to index
// CHECK-NEXT:     %139 = llvm.extractvalue %69[20] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %140 = llvm.extractvalue %69[21] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %139, %arg4[%135, %136] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %140, %arg4[%135, %138] : memref<64x64xf32, 3>
// CHECK-NEXT:     %141 = llvm.mlir.constant(6 : i32) : i32
// CHECK-NEXT:     %142 = llvm.mul %141, %73 : i32
// CHECK-NEXT:     %143 = llvm.add %81, %142 : i32
// CHECK-NEXT:     %144 = arith.index_cast %86 : i32 to index
// CHECK-NEXT:     %145 = arith.index_cast %143 : i32 to index
// CHECK-NEXT:     %146 = llvm.add %143, %70 : i32
// CHECK-NEXT:     %147 = arith.index_cast %146 : i32 to index
// CHECK-NEXT:     %148 = llvm.extractvalue %69[24] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %149 = llvm.extractvalue %69[25] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %148, %arg4[%144, %145] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %149, %arg4[%144, %147] : memref<64x64xf32, 3>
// CHECK-NEXT:     %150 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     %151 = llvm.mul %150, %73 : i32
// CHECK-NEXT:     %152 = llvm.add %81, %151 : i32
// CHECK-NEXT:     %153 = arith.index_cast %86 : i32 to index
// CHECK-NEXT:     %154 = arith.index_cast %152 : i32 to index
// CHECK-NEXT:     %155 = llvm.add %152, %70 : i32
// CHECK-NEXT:     %156 = arith.index_cast %155 : i32 to index
// CHECK-NEXT:     %157 = llvm.extractvalue %69[28] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %158 = llvm.extractvalue %69[29] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %157, %arg4[%153, %154] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %158, %arg4[%153, %156] : memref<64x64xf32, 3>
// CHECK-NEXT:     %159 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %160 = llvm.mul %159, %73 : i32
// CHECK-NEXT:     %161 = llvm.add %83, %160 : i32
// CHECK-NEXT:     %162 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %163 = llvm.mul %162, %73 : i32
// CHECK-NEXT:     %164 = llvm.add %81, %163 : i32
// CHECK-NEXT:     %165 = arith.index_cast %161 : i32 to index
// CHECK-NEXT:     %166 = arith.index_cast %164 : i32 to index
// CHECK-NEXT:     %167 = llvm.add %164, %70 : i32
// CHECK-NEXT:     %168 = arith.index_cast %167 : i32 to index
// CHECK-NEXT:     %169 = llvm.extractvalue %69[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %170 = llvm.extractvalue %69[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %169, %arg4[%165, %166] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %170, %arg4[%165, %168] : memref<64x64xf32, 3>
// CHECK-NEXT:     %171 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %172 = llvm.mul %171, %73 : i32
// CHECK-NEXT:     %173 = llvm.add %81, %172 : i32
// CHECK-NEXT:     %174 = arith.index_cast %161 : i32 to index
// CHECK-NEXT:     %175 = arith.index_cast %173 : i32 to index
// CHECK-NEXT:     %176 = llvm.add %173, %70 : i32
// CHECK-NEXT:     %177 = arith.index_cast %176 : i32 to index
// CHECK-NEXT:     %178 = llvm.extractvalue %69[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %179 = llvm.extractvalue %69[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %178, %arg4[%174, %175] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %179, %arg4[%174, %177] : memref<64x64xf32, 3>
// CHECK-NEXT:     %180 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:     %181 = llvm.mul %180, %73 : i32
// CHECK-NEXT:     %182 = llvm.add %81, %181 : i32
// CHECK-NEXT:     %183 = arith.index_cast %161 : i32 to index
// CHECK-NEXT:     %184 = arith.index_cast %182 : i32 to index
// CHECK-NEXT:     %185 = llvm.add %182, %70 : i32
// CHECK-NEXT:     %186 = arith.index_cast %185 : i32 to index
// CHECK-NEXT:     %187 = llvm.extractvalue %69[10] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %188 = llvm.extractvalue %69[11] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %187, %arg4[%183, %184] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %188, %arg4[%183, %186] : memref<64x64xf32, 3>
// CHECK-NEXT:     %189 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %190 = llvm.mul %189, %73 : i32
// CHECK-NEXT:     %191 = llvm.add %81, %190 : i32
// CHECK-NEXT:     %192 = arith.index_cast %161 : i32 to index
// CHECK-NEXT:     %193 = arith.index_cast %191 : i32 to index
// CHECK-NEXT:     %194 = llvm.add %191, %70 : i32
// CHECK-NEXT:     %195 = arith.index_cast %194 : i32 to index
// CHECK-NEXT:     %196 = llvm.extractvalue %69[14] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %197 = llvm.extractvalue %69[15] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %196, %arg4[%192, %193] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %197, %arg4[%192, %195] : memref<64x64xf32, 3>
// CHECK-NEXT:     %198 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     %199 = llvm.mul %198, %73 : i32
// CHECK-NEXT:     %200 = llvm.add %81, %199 : i32
// CHECK-NEXT:     %201 = arith.index_cast %161 : i32 to index
// CHECK-NEXT:     %202 = arith.index_cast %200 : i32 to index
// CHECK-NEXT:     %203 = llvm.add %200, %70 : i32
// CHECK-NEXT:     %204 = arith.index_cast %203 : i32 to index
// CHECK-NEXT:     %205 = llvm.extractvalue %69[18] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %206 = llvm.extractvalue %69[19] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %205, %arg4[%201, %202] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %206, %arg4[%201, %204] : memref<64x64xf32, 3>
// CHECK-NEXT:     %207 = llvm.mlir.constant(5 : i32) : i32
// CHECK-NEXT:     %208 = llvm.mul %207, %73 : i32
// CHECK-NEXT:     %209 = llvm.add %81, %208 : i32
// CHECK-NEXT:     %210 = arith.index_cast %161 : i32 to index
// CHECK-NEXT:     %211 = arith.index_cast %209 : i32 to index
// CHECK-NEXT:     %212 = llvm.add %209, %70 : i32
// CHECK-NEXT:     %213 = arith.index_cast %212 : i32 to index
// CHECK-NEXT:     %214 = llvm.extractvalue %69[22] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %215 = llvm.extractvalue %69[23] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %214, %arg4[%210, %211] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %215, %arg4[%210, %213] : memref<64x64xf32, 3>
// CHECK-NEXT:     %216 = llvm.mlir.constant(6 : i32) : i32
// CHECK-NEXT:     %217 = llvm.mul %216, %73 : i32
// CHECK-NEXT:     %218 = llvm.add %81, %217 : i32
// CHECK-NEXT:     %219 = arith.index_cast %161 : i32 to index
// CHECK-NEXT:     %220 = arith.index_cast %218 : i32 to index
// CHECK-NEXT:     %221 = llvm.add %218, %70 : i32
// CHECK-NEXT:     %222 = arith.index_cast %221 : i32 to index
// CHECK-NEXT:     %223 = llvm.extractvalue %69[26] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %224 = llvm.extractvalue %69[27] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %223, %arg4[%219, %220] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %224, %arg4[%219, %222] : memref<64x64xf32, 3>
// CHECK-NEXT:     %225 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     %226 = llvm.mul %225, %73 : i32
// CHECK-NEXT:     %227 = llvm.add %81, %226 : i32
// CHECK-NEXT:     %228 = arith.index_cast %161 : i32 to index
// CHECK-NEXT:     %229 = arith.index_cast %227 : i32 to index
// CHECK-NEXT:     %230 = llvm.add %227, %70 : i32
// CHECK-NEXT:     %231 = arith.index_cast %230 : i32 to index
// CHECK-NEXT:     %232 = llvm.extractvalue %69[30] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     %233 = llvm.extractvalue %69[31] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
// CHECK-NEXT:     memref.store %232, %arg4[%228, %229] : memref<64x64xf32, 3>
// CHECK-NEXT:     memref.store %233, %arg4[%228, %231] : memref<64x64xf32, 3>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @warpgroup(%m: memref<64x64xf16, 3>, %map: !a_map, %a: !a, %b: !b, %out: memref<64x64xf32, 3>) {
  %d = nvgpu.warpgroup.generate.descriptor %m, %map : memref<64x64xf16, 3>, !a_map -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
  %0 = nvgpu.warpgroup.mma.init.accumulator -> !acc
  %1 = nvgpu.warpgroup.mma %a, %b, %0 {transposeB} : !a, !b, !acc -> !acc
  nvgpu.warpgroup.mma.store %1, %out : !acc to memref<64x64xf32, 3>
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @rcp(%arg0: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = llvm.mlir.poison : vector<4xf32>
// CHECK-NEXT:     %1 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %2 = llvm.extractelement %arg0[%1 : i64] : vector<4xf32>
// CHECK-NEXT:     %3 = nvvm.rcp.approx.ftz.f %2 : f32
// CHECK-NEXT:     %4 = llvm.insertelement %3, %0[%1 : i64] : vector<4xf32>
// CHECK-NEXT:     %5 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %6 = llvm.extractelement %arg0[%5 : i64] : vector<4xf32>
// CHECK-NEXT:     %7 = nvvm.rcp.approx.ftz.f %6 : f32
// CHECK-NEXT:     %8 = llvm.insertelement %7, %4[%5 : i64] : vector<4xf32>
// CHECK-NEXT:     %9 = llvm.mlir.constant(2 : i64) : i64
// CHECK-NEXT:     %10 = llvm.extractelement %arg0[%9 : i64] : vector<4xf32>
// CHECK-NEXT:     %11 = nvvm.rcp.approx.ftz.f %10 : f32
// CHECK-NEXT:     %12 = llvm.insertelement %11, %8[%9 : i64] : vector<4xf32>
// CHECK-NEXT:     %13 = llvm.mlir.constant(3 : i64) : i64
// CHECK-NEXT:     %14 = llvm.extractelement %arg0[%13 : i64] : vector<4xf32>
// CHECK-NEXT:     %15 = nvvm.rcp.approx.ftz.f %14 : f32
// CHECK-NEXT:     %16 = llvm.insertelement %15, %12[%13 : i64] : vector<4xf32>
// CHECK-NEXT:     return %16 : vector<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @rcp(%v: vector<4xf32>) -> vector<4xf32> {
  %0 = nvgpu.rcp %v {rounding = approx, ftz} : vector<4xf32>
  return %0 : vector<4xf32>
}
