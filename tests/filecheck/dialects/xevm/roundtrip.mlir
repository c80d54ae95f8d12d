// RUN: xgpu-opt %s | xgpu-opt | filecheck %s

// CHECK-LABEL: llvm.func @good
// CHECK: xevm.blockload2d
// CHECK-SAME: (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
// CHECK: xevm.memfence
llvm.func @good(%p: !llvm.ptr<1>, %n: i32) -> vector<8xi16> {
  %0 = xevm.blockload2d %p, %n, %n, %n, %n, %n <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  llvm.return %0 : vector<8xi16>
}
