// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu-tile-matmul{tile=16,16,8 warps=1,1 tf32=true stages=3 prefetch=1 mode=pipelined},canonicalize,cse)" | filecheck %s --match-full-lines

// Columns of B lie together: its tile is read as it lies.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK: module {
// CHECK-NEXT:   func.func @transposed(%arg0: memref<16x8xf32>, %arg1: memref<16x8xf32>, %arg2: memref<16x16xf32>) {
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<2x2xf32>
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c32, %arg13 = %c1, %arg14 = %c1) workgroup(%arg15 : memref<16x8xf32, #gpu.address_space<workgroup>>, %arg16 : memref<16x8xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %0 = arith.remui %arg6, %c32 : index
// CHECK-NEXT:       %1 = arith.divui %arg6, %c32 : index
// CHECK-NEXT:       %2 = arith.divui %0, %c4 : index
// CHECK-NEXT:       %3 = arith.remui %0, %c4 : index
// CHECK-NEXT:       %4 = arith.muli %1, %c16 : index
// CHECK-NEXT:       %5 = arith.divui %arg6, %c2 : index
// CHECK-NEXT:       %6 = arith.remui %arg6, %c2 : index
// CHECK-NEXT:       %7 = arith.muli %6, %c4 : index
// CHECK-NEXT:       %8 = arith.divui %5, %c4 : index
// CHECK-NEXT:       %9 = arith.remui %8, %c2 : index
// CHECK-NEXT:       %10 = arith.divui %7, %c4 : index
// CHECK-NEXT:       %11 = arith.remui %7, %c4 : index
// CHECK-NEXT:       %12 = arith.xori %10, %9 : index
// CHECK-NEXT:       %13 = arith.muli %12, %c4 : index
// CHECK-NEXT:       %14 = arith.addi %13, %11 : index
// CHECK-NEXT:       %15 = nvgpu.device_async_copy %arg0[%5, %7], %arg15[%5, %14], 4 : memref<16x8xf32> to memref<16x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       %16 = nvgpu.device_async_copy %arg1[%5, %7], %arg16[%5, %14], 4 : memref<16x8xf32> to memref<16x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       %17 = nvgpu.device_async_create_group %15, %16
// CHECK-NEXT:       nvgpu.device_async_wait %17
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %18 = arith.remui %0, %c8 : index
// CHECK-NEXT:       %19 = arith.divui %0, %c8 : index
// CHECK-NEXT:       %20 = arith.remui %19, %c2 : index
// CHECK-NEXT:       %21 = arith.divui %19, %c2 : index
// CHECK-NEXT:       %22 = arith.muli %20, %c8 : index
// CHECK-NEXT:       %23 = arith.muli %21, %c4 : index
// CHECK-NEXT:       %24 = arith.addi %22, %18 : index
// CHECK-NEXT:       %25 = arith.addi %4, %24 : index
// CHECK-NEXT:       %26 = arith.divui %25, %c4 : index
// CHECK-NEXT:       %27 = arith.remui %26, %c2 : index
// CHECK-NEXT:       %28 = arith.divui %23, %c4 : index
// CHECK-NEXT:       %29 = arith.remui %23, %c4 : index
// CHECK-NEXT:       %30 = arith.xori %28, %27 : index
// CHECK-NEXT:       %31 = arith.muli %30, %c4 : index
// CHECK-NEXT:       %32 = arith.addi %31, %29 : index
// CHECK-NEXT:       %33 = nvgpu.ldmatrix %arg15[%25, %32] {numTiles = 4 : i32, transpose = false} : memref<16x8xf32, #gpu.address_space<workgroup>> -> vector<4x1xf32>
// CHECK-NEXT:       %34 = arith.muli %21, %c8 : index
// CHECK-NEXT:       %35 = arith.muli %20, %c4 : index
// CHECK-NEXT:       %36 = arith.addi %34, %18 : index
// CHECK-NEXT:       %37 = arith.divui %36, %c4 : index
// CHECK-NEXT:       %38 = arith.remui %37, %c2 : index
// CHECK-NEXT:       %39 = arith.divui %35, %c4 : index
// CHECK-NEXT:       %40 = arith.remui %35, %c4 : index
// CHECK-NEXT:       %41 = arith.xori %39, %38 : index
// CHECK-NEXT:       %42 = arith.muli %41, %c4 : index
// CHECK-NEXT:       %43 = arith.addi %42, %40 : index
// CHECK-NEXT:       %44 = nvgpu.ldmatrix %arg16[%36, %43] {numTiles = 4 : i32, transpose = false} : memref<16x8xf32, #gpu.address_space<workgroup>> -> vector<4x1xf32>
// CHECK-NEXT:       %45 = vector.extract %44[0] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:       %46 = vector.extract %44[1] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:       %47 = vector.to_elements %45 : vector<1xf32>
// CHECK-NEXT:       %48 = vector.to_elements %46 : vector<1xf32>
// CHECK-NEXT:       %49 = vector.from_elements %47, %48 : vector<2x1xf32>
// CHECK-NEXT:       %50 = vector.extract %44[2] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:       %51 = vector.extract %44[3] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:       %52 = vector.to_elements %50 : vector<1xf32>
// CHECK-NEXT:       %53 = vector.to_elements %51 : vector<1xf32>
// CHECK-NEXT:       %54 = vector.from_elements %52, %53 : vector<2x1xf32>
// CHECK-NEXT:       %55 = nvgpu.mma.sync(%33, %49, %cst) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:       %56 = nvgpu.mma.sync(%33, %54, %cst) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %57 = arith.addi %4, %2 : index
// CHECK-NEXT:       %58 = arith.muli %3, %c2 : index
// CHECK-NEXT:       %59 = vector.extract %55[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %60 = memref.load %arg2[%57, %58] : memref<16x16xf32>
// CHECK-NEXT:       %61 = arith.addf %60, %59 : f32
// CHECK-NEXT:       memref.store %61, %arg2[%57, %58] : memref<16x16xf32>
// CHECK-NEXT:       %62 = arith.addi %58, %c1 : index
// CHECK-NEXT:       %63 = vector.extract %55[0, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %64 = memref.load %arg2[%57, %62] : memref<16x16xf32>
// CHECK-NEXT:       %65 = arith.addf %64, %63 : f32
// CHECK-NEXT:       memref.store %65, %arg2[%57, %62] : memref<16x16xf32>
// CHECK-NEXT:       %66 = arith.addi %57, %c8 : index
// CHECK-NEXT:       %67 = vector.extract %55[1, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %68 = memref.load %arg2[%66, %58] : memref<16x16xf32>
// CHECK-NEXT:       %69 = arith.addf %68, %67 : f32
// CHECK-NEXT:       memref.store %69, %arg2[%66, %58] : memref<16x16xf32>
// CHECK-NEXT:       %70 = vector.extract %55[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %71 = memref.load %arg2[%66, %62] : memref<16x16xf32>
// CHECK-NEXT:       %72 = arith.addf %71, %70 : f32
// CHECK-NEXT:       memref.store %72, %arg2[%66, %62] : memref<16x16xf32>
// CHECK-NEXT:       %73 = arith.addi %58, %c8 : index
// CHECK-NEXT:       %74 = vector.extract %56[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %75 = memref.load %arg2[%57, %73] : memref<16x16xf32>
// CHECK-NEXT:       %76 = arith.addf %75, %74 : f32
// CHECK-NEXT:       memref.store %76, %arg2[%57, %73] : memref<16x16xf32>
// CHECK-NEXT:       %77 = arith.addi %58, %c9 : index
// CHECK-NEXT:       %78 = vector.extract %56[0, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %79 = memref.load %arg2[%57, %77] : memref<16x16xf32>
// CHECK-NEXT:       %80 = arith.addf %79, %78 : f32
// CHECK-NEXT:       memref.store %80, %arg2[%57, %77] : memref<16x16xf32>
// CHECK-NEXT:       %81 = vector.extract %56[1, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %82 = memref.load %arg2[%66, %73] : memref<16x16xf32>
// CHECK-NEXT:       %83 = arith.addf %82, %81 : f32
// CHECK-NEXT:       memref.store %83, %arg2[%66, %73] : memref<16x16xf32>
// CHECK-NEXT:       %84 = vector.extract %56[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %85 = memref.load %arg2[%66, %77] : memref<16x16xf32>
// CHECK-NEXT:       %86 = arith.addf %85, %84 : f32
// CHECK-NEXT:       memref.store %86, %arg2[%66, %77] : memref<16x16xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {xgpu.own}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @transposed(%a: memref<16x8xf32>, %b: memref<16x8xf32>, %c: memref<16x16xf32>) {
  linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%a, %b : memref<16x8xf32>, memref<16x8xf32>) outs(%c : memref<16x16xf32>)
  return
}
