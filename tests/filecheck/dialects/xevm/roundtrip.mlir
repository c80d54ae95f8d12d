// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// CHECK-LABEL: llvm.func @ids
llvm.func @ids() {
  // CHECK: xevm.group_count.x : i32
  %0 = xevm.group_count.x : i32
  // CHECK: xevm.group_count.y : i32
  %1 = xevm.group_count.y : i32
  // CHECK: xevm.group_count.z : i32
  %2 = xevm.group_count.z : i32
  // CHECK: xevm.group_id.x : i32
  %3 = xevm.group_id.x : i32
  // CHECK: xevm.group_id.y : i32
  %4 = xevm.group_id.y : i32
  // CHECK: xevm.group_id.z : i32
  %5 = xevm.group_id.z : i32
  // CHECK: xevm.local_id.x : i32
  %6 = xevm.local_id.x : i32
  // CHECK: xevm.local_id.y : i32
  %7 = xevm.local_id.y : i32
  // CHECK: xevm.local_id.z : i32
  %8 = xevm.local_id.z : i32
  // CHECK: xevm.local_size.x : i32
  %9 = xevm.local_size.x : i32
  // CHECK: xevm.local_size.y : i32
  %10 = xevm.local_size.y : i32
  // CHECK: xevm.local_size.z : i32
  %11 = xevm.local_size.z : i32
  // CHECK: xevm.lane_id : i32
  %12 = xevm.lane_id : i32
  // CHECK: xevm.subgroup_id : i32
  %13 = xevm.subgroup_id : i32
  // CHECK: xevm.subgroup_size : i32
  %14 = xevm.subgroup_size : i32
  // CHECK: xevm.local_id.x range <i32, 0, 64> : i32
  %r = xevm.local_id.x range <i32, 0, 64> : i32
  llvm.return
}

// CHECK-LABEL: llvm.func @memory
llvm.func @memory(%p: !llvm.ptr<1>, %n: i32, %v: vector<8xi16>) -> vector<8xi16> {
  // CHECK: xevm.blockload2d %{{.*}} <{elem_size_in_bits = 16 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  %0 = xevm.blockload2d %p, %n, %n, %n, %n, %n <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  // CHECK: xevm.blockstore2d %{{.*}} <{elem_size_in_bits = 16 : i32, tile_height = 8 : i32, tile_width = 16 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi16>)
  xevm.blockstore2d %p, %n, %n, %n, %n, %n, %v <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi16>)
  // CHECK: xevm.blockprefetch2d %{{.*}} <{cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>, elem_size_in_bits = 8 : i32, tile_height = 8 : i32, tile_width = 32 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  xevm.blockprefetch2d %p, %n, %n, %n, %n, %n <{elem_size_in_bits = 8 : i32, tile_width = 32 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  // CHECK: xevm.blockload %{{.*}} <{cache_control = #xevm.load_cache_control<L1c_L2c_L3c>}> : (!llvm.ptr<1>) -> vector<4xi32>
  %1 = xevm.blockload %p <{cache_control = #xevm.load_cache_control<L1c_L2c_L3c>}> : (!llvm.ptr<1>) -> vector<4xi32>
  // CHECK: xevm.blockstore %{{.*}}, %{{.*}} <{cache_control = #xevm.store_cache_control<L1wb_L2uc_L3wb>}> : (!llvm.ptr<1>, vector<4xi32>)
  xevm.blockstore %p, %1 <{cache_control = #xevm.store_cache_control<L1wb_L2uc_L3wb>}> : (!llvm.ptr<1>, vector<4xi32>)
  // CHECK: xevm.prefetch %{{.*}} <{cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>)
  xevm.prefetch %p <{cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>)
  // CHECK: xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  llvm.return %0 : vector<8xi16>
}

// CHECK-LABEL: llvm.func @matrix
llvm.func @matrix(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) -> vector<8xf32> {
  // CHECK: xevm.mma %{{.*}}, %{{.*}}, %{{.*}} {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  llvm.return %0 : vector<8xf32>
}
