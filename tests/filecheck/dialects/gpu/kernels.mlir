// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// What kernels are made of: collectives, matrices, memory of a block.

gpu.module @kernels {
  gpu.func @subgroup(%x: f32, %i: i32, %lane: index, %out: memref<32xf32>) workgroup(%w : memref<32xf32, #gpu.address_space<workgroup>>) private(%p : memref<1xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %w32 = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %s:2 = gpu.shuffle xor %x, %one, %w32 : f32
    %r:2 = gpu.rotate %x, 1, 32 : f32
    %a = gpu.all_reduce add %x uniform {} : (f32) -> (f32)
    %b = gpu.subgroup_reduce maxnumf %x uniform : (f32) -> (f32)
    %c = gpu.subgroup_reduce add %i cluster(size = 4, stride = 2) : (i32) -> (i32)
    %f = gpu.subgroup_broadcast %x, first_active_lane : f32
    %g = gpu.subgroup_broadcast %x, specific_lane %one : f32
    %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.printf "%f %d", %x, %i : f32, i32
    %l = gpu.warp_execute_on_lane_0(%lane)[32] -> (f32) {
      gpu.yield %x : f32
    }
    gpu.return
  }
  gpu.func @reduce_region(%x: f32) kernel {
    %a = gpu.all_reduce %x {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      gpu.yield %s : f32
    } : (f32) -> (f32)
    gpu.return
  }
  gpu.func @mma(%m: memref<32x32xf32, 3>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %a = gpu.subgroup_mma_load_matrix %m[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf32, 3> -> !gpu.mma_matrix<16x16xf32, "COp">
    %b = gpu.subgroup_mma_constant_matrix %v : !gpu.mma_matrix<16x16xf32, "COp">
    %e = gpu.subgroup_mma_elementwise addf %a, %b : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %x = gpu.subgroup_mma_extract_thread_local %e[%c0] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
    %y = gpu.subgroup_mma_insert_thread_local %x, %e[%c0] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %y, %m[%c0, %c0] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32, 3>
    gpu.return
  }
  gpu.func @compute(%m: memref<32x32xf16, 3>) kernel {
    %c0 = arith.constant 0 : index
    %a = gpu.subgroup_mma_load_matrix %m[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b = gpu.subgroup_mma_load_matrix %m[%c0, %c0] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_load_matrix %m[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "COp">
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.return
  }
}

// CHECK: module {
// CHECK-NEXT: gpu.module @kernels {
// CHECK-NEXT: gpu.func @subgroup(%arg0: f32, %arg1: i32, %arg2: index, %arg3: memref<32xf32>) workgroup(%arg4 : memref<32xf32, #gpu.address_space<workgroup>>) private(%arg5 : memref<1xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
// CHECK-NEXT: %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %shuffleResult, %valid = gpu.shuffle  xor %arg0, %c1_i32, %c32_i32 : f32
// CHECK-NEXT: %rotateResult, %valid_0 = gpu.rotate %arg0, 1, 32 : f32
// CHECK-NEXT: %0 = gpu.all_reduce  add %arg0 uniform {
// CHECK-NEXT: } : (f32) -> f32
// CHECK-NEXT: %1 = gpu.subgroup_reduce  maxnumf %arg0 uniform : (f32) -> f32
// CHECK-NEXT: %2 = gpu.subgroup_reduce  add %arg1 cluster(size = 4, stride = 2) : (i32) -> i32
// CHECK-NEXT: %3 = gpu.subgroup_broadcast %arg0,  first_active_lane : f32
// CHECK-NEXT: %4 = gpu.subgroup_broadcast %arg0,  specific_lane %c1_i32 : f32
// CHECK-NEXT: %5 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK-NEXT: gpu.printf "%f %d", %arg0, %arg1 : f32, i32
// CHECK-NEXT: %6 = gpu.warp_execute_on_lane_0(%arg2)[32] -> (f32) {
// CHECK-NEXT: gpu.yield %arg0 : f32
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: gpu.func @reduce_region(%arg0: f32) kernel {
// CHECK-NEXT: %0 = gpu.all_reduce  %arg0 {
// CHECK-NEXT: ^bb0(%arg1: f32, %arg2: f32):
// CHECK-NEXT: %1 = arith.addf %arg1, %arg2 : f32
// CHECK-NEXT: gpu.yield %1 : f32
// CHECK-NEXT: } : (f32) -> f32
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: gpu.func @mma(%arg0: memref<32x32xf32, 3>, %arg1: f32) kernel {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = gpu.subgroup_mma_load_matrix %arg0[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf32, 3> -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT: %1 = gpu.subgroup_mma_constant_matrix %arg1 : !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT: %2 = gpu.subgroup_mma_elementwise  addf %0, %1 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT: %3 = gpu.subgroup_mma_extract_thread_local %2[%c0] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
// CHECK-NEXT: %4 = gpu.subgroup_mma_insert_thread_local %3, %2[%c0] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT: gpu.subgroup_mma_store_matrix %4, %arg0[%c0, %c0] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32, 3>
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: gpu.func @compute(%arg0: memref<32x32xf16, 3>) kernel {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = gpu.subgroup_mma_load_matrix %arg0[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
// CHECK-NEXT: %1 = gpu.subgroup_mma_load_matrix %arg0[%c0, %c0] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
// CHECK-NEXT: %2 = gpu.subgroup_mma_load_matrix %arg0[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "COp">
// CHECK-NEXT: %3 = gpu.subgroup_mma_compute %0, %1, %2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
