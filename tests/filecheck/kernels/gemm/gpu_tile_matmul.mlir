// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu-tile-matmul{tile=16,16,16 warps=1,1},canonicalize,cse)" | filecheck %s --match-full-lines

// A bias and an activation behind the product are computed where its elements are stored.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
// CHECK: #loop_unroll = #llvm.loop_unroll<disable = true>
// CHECK-NEXT: #loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @bias(%arg0: memref<24x32xf16>, %arg1: memref<32x16xf16>, %arg2: memref<16xf32>, %arg3: memref<24x16xf32>) {
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %c24 = arith.constant 24 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<2x2xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     gpu.launch blocks(%arg4, %arg5, %arg6) in (%arg10 = %c1, %arg11 = %c2, %arg12 = %c1) threads(%arg7, %arg8, %arg9) in (%arg13 = %c32, %arg14 = %c1, %arg15 = %c1) workgroup(%arg16 : memref<16x16xf16, #gpu.address_space<workgroup>>, %arg17 : memref<16x16xf16, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %0 = arith.muli %arg5, %c16 : index
// CHECK-NEXT:       %1 = arith.remui %arg7, %c32 : index
// CHECK-NEXT:       %2 = arith.divui %arg7, %c32 : index
// CHECK-NEXT:       %3 = arith.divui %1, %c4 : index
// CHECK-NEXT:       %4 = arith.remui %1, %c4 : index
// CHECK-NEXT:       %5 = arith.muli %2, %c16 : index
// CHECK-NEXT:       %6:2 = scf.for %arg18 = %c0 to %c32 step %c16 iter_args(%arg19 = %cst, %arg20 = %cst) -> (vector<2x2xf32>, vector<2x2xf32>) {
// CHECK-NEXT:         %25 = arith.divui %arg7, %c2 : index
// CHECK-NEXT:         %26 = arith.remui %arg7, %c2 : index
// CHECK-NEXT:         %27 = arith.muli %26, %c8 : index
// CHECK-NEXT:         %28 = arith.addi %0, %25 : index
// CHECK-NEXT:         %29 = arith.addi %arg18, %27 : index
// CHECK-NEXT:         %30 = arith.cmpi ult, %28, %c24 : index
// CHECK-NEXT:         %31 = arith.divui %25, %c4 : index
// CHECK-NEXT:         %32 = arith.remui %31, %c2 : index
// CHECK-NEXT:         %33 = arith.divui %27, %c8 : index
// CHECK-NEXT:         %34 = arith.remui %27, %c8 : index
// CHECK-NEXT:         %35 = arith.xori %33, %32 : index
// CHECK-NEXT:         %36 = arith.muli %35, %c8 : index
// CHECK-NEXT:         %37 = arith.addi %36, %34 : index
// CHECK-NEXT:         %38 = arith.select %30, %28, %c0 : index
// CHECK-NEXT:         %39 = arith.select %30, %29, %c0 : index
// CHECK-NEXT:         %40 = arith.select %30, %c8, %c0 : index
// CHECK-NEXT:         %41 = nvgpu.device_async_copy %arg0[%38, %39], %arg16[%25, %37], 8, %40 : memref<24x32xf16> to memref<16x16xf16, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %42 = arith.addi %arg18, %25 : index
// CHECK-NEXT:         %43 = nvgpu.device_async_copy %arg1[%42, %27], %arg17[%25, %37], 8 : memref<32x16xf16> to memref<16x16xf16, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %44 = nvgpu.device_async_create_group %41, %43
// CHECK-NEXT:         nvgpu.device_async_wait %44
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %45 = arith.remui %1, %c8 : index
// CHECK-NEXT:         %46 = arith.divui %1, %c8 : index
// CHECK-NEXT:         %47 = arith.remui %46, %c2 : index
// CHECK-NEXT:         %48 = arith.divui %46, %c2 : index
// CHECK-NEXT:         %49 = arith.muli %47, %c8 : index
// CHECK-NEXT:         %50 = arith.muli %48, %c8 : index
// CHECK-NEXT:         %51 = arith.addi %49, %45 : index
// CHECK-NEXT:         %52 = arith.addi %5, %51 : index
// CHECK-NEXT:         %53 = arith.divui %52, %c4 : index
// CHECK-NEXT:         %54 = arith.remui %53, %c2 : index
// CHECK-NEXT:         %55 = arith.divui %50, %c8 : index
// CHECK-NEXT:         %56 = arith.remui %50, %c8 : index
// CHECK-NEXT:         %57 = arith.xori %55, %54 : index
// CHECK-NEXT:         %58 = arith.muli %57, %c8 : index
// CHECK-NEXT:         %59 = arith.addi %58, %56 : index
// CHECK-NEXT:         %60 = nvgpu.ldmatrix %arg16[%52, %59] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:         %61 = arith.divui %51, %c4 : index
// CHECK-NEXT:         %62 = arith.remui %61, %c2 : index
// CHECK-NEXT:         %63 = arith.xori %55, %62 : index
// CHECK-NEXT:         %64 = arith.muli %63, %c8 : index
// CHECK-NEXT:         %65 = arith.addi %64, %56 : index
// CHECK-NEXT:         %66 = nvgpu.ldmatrix %arg17[%51, %65] {numTiles = 4 : i32, transpose = true} : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:         %67 = vector.extract %66[0] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %68 = vector.extract %66[1] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %69:2 = vector.to_elements %67 : vector<2xf16>
// CHECK-NEXT:         %70:2 = vector.to_elements %68 : vector<2xf16>
// CHECK-NEXT:         %71 = vector.from_elements %69#0, %69#1, %70#0, %70#1 : vector<2x2xf16>
// CHECK-NEXT:         %72 = vector.extract %66[2] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %73 = vector.extract %66[3] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %74:2 = vector.to_elements %72 : vector<2xf16>
// CHECK-NEXT:         %75:2 = vector.to_elements %73 : vector<2xf16>
// CHECK-NEXT:         %76 = vector.from_elements %74#0, %74#1, %75#0, %75#1 : vector<2x2xf16>
// CHECK-NEXT:         %77 = nvgpu.mma.sync(%60, %71, %arg19) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:         %78 = nvgpu.mma.sync(%60, %76, %arg20) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         scf.yield %77, %78 : vector<2x2xf32>, vector<2x2xf32>
// CHECK-NEXT:       } {llvm.loop_annotation = #loop_annotation, xgpu.circular_buffer = {mode = "auto", prefetch = -1 : i64, stages = 4 : i64}}
// CHECK-NEXT:       %7 = arith.addi %5, %3 : index
// CHECK-NEXT:       %8 = arith.muli %4, %c2 : index
// CHECK-NEXT:       %9 = arith.addi %0, %7 : index
// CHECK-NEXT:       %10 = vector.extract %6#0[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %11 = arith.cmpi ult, %9, %c24 : index
// CHECK-NEXT:       scf.if %11 {
// CHECK-NEXT:         %25 = arith.addf %10, %cst_0 : f32
// CHECK-NEXT:         %26 = memref.load %arg2[%8] : memref<16xf32>
// CHECK-NEXT:         %27 = arith.addf %25, %26 : f32
// CHECK-NEXT:         %28 = arith.maximumf %27, %cst_0 : f32
// CHECK-NEXT:         memref.store %28, %arg3[%9, %8] : memref<24x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %12 = arith.addi %8, %c1 : index
// CHECK-NEXT:       %13 = vector.extract %6#0[0, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       scf.if %11 {
// CHECK-NEXT:         %25 = arith.addf %13, %cst_0 : f32
// CHECK-NEXT:         %26 = memref.load %arg2[%12] : memref<16xf32>
// CHECK-NEXT:         %27 = arith.addf %25, %26 : f32
// CHECK-NEXT:         %28 = arith.maximumf %27, %cst_0 : f32
// CHECK-NEXT:         memref.store %28, %arg3[%9, %12] : memref<24x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %14 = arith.addi %7, %c8 : index
// CHECK-NEXT:       %15 = arith.addi %0, %14 : index
// CHECK-NEXT:       %16 = vector.extract %6#0[1, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %17 = arith.cmpi ult, %15, %c24 : index
// CHECK-NEXT:       scf.if %17 {
// CHECK-NEXT:         %25 = arith.addf %16, %cst_0 : f32
// CHECK-NEXT:         %26 = memref.load %arg2[%8] : memref<16xf32>
// CHECK-NEXT:         %27 = arith.addf %25, %26 : f32
// CHECK-NEXT:         %28 = arith.maximumf %27, %cst_0 : f32
// CHECK-NEXT:         memref.store %28, %arg3[%15, %8] : memref<24x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %18 = vector.extract %6#0[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       scf.if %17 {
// CHECK-NEXT:         %25 = arith.addf %18, %cst_0 : f32
// CHECK-NEXT:         %26 = memref.load %arg2[%12] : memref<16xf32>
// CHECK-NEXT:         %27 = arith.addf %25, %26 : f32
// CHECK-NEXT:         %28 = arith.maximumf %27, %cst_0 : f32
// CHECK-NEXT:         memref.store %28, %arg3[%15, %12] : memref<24x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %19 = arith.addi %8, %c8 : index
// CHECK-NEXT:       %20 = vector.extract %6#1[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       scf.if %11 {
// CHECK-NEXT:         %25 = arith.addf %20, %cst_0 : f32
// CHECK-NEXT:         %26 = memref.load %arg2[%19] : memref<16xf32>
// CHECK-NEXT:         %27 = arith.addf %25, %26 : f32
// CHECK-NEXT:         %28 = arith.maximumf %27, %cst_0 : f32
// CHECK-NEXT:         memref.store %28, %arg3[%9, %19] : memref<24x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %21 = arith.addi %8, %c9 : index
// CHECK-NEXT:       %22 = vector.extract %6#1[0, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       scf.if %11 {
// CHECK-NEXT:         %25 = arith.addf %22, %cst_0 : f32
// CHECK-NEXT:         %26 = memref.load %arg2[%21] : memref<16xf32>
// CHECK-NEXT:         %27 = arith.addf %25, %26 : f32
// CHECK-NEXT:         %28 = arith.maximumf %27, %cst_0 : f32
// CHECK-NEXT:         memref.store %28, %arg3[%9, %21] : memref<24x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %23 = vector.extract %6#1[1, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       scf.if %17 {
// CHECK-NEXT:         %25 = arith.addf %23, %cst_0 : f32
// CHECK-NEXT:         %26 = memref.load %arg2[%19] : memref<16xf32>
// CHECK-NEXT:         %27 = arith.addf %25, %26 : f32
// CHECK-NEXT:         %28 = arith.maximumf %27, %cst_0 : f32
// CHECK-NEXT:         memref.store %28, %arg3[%15, %19] : memref<24x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %24 = vector.extract %6#1[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       scf.if %17 {
// CHECK-NEXT:         %25 = arith.addf %24, %cst_0 : f32
// CHECK-NEXT:         %26 = memref.load %arg2[%21] : memref<16xf32>
// CHECK-NEXT:         %27 = arith.addf %25, %26 : f32
// CHECK-NEXT:         %28 = arith.maximumf %27, %cst_0 : f32
// CHECK-NEXT:         memref.store %28, %arg3[%15, %21] : memref<24x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {xgpu.own}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @bias(%a: memref<24x32xf16>, %b: memref<32x16xf16>, %bias: memref<16xf32>, %c: memref<24x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<24x16xf32>)
  linalg.matmul ins(%a, %b : memref<24x32xf16>, memref<32x16xf16>) outs(%c : memref<24x16xf32>)
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : memref<24x16xf32>, memref<16xf32>) outs(%c : memref<24x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  }
  return
}
