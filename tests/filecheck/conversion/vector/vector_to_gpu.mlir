// RUN: xgpu-opt %s -convert-vector-to-gpu -canonicalize | filecheck %s
// RUN: xgpu-opt %s -convert-vector-to-gpu=use-nvgpu -canonicalize | filecheck %s --check-prefix=SYNC

// CHECK-LABEL: func.func @matmul
// CHECK-DAG:   %[[A:.*]] = gpu.subgroup_mma_load_matrix %{{.*}} {leadDimension = 32 : index} : {{.*}} -> !gpu.mma_matrix<16x16xf16, "AOp">
// CHECK-DAG:   %[[B:.*]] = gpu.subgroup_mma_load_matrix %{{.*}} {leadDimension = 32 : index} : {{.*}} -> !gpu.mma_matrix<16x16xf16, "BOp">
// CHECK-DAG:   %[[C:.*]] = gpu.subgroup_mma_constant_matrix
// CHECK:       %[[D:.*]] = gpu.subgroup_mma_compute %[[A]], %[[B]], %[[C]]
// CHECK:       gpu.subgroup_mma_store_matrix %[[D]]
// SYNC-LABEL:  func.func @matmul
// SYNC:        nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = false}
// SYNC:        nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = true}
// SYNC:        nvgpu.mma.sync({{.*}}) {mmaShape = [16, 16, 16]}
// SYNC:        vector.store
func.func @matmul(%a: memref<32x32xf16, #gpu.address_space<workgroup>>, %b: memref<32x32xf16, #gpu.address_space<workgroup>>, %c: memref<32x32xf16>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %sum = arith.constant dense<0.0> : vector<16x16xf16>
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x32xf16, #gpu.address_space<workgroup>>, vector<16x16xf16>
  %y = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x32xf16, #gpu.address_space<workgroup>>, vector<16x16xf16>
  %z = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %sum : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf16>
  vector.transfer_write %z, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf16>, memref<32x32xf16>
  return
}
