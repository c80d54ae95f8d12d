// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every operation.

// CHECK: module {
// CHECK-NEXT:   llvm.func @registers() {
// CHECK-NEXT:     %0 = xevm.group_count.x : i32
// CHECK-NEXT:     %1 = xevm.group_count.y : i32
// CHECK-NEXT:     %2 = xevm.group_count.z : i32
// CHECK-NEXT:     %3 = xevm.group_id.x : i32
// CHECK-NEXT:     %4 = xevm.group_id.y : i32
// CHECK-NEXT:     %5 = xevm.group_id.z : i32
// CHECK-NEXT:     %6 = xevm.local_id.x : i32
// CHECK-NEXT:     %7 = xevm.local_id.y : i32
// CHECK-NEXT:     %8 = xevm.local_id.z : i32
// CHECK-NEXT:     %9 = xevm.local_size.x : i32
// CHECK-NEXT:     %10 = xevm.local_size.y : i32
// CHECK-NEXT:     %11 = xevm.local_size.z : i32
// CHECK-NEXT:     %12 = xevm.lane_id : i32
// CHECK-NEXT:     %13 = xevm.subgroup_id : i32
// CHECK-NEXT:     %14 = xevm.subgroup_size : i32
// CHECK-NEXT:     %15 = xevm.lane_id range <i32, 0, 16> : i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @registers() {
  %0 = xevm.group_count.x : i32
  %1 = xevm.group_count.y : i32
  %2 = xevm.group_count.z : i32
  %3 = xevm.group_id.x : i32
  %4 = xevm.group_id.y : i32
  %5 = xevm.group_id.z : i32
  %6 = xevm.local_id.x : i32
  %7 = xevm.local_id.y : i32
  %8 = xevm.local_id.z : i32
  %9 = xevm.local_size.x : i32
  %10 = xevm.local_size.y : i32
  %11 = xevm.local_size.z : i32
  %12 = xevm.lane_id : i32
  %13 = xevm.subgroup_id : i32
  %14 = xevm.subgroup_size : i32
  %15 = xevm.lane_id range <i32, 0, 16> : i32
  llvm.return
}

// CHECK-NEXT:   llvm.func @blocks(%arg0: !llvm.ptr<1>, %arg1: i32, %arg2: vector<8xi16>, %arg3: i32) {
// CHECK-NEXT:     %0 = xevm.blockload %arg0  : (!llvm.ptr<1>) -> vector<4xi16>
// CHECK-NEXT:     %1 = xevm.blockload2d %arg0, %arg1, %arg1, %arg1, %arg1, %arg1 <{elem_size_in_bits = 16 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
// CHECK-NEXT:     xevm.blockprefetch2d %arg0, %arg1, %arg1, %arg1, %arg1, %arg1 <{elem_size_in_bits = 8 : i32, tile_height = 8 : i32, tile_width = 32 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
// CHECK-NEXT:     xevm.blockstore %arg0, %arg3  : (!llvm.ptr<1>, i32)
// CHECK-NEXT:     xevm.blockstore2d %arg0, %arg1, %arg1, %arg1, %arg1, %arg1, %arg2 <{elem_size_in_bits = 16 : i32, tile_height = 8 : i32, tile_width = 16 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi16>)
// CHECK-NEXT:     xevm.prefetch %arg0  : (!llvm.ptr<1>)
// CHECK-NEXT:     xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @blocks(%p: !llvm.ptr<1>, %i: i32, %v: vector<8xi16>, %c: i32) {
  %0 = xevm.blockload %p : (!llvm.ptr<1>) -> vector<4xi16>
  %1 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  xevm.blockprefetch2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 8 : i32, tile_height = 8 : i32, tile_width = 32 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  xevm.blockstore %p, %c : (!llvm.ptr<1>, i32)
  xevm.blockstore2d %p, %i, %i, %i, %i, %i, %v <{elem_size_in_bits = 16 : i32, tile_height = 8 : i32, tile_width = 16 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi16>)
  xevm.prefetch %p : (!llvm.ptr<1>)
  xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  llvm.return
}

// CHECK-NEXT:   llvm.func @mma(%arg0: vector<8xf32>, %arg1: vector<8xi16>, %arg2: vector<8xi32>) {
// CHECK-NEXT:     %0 = xevm.mma %arg1, %arg2, %arg0 {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @mma(%c: vector<8xf32>, %a: vector<8xi16>, %b: vector<8xi32>) {
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  llvm.return
}
