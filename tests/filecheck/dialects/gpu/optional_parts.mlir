// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --allow-unregistered-dialect --mlir-print-op-generic %s | xgpu-opt --allow-unregistered-dialect | filecheck %s --match-full-lines

// Optional parts of functions, collectives and matrices.

// CHECK: module {
// CHECK-NEXT:   module attributes {gpu.container_module} {
// CHECK-NEXT:     gpu.module @functions<#gpu.select_object<0 : i64>> [#nvvm.target, #nvvm.target<O = 3, triple = "nvptx64", chip = "sm_90a", features = "+ptx80", flags = {fast, ftz}, link = ["a.bc"]>] attributes {tag} {
// CHECK-NEXT:       gpu.func @attributes(%arg0: f32 {llvm.noundef}, %arg1: memref<4xf32>) -> (f32 {llvm.noundef}) workgroup(%arg2 : memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %arg3 : memref<1xi8, 3>) private(%arg4 : memref<1xf32, #gpu.address_space<private>> {llvm.align = 4 : i64}) attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>, known_grid_size = array<i32: 4, 4, 1>} {
// CHECK-NEXT:         gpu.return %arg0 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
// CHECK-NEXT:         gpu.return
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
module attributes {gpu.container_module} {
  gpu.module @functions <#gpu.select_object<0 : i64>> [#nvvm.target, #nvvm.target<O = 3, triple = "nvptx64", chip = "sm_90a", features = "+ptx80", flags = {fast, ftz}, link = ["a.bc"]>] attributes {tag} {
    gpu.func @attributes(%a: f32 {llvm.noundef}, %b: memref<4xf32>) -> (f32 {llvm.noundef}) workgroup(%w: memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %v: memref<1xi8, 3>) private(%p: memref<1xf32, #gpu.address_space<private>> {llvm.align = 4 : i64}) attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>, known_grid_size = array<i32: 4, 4, 1>} {
      gpu.return %a : f32
    }
    gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      gpu.return
    }
  }
}

// CHECK-NEXT:   func.func @launch(%arg0: index, %arg1: i32, %arg2: !gpu.async.token) {
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) module(@functions) function(@kernel) {
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = gpu.launch async [%arg2] clusters(%arg15, %arg16, %arg17) in (%arg18 = %arg0, %arg19 = %arg0, %arg20 = %arg0) blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) dynamic_shared_memory_size %arg1 workgroup(%arg21 : memref<4xf32, #gpu.address_space<workgroup>>) private(%arg22 : memref<1xf32, #gpu.address_space<private>>) {
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {tag}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @launch(%n: index, %size: i32, %t: !gpu.async.token) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) module(@functions) function(@kernel) {
    gpu.terminator
  }
  %0 = gpu.launch async [%t] clusters(%cx, %cy, %cz) in (%kx = %n, %ky = %n, %kz = %n) blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) dynamic_shared_memory_size %size workgroup(%w: memref<4xf32, #gpu.address_space<workgroup>>) private(%p: memref<1xf32, #gpu.address_space<private>>) {
    gpu.terminator
  } {tag}
  return
}

// CHECK-NEXT:   func.func @collectives(%arg0: f32, %arg1: i32, %arg2: vector<4xf32>) {
// CHECK-NEXT:     %0 = gpu.all_reduce  mul %arg0 {
// CHECK-NEXT:     } : (f32) -> f32
// CHECK-NEXT:     %1 = gpu.all_reduce  minnumf %arg0 {
// CHECK-NEXT:     } : (f32) -> f32
// CHECK-NEXT:     %2 = gpu.all_reduce  maximumf %arg0 uniform {
// CHECK-NEXT:     } : (f32) -> f32
// CHECK-NEXT:     %3 = gpu.all_reduce  minui %arg1 {
// CHECK-NEXT:     } : (i32) -> i32
// CHECK-NEXT:     %4 = gpu.all_reduce  maxsi %arg1 {
// CHECK-NEXT:     } : (i32) -> i32
// CHECK-NEXT:     %5 = gpu.subgroup_reduce  minsi %arg1 : (i32) -> i32
// CHECK-NEXT:     %6 = gpu.subgroup_reduce  maxui %arg1 uniform : (i32) -> i32
// CHECK-NEXT:     %7 = gpu.subgroup_reduce  or %arg1 cluster(size = 8) : (i32) -> i32
// CHECK-NEXT:     %8 = gpu.subgroup_reduce  minimumf %arg0 cluster(size = 4, stride = 2) : (f32) -> f32
// CHECK-NEXT:     %9 = gpu.subgroup_reduce  add %arg2 : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     %shuffleResult, %valid = gpu.shuffle  up %arg0, %arg1, %arg1 : f32
// CHECK-NEXT:     %shuffleResult_0, %valid_1 = gpu.shuffle  down %arg1, %arg1, %arg1 : i32
// CHECK-NEXT:     %shuffleResult_2, %valid_3 = gpu.shuffle  idx %arg2, %arg1, %arg1 : vector<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @collectives(%x: f32, %i: i32, %v: vector<4xf32>) {
  %0 = gpu.all_reduce mul %x {} : (f32) -> f32
  %1 = gpu.all_reduce minnumf %x {} : (f32) -> f32
  %2 = gpu.all_reduce maximumf %x uniform {} : (f32) -> f32
  %3 = gpu.all_reduce minui %i {} : (i32) -> i32
  %4 = gpu.all_reduce maxsi %i {} : (i32) -> i32
  %5 = gpu.subgroup_reduce minsi %i : (i32) -> i32
  %6 = gpu.subgroup_reduce maxui %i uniform : (i32) -> i32
  %7 = gpu.subgroup_reduce or %i cluster(size = 8) : (i32) -> i32
  %8 = gpu.subgroup_reduce minimumf %x cluster(size = 4, stride = 2) : (f32) -> f32
  %9 = gpu.subgroup_reduce add %v : (vector<4xf32>) -> vector<4xf32>
  %10, %11 = gpu.shuffle up %x, %i, %i : f32
  %12, %13 = gpu.shuffle down %i, %i, %i : i32
  %14, %15 = gpu.shuffle idx %v, %i, %i : vector<4xf32>
  return
}

// CHECK-NEXT:   func.func @matrices(%arg0: memref<32x32xf16>, %arg1: memref<32x32xf32>, %arg2: index, %arg3: f32, %arg4: i8, %arg5: memref<32x32xi8>) {
// CHECK-NEXT:     %0 = gpu.subgroup_mma_load_matrix %arg0[%arg2, %arg2] {leadDimension = 32 : index, transpose} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
// CHECK-NEXT:     %1 = gpu.subgroup_mma_load_matrix %arg0[%arg2, %arg2] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
// CHECK-NEXT:     %2 = gpu.subgroup_mma_constant_matrix %arg3 : !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     %3 = gpu.subgroup_mma_compute %0, %1, %2 {a_transpose, b_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     gpu.subgroup_mma_store_matrix %3, %arg1[%arg2, %arg2] {leadDimension = 32 : index, transpose} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32>
// CHECK-NEXT:     %4 = gpu.subgroup_mma_elementwise  addf %2, %3 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     %5 = gpu.subgroup_mma_elementwise  mulf %2, %3 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     %6 = gpu.subgroup_mma_elementwise  subf %2, %3 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     %7 = gpu.subgroup_mma_elementwise  maxf %2, %3 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     %8 = gpu.subgroup_mma_elementwise  minf %2, %3 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     %9 = gpu.subgroup_mma_elementwise  divf %2, %3 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     %10 = gpu.subgroup_mma_elementwise  negatef %2 : (!gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     %11 = gpu.subgroup_mma_elementwise  extf %0 : (!gpu.mma_matrix<16x16xf16, "AOp">) -> !gpu.mma_matrix<16x16xf32, "AOp">
// CHECK-NEXT:     %12 = gpu.subgroup_mma_extract_thread_local %3[%arg2] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
// CHECK-NEXT:     %13 = gpu.subgroup_mma_insert_thread_local %12, %3[%arg2] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @matrices(%m: memref<32x32xf16>, %o: memref<32x32xf32>, %i: index, %x: f32, %j: i8, %s: memref<32x32xi8>) {
  %a = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index, transpose} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %b = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %c = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf32, "COp">
  %d = gpu.subgroup_mma_compute %a, %b, %c {a_transpose, b_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %d, %o[%i, %i] {leadDimension = 32 : index, transpose} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32>
  %0 = gpu.subgroup_mma_elementwise addf %c, %d : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %1 = gpu.subgroup_mma_elementwise mulf %c, %d : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %2 = gpu.subgroup_mma_elementwise subf %c, %d : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %3 = gpu.subgroup_mma_elementwise maxf %c, %d : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %4 = gpu.subgroup_mma_elementwise minf %c, %d : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %5 = gpu.subgroup_mma_elementwise divf %c, %d : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %6 = gpu.subgroup_mma_elementwise negatef %c : (!gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  %7 = gpu.subgroup_mma_elementwise extf %a : (!gpu.mma_matrix<16x16xf16, "AOp">) -> !gpu.mma_matrix<16x16xf32, "AOp">
  %e = gpu.subgroup_mma_extract_thread_local %d[%i] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
  %f = gpu.subgroup_mma_insert_thread_local %e, %d[%i] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}

// CHECK-NEXT:   func.func @lane_0(%arg0: index, %arg1: vector<4xf32>) -> vector<1xf32> {
// CHECK-NEXT:     %0 = gpu.warp_execute_on_lane_0(%arg0)[32] args(%arg1 : vector<4xf32>) -> (vector<1xf32>) {
// CHECK-NEXT:     ^bb0(%arg2: vector<128xf32>):
// CHECK-NEXT:       %1 = "test.def"() : () -> vector<32xf32>
// CHECK-NEXT:       gpu.yield %1 : vector<32xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.warp_execute_on_lane_0(%arg0)[64] {
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : vector<1xf32>
// CHECK-NEXT:   }
func.func @lane_0(%lane: index, %v: vector<4xf32>) -> vector<1xf32> {
  %0 = gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xf32>) -> vector<1xf32> {
  ^bb0(%w: vector<128xf32>):
    %1 = "test.def"() : () -> vector<32xf32>
    gpu.yield %1 : vector<32xf32>
  }
  gpu.warp_execute_on_lane_0(%lane)[64] {
  }
  return %0 : vector<1xf32>
}

// CHECK-NEXT:   func.func @wide(%arg0: index) {
// CHECK-NEXT:     %0 = gpu.lane_id upper_bound 32
// CHECK-NEXT:     %1 = gpu.subgroup_id upper_bound 4 : index
// CHECK-NEXT:     %2 = gpu.num_subgroups upper_bound 4 : index
// CHECK-NEXT:     %3 = gpu.subgroup_size upper_bound 64 : index
// CHECK-NEXT:     %block_dim_x = gpu.block_dim  x upper_bound 1024
// CHECK-NEXT:     %cluster_block_id_y = gpu.cluster_block_id  y upper_bound 8
// CHECK-NEXT:     %cluster_dim_blocks_z = gpu.cluster_dim_blocks  z upper_bound 8
// CHECK-NEXT:     %global_id_x = gpu.global_id  x upper_bound 65536
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @wide(%lane: index) {
  %0 = gpu.lane_id upper_bound 32
  %1 = gpu.subgroup_id upper_bound 4 : index
  %2 = gpu.num_subgroups upper_bound 4 : index
  %3 = gpu.subgroup_size upper_bound 64 : index
  %4 = gpu.block_dim x upper_bound 1024
  %5 = gpu.cluster_block_id y upper_bound 8
  %6 = gpu.cluster_dim_blocks z upper_bound 8
  %7 = gpu.global_id x upper_bound 65536
  return
}
