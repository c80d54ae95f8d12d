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
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c32, %arg13 = %c1, %arg14 = %c1) workgroup(%arg15 : memref<16x12xf32, #gpu.address_space<workgroup>>, %arg16 : memref<16x12xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %0 = arith.remui %arg6, %c32 : index
// CHECK-NEXT:       %1 = arith.divui %arg6, %c32 : index
// CHECK-NEXT:       %2 = arith.divui %0, %c4 : index
// CHECK-NEXT:       %3 = arith.remui %0, %c4 : index
// CHECK-NEXT:       %4 = arith.muli %1, %c16 : index
// CHECK-NEXT:       %5 = arith.divui %arg6, %c2 : index
// CHECK-NEXT:       %6 = arith.remui %arg6, %c2 : index
// CHECK-NEXT:       %7 = arith.muli %6, %c4 : index
// CHECK-NEXT:       %8 = nvgpu.device_async_copy %arg0[%5, %7], %arg15[%5, %7], 4 : memref<16x8xf32> to memref<16x12xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       %9 = nvgpu.device_async_copy %arg1[%5, %7], %arg16[%5, %7], 4 : memref<16x8xf32> to memref<16x12xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       %10 = nvgpu.device_async_create_group %8, %9
// CHECK-NEXT:       nvgpu.device_async_wait %10
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %11 = arith.remui %0, %c8 : index
// CHECK-NEXT:       %12 = arith.divui %0, %c8 : index
// CHECK-NEXT:       %13 = arith.remui %12, %c2 : index
// CHECK-NEXT:       %14 = arith.divui %12, %c2 : index
// CHECK-NEXT:       %15 = arith.muli %13, %c8 : index
// CHECK-NEXT:       %16 = arith.muli %14, %c4 : index
// CHECK-NEXT:       %17 = arith.addi %15, %11 : index
// CHECK-NEXT:       %18 = arith.addi %4, %17 : index
// CHECK-NEXT:       %19 = nvgpu.ldmatrix %arg15[%18, %16] {numTiles = 4 : i32, transpose = false} : memref<16x12xf32, #gpu.address_space<workgroup>> -> vector<4x1xf32>
// CHECK-NEXT:       %20 = arith.muli %14, %c8 : index
// CHECK-NEXT:       %21 = arith.muli %13, %c4 : index
// CHECK-NEXT:       %22 = arith.addi %20, %11 : index
// CHECK-NEXT:       %23 = nvgpu.ldmatrix %arg16[%22, %21] {numTiles = 4 : i32, transpose = false} : memref<16x12xf32, #gpu.address_space<workgroup>> -> vector<4x1xf32>
// CHECK-NEXT:       %24 = vector.extract %23[0] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:       %25 = vector.extract %23[1] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:       %26 = vector.to_elements %24 : vector<1xf32>
// CHECK-NEXT:       %27 = vector.to_elements %25 : vector<1xf32>
// CHECK-NEXT:       %28 = vector.from_elements %26, %27 : vector<2x1xf32>
// CHECK-NEXT:       %29 = vector.extract %23[2] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:       %30 = vector.extract %23[3] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:       %31 = vector.to_elements %29 : vector<1xf32>
// CHECK-NEXT:       %32 = vector.to_elements %30 : vector<1xf32>
// CHECK-NEXT:       %33 = vector.from_elements %31, %32 : vector<2x1xf32>
// CHECK-NEXT:       %34 = nvgpu.mma.sync(%19, %28, %cst) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:       %35 = nvgpu.mma.sync(%19, %33, %cst) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %36 = arith.addi %4, %2 : index
// CHECK-NEXT:       %37 = arith.muli %3, %c2 : index
// CHECK-NEXT:       %38 = vector.extract %34[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %39 = memref.load %arg2[%36, %37] : memref<16x16xf32>
// CHECK-NEXT:       %40 = arith.addf %39, %38 : f32
// CHECK-NEXT:       memref.store %40, %arg2[%36, %37] : memref<16x16xf32>
// CHECK-NEXT:       %41 = arith.addi %37, %c1 : index
// CHECK-NEXT:       %42 = vector.extract %34[0, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %43 = memref.load %arg2[%36, %41] : memref<16x16xf32>
// CHECK-NEXT:       %44 = arith.addf %43, %42 : f32
// CHECK-NEXT:       memref.store %44, %arg2[%36, %41] : memref<16x16xf32>
// CHECK-NEXT:       %45 = arith.addi %36, %c8 : index
// CHECK-NEXT:       %46 = vector.extract %34[1, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %47 = memref.load %arg2[%45, %37] : memref<16x16xf32>
// CHECK-NEXT:       %48 = arith.addf %47, %46 : f32
// CHECK-NEXT:       memref.store %48, %arg2[%45, %37] : memref<16x16xf32>
// CHECK-NEXT:       %49 = vector.extract %34[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %50 = memref.load %arg2[%45, %41] : memref<16x16xf32>
// CHECK-NEXT:       %51 = arith.addf %50, %49 : f32
// CHECK-NEXT:       memref.store %51, %arg2[%45, %41] : memref<16x16xf32>
// CHECK-NEXT:       %52 = arith.addi %37, %c8 : index
// CHECK-NEXT:       %53 = vector.extract %35[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %54 = memref.load %arg2[%36, %52] : memref<16x16xf32>
// CHECK-NEXT:       %55 = arith.addf %54, %53 : f32
// CHECK-NEXT:       memref.store %55, %arg2[%36, %52] : memref<16x16xf32>
// CHECK-NEXT:       %56 = arith.addi %37, %c9 : index
// CHECK-NEXT:       %57 = vector.extract %35[0, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %58 = memref.load %arg2[%36, %56] : memref<16x16xf32>
// CHECK-NEXT:       %59 = arith.addf %58, %57 : f32
// CHECK-NEXT:       memref.store %59, %arg2[%36, %56] : memref<16x16xf32>
// CHECK-NEXT:       %60 = vector.extract %35[1, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %61 = memref.load %arg2[%45, %52] : memref<16x16xf32>
// CHECK-NEXT:       %62 = arith.addf %61, %60 : f32
// CHECK-NEXT:       memref.store %62, %arg2[%45, %52] : memref<16x16xf32>
// CHECK-NEXT:       %63 = vector.extract %35[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %64 = memref.load %arg2[%45, %56] : memref<16x16xf32>
// CHECK-NEXT:       %65 = arith.addf %64, %63 : f32
// CHECK-NEXT:       memref.store %65, %arg2[%45, %56] : memref<16x16xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @transposed(%a: memref<16x8xf32>, %b: memref<16x8xf32>, %c: memref<16x16xf32>) {
  linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%a, %b : memref<16x8xf32>, memref<16x8xf32>) outs(%c : memref<16x16xf32>)
  return
}
