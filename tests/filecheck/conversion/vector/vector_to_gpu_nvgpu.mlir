// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(convert-vector-to-gpu{use-nvgpu=true}))" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(convert-vector-to-gpu{use-nvgpu=false}))" %s | filecheck %s --match-full-lines --check-prefix=WMMA

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>
// CHECK: #map = affine_map<()[s0] -> (s0 mod 16)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> ((s0 floordiv 16) * 8)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> (s0 mod 8)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> ((s0 floordiv 8) * 8)>
// CHECK-NEXT: #map4 = affine_map<()[s0] -> (s0 floordiv 4)>
// CHECK-NEXT: #map5 = affine_map<()[s0] -> (s0 * 2 - (s0 floordiv 4) * 8)>
// CHECK-NEXT: #map6 = affine_map<()[s0] -> (s0 floordiv 4 + 8)>
// CHECK-NEXT: #map7 = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map8 = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-NEXT: #map9 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @mma(%arg0: memref<16x16xf16, #gpu.address_space<workgroup>>, %arg1: memref<8x16xf16, #gpu.address_space<workgroup>>, %arg2: memref<16x8xf16>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %0 = gpu.lane_id
// CHECK-NEXT:     %1 = affine.apply #map()[%0]
// CHECK-NEXT:     %2 = affine.apply #map1()[%0]
// CHECK-NEXT:     %3 = nvgpu.ldmatrix %arg0[%1, %2] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:     %4 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true]} : memref<16x16xf16, #gpu.address_space<workgroup>>, vector<16x16xf16>
// CHECK-NEXT:     %5 = gpu.lane_id
// CHECK-NEXT:     %6 = affine.apply #map2()[%5]
// CHECK-NEXT:     %7 = affine.apply #map3()[%5]
// CHECK-NEXT:     %8 = nvgpu.ldmatrix %arg1[%6, %7] {numTiles = 2 : i32, transpose = false} : memref<8x16xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
// CHECK-NEXT:     %9 = vector.transfer_read %arg1[%c0, %c0], %cst {in_bounds = [true, true]} : memref<8x16xf16, #gpu.address_space<workgroup>>, vector<8x16xf16>
// CHECK-NEXT:     %10 = gpu.lane_id
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %11 = vector.broadcast %cst_0 : f16 to vector<2x2xf16>
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %12 = affine.apply #map4()[%10]
// CHECK-NEXT:     %13 = affine.apply #map5()[%10]
// CHECK-NEXT:     %14 = vector.load %arg2[%12, %13] : memref<16x8xf16>, vector<2xf16>
// CHECK-NEXT:     %15 = vector.insert %14, %11 [0] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %16 = affine.apply #map6()[%10]
// CHECK-NEXT:     %17 = affine.apply #map5()[%10]
// CHECK-NEXT:     %18 = vector.load %arg2[%16, %17] : memref<16x8xf16>, vector<2xf16>
// CHECK-NEXT:     %19 = vector.insert %18, %15 [1] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:     %20 = vector.transfer_read %arg2[%c0, %c0], %cst {in_bounds = [true, true]} : memref<16x8xf16>, vector<16x8xf16>
// CHECK-NEXT:     %21 = nvgpu.mma.sync(%3, %8, %19) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
// CHECK-NEXT:     %22 = vector.contract {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %4, %9, %20 : vector<16x16xf16>, vector<8x16xf16> into vector<16x8xf16>
// CHECK-NEXT:     %23 = gpu.lane_id
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %24 = vector.extract %21[0] : vector<2xf16> from vector<2x2xf16>
// CHECK-NEXT:     %25 = affine.apply #map4()[%23]
// CHECK-NEXT:     %26 = affine.apply #map5()[%23]
// CHECK-NEXT:     vector.store %24, %arg2[%25, %26] : memref<16x8xf16>, vector<2xf16>
// CHECK-NEXT:     %c2_3 = arith.constant 2 : index
// CHECK-NEXT:     %27 = vector.extract %21[1] : vector<2xf16> from vector<2x2xf16>
// CHECK-NEXT:     %28 = affine.apply #map6()[%23]
// CHECK-NEXT:     %29 = affine.apply #map5()[%23]
// CHECK-NEXT:     vector.store %27, %arg2[%28, %29] : memref<16x8xf16>, vector<2xf16>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// WMMA: #map = affine_map<(d0, d1) -> (d1, d0)>
// WMMA-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
// WMMA-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
// WMMA-NEXT: #map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
// WMMA-NEXT: module {
// WMMA-NEXT:   func.func @mma(%arg0: memref<16x16xf16, #gpu.address_space<workgroup>>, %arg1: memref<8x16xf16, #gpu.address_space<workgroup>>, %arg2: memref<16x8xf16>) {
// WMMA-NEXT:     %c0 = arith.constant 0 : index
// WMMA-NEXT:     %cst = arith.constant 0.000000e+00 : f16
// WMMA-NEXT:     %0 = gpu.subgroup_mma_load_matrix %arg0[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
// WMMA-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true]} : memref<16x16xf16, #gpu.address_space<workgroup>>, vector<16x16xf16>
// WMMA-NEXT:     %2 = gpu.subgroup_mma_load_matrix %arg2[%c0, %c0] {leadDimension = 8 : index} : memref<16x8xf16> -> !gpu.mma_matrix<16x8xf16, "COp">
// WMMA-NEXT:     %3 = vector.transfer_read %arg2[%c0, %c0], %cst {in_bounds = [true, true]} : memref<16x8xf16>, vector<16x8xf16>
// WMMA-NEXT:     %4 = gpu.subgroup_mma_load_matrix %arg1[%c0, %c0] {leadDimension = 16 : index, transpose} : memref<8x16xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x8xf16, "BOp">
// WMMA-NEXT:     %5 = vector.transfer_read %arg1[%c0, %c0], %cst {in_bounds = [true, true], permutation_map = #map} : memref<8x16xf16, #gpu.address_space<workgroup>>, vector<16x8xf16>
// WMMA-NEXT:     %6 = gpu.subgroup_mma_compute %0, %4, %2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x8xf16, "BOp"> -> !gpu.mma_matrix<16x8xf16, "COp">
// WMMA-NEXT:     %7 = vector.contract {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %1, %5, %3 : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf16>
// WMMA-NEXT:     gpu.subgroup_mma_store_matrix %6, %arg2[%c0, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<16x8xf16, "COp">, memref<16x8xf16>
// WMMA-NEXT:     return
// WMMA-NEXT:   }
// WMMA-NEXT: }
func.func @mma(%x: memref<16x16xf16, #gpu.address_space<workgroup>>, %y: memref<8x16xf16, #gpu.address_space<workgroup>>, %z: memref<16x8xf16>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %0 = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x16xf16, #gpu.address_space<workgroup>>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x16xf16, #gpu.address_space<workgroup>>, vector<8x16xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x8xf16>, vector<16x8xf16>
  %3 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %1, %2 : vector<16x16xf16>, vector<8x16xf16> into vector<16x8xf16>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x8xf16>, memref<16x8xf16>
  return
}
