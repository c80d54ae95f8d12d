// A contraction of vectors becomes products of matrices in tensor cores.
// RUN: xgpu-opt %s --convert-vector-to-gpu | filecheck %s --match-full-lines

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16x16xf16>, %arg1: memref<16x16xf16>, %arg2: memref<16x16xf16>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %0 = gpu.subgroup_mma_load_matrix %arg0[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
// CHECK-NEXT:     %2 = gpu.subgroup_mma_load_matrix %arg1[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
// CHECK-NEXT:     %3 = vector.transfer_read %arg1[%c0, %c0], %cst {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
// CHECK-NEXT:     %4 = gpu.subgroup_mma_load_matrix %arg2[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
// CHECK-NEXT:     %5 = vector.transfer_read %arg2[%c0, %c0], %cst {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
// CHECK-NEXT:     %6 = gpu.subgroup_mma_compute %0, %2, %4 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
// CHECK-NEXT:     %7 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %1, %3, %5 : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf16>
// CHECK-NEXT:     gpu.subgroup_mma_store_matrix %6, %arg2[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf16>) {
  %0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f16
  %va = vector.transfer_read %a[%0, %0], %z {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
  %vb = vector.transfer_read %b[%0, %0], %z {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
  %vc = vector.transfer_read %c[%0, %0], %z {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
  %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %va, %vb, %vc : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf16>
  vector.transfer_write %r, %c[%0, %0] {in_bounds = [true, true]} : vector<16x16xf16>, memref<16x16xf16>
  return
}
