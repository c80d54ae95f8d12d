// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

llvm.func @too_small(%p: !llvm.ptr<1>, %n: i32) {
  // expected-error@+1 {{'xevm.blockload2d' op result size of 64 bits does not match the expected size of 128 bits}}
  %0 = xevm.blockload2d %p, %n, %n, %n, %n, %n <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<4xi16>
  llvm.return
}

// -----

llvm.func @odd_size(%p: !llvm.ptr<1>, %v: vector<3xi32>) {
  // expected-error@+1 {{'xevm.blockstore' op vector size must be 2, 4 or 8 for element type > 8 bits}}
  xevm.blockstore %p, %v : (!llvm.ptr<1>, vector<3xi32>)
  llvm.return
}
