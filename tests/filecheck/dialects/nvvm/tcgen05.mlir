// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// The fifth generation's tensor cores and their memory.

// CHECK: module {
// CHECK-NEXT:   llvm.func @memory(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: !llvm.ptr<6>, %arg3: i32, %arg4: i16) {
// CHECK-NEXT:     nvvm.tcgen05.alloc %arg0, %arg3 : !llvm.ptr, i32
// CHECK-NEXT:     nvvm.tcgen05.alloc %arg1, %arg3 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
// CHECK-NEXT:     nvvm.tcgen05.dealloc %arg2, %arg3 : !llvm.ptr<6>, i32
// CHECK-NEXT:     nvvm.tcgen05.dealloc %arg2, %arg3 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
// CHECK-NEXT:     nvvm.tcgen05.relinquish_alloc_permit
// CHECK-NEXT:     nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
// CHECK-NEXT:     nvvm.tcgen05.fence <before>
// CHECK-NEXT:     nvvm.tcgen05.fence <after>
// CHECK-NEXT:     nvvm.tcgen05.wait <load>
// CHECK-NEXT:     nvvm.tcgen05.wait <store>
// CHECK-NEXT:     nvvm.tcgen05.commit %arg0 : !llvm.ptr
// CHECK-NEXT:     nvvm.tcgen05.commit %arg1, multicast_mask = %arg4 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
// CHECK-NEXT:     nvvm.tcgen05.shift %arg2 : !llvm.ptr<6>
// CHECK-NEXT:     nvvm.tcgen05.shift %arg2 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @memory(%p: !llvm.ptr, %s: !llvm.ptr<3>, %t: !llvm.ptr<6>, %n: i32, %mask: i16) {
  nvvm.tcgen05.alloc %p, %n : !llvm.ptr, i32
  nvvm.tcgen05.alloc %s, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
  nvvm.tcgen05.dealloc %t, %n : !llvm.ptr<6>, i32
  nvvm.tcgen05.dealloc %t, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
  nvvm.tcgen05.relinquish_alloc_permit
  nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
  nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
  nvvm.tcgen05.fence #nvvm.tcgen05_fence<after>
  nvvm.tcgen05.wait #nvvm.tcgen05_wait<load>
  nvvm.tcgen05.wait #nvvm.tcgen05_wait<store>
  nvvm.tcgen05.commit %p : !llvm.ptr
  nvvm.tcgen05.commit %s, multicast_mask = %mask {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
  nvvm.tcgen05.shift %t : !llvm.ptr<6>
  nvvm.tcgen05.shift %t {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
  llvm.return
}

// CHECK-NEXT:   llvm.func @copy(%arg0: !llvm.ptr<6>, %arg1: i64) {
// CHECK-NEXT:     nvvm.tcgen05.cp %arg0, %arg1 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
// CHECK-NEXT:     nvvm.tcgen05.cp %arg0, %arg1 {group = #nvvm.cta_group<cta_2>, shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
// CHECK-NEXT:     nvvm.tcgen05.cp %arg0, %arg1 {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
// CHECK-NEXT:     nvvm.tcgen05.cp %arg0, %arg1 {multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}
// CHECK-NEXT:     nvvm.tcgen05.cp %arg0, %arg1 {multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}
// CHECK-NEXT:     nvvm.tcgen05.cp %arg0, %arg1 {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @copy(%t: !llvm.ptr<6>, %d: i64) {
  nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  nvvm.tcgen05.cp %t, %d {group = #nvvm.cta_group<cta_2>, shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
  nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
  nvvm.tcgen05.cp %t, %d {multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}
  nvvm.tcgen05.cp %t, %d {multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}
  nvvm.tcgen05.cp %t, %d {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
  llvm.return
}

// CHECK-NEXT:   llvm.func @load(%arg0: !llvm.ptr<6>, %arg1: i64) {
// CHECK-NEXT:     %0 = nvvm.tcgen05.ld %arg0 {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
// CHECK-NEXT:     %1 = nvvm.tcgen05.ld %arg0 pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : vector<128xi32>
// CHECK-NEXT:     %2 = nvvm.tcgen05.ld %arg0 {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<2xi32>
// CHECK-NEXT:     %3 = nvvm.tcgen05.ld %arg0 {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<4xi32>
// CHECK-NEXT:     %4 = nvvm.tcgen05.ld %arg0 {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
// CHECK-NEXT:     %5 = nvvm.tcgen05.ld %arg0 pack {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
// CHECK-NEXT:     %6 = nvvm.tcgen05.ld %arg0, %arg1 {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<16xi32>
// CHECK-NEXT:     %7 = nvvm.tcgen05.ld %arg0, %arg1 pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<32xi32>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @load(%t: !llvm.ptr<6>, %o: i64) {
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
  %1 = nvvm.tcgen05.ld %t pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : vector<128xi32>
  %2 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<2xi32>
  %3 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<4xi32>
  %4 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
  %5 = nvvm.tcgen05.ld %t pack {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
  %6 = nvvm.tcgen05.ld %t, %o {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<16xi32>
  %7 = nvvm.tcgen05.ld %t, %o pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<32xi32>
  llvm.return
}

// CHECK-NEXT:   llvm.func @store(%arg0: !llvm.ptr<6>, %arg1: i64, %arg2: i32, %arg3: vector<128xi32>, %arg4: vector<2xi32>, %arg5: vector<4xi32>, %arg6: vector<8xi32>, %arg7: vector<64xi32>, %arg8: vector<16xi32>, %arg9: vector<32xi32>) {
// CHECK-NEXT:     nvvm.tcgen05.st %arg0, %arg2 {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
// CHECK-NEXT:     nvvm.tcgen05.st %arg0, %arg3 unpack {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : vector<128xi32>
// CHECK-NEXT:     nvvm.tcgen05.st %arg0, %arg4 {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<2xi32>
// CHECK-NEXT:     nvvm.tcgen05.st %arg0, %arg5 {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<4xi32>
// CHECK-NEXT:     nvvm.tcgen05.st %arg0, %arg6 {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
// CHECK-NEXT:     nvvm.tcgen05.st %arg0, %arg7 unpack {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
// CHECK-NEXT:     nvvm.tcgen05.st %arg0, %arg8, %arg1 {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<16xi32>
// CHECK-NEXT:     nvvm.tcgen05.st %arg0, %arg9, %arg1 unpack {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<32xi32>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @store(%t: !llvm.ptr<6>, %o: i64, %v0: i32, %v1: vector<128xi32>, %v2: vector<2xi32>, %v3: vector<4xi32>, %v4: vector<8xi32>, %v5: vector<64xi32>, %v6: vector<16xi32>, %v7: vector<32xi32>) {
  nvvm.tcgen05.st %t, %v0 {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
  nvvm.tcgen05.st %t, %v1 unpack {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : vector<128xi32>
  nvvm.tcgen05.st %t, %v2 {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<2xi32>
  nvvm.tcgen05.st %t, %v3 {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<4xi32>
  nvvm.tcgen05.st %t, %v4 {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
  nvvm.tcgen05.st %t, %v5 unpack {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<64xi32>
  nvvm.tcgen05.st %t, %v6, %o {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<16xi32>
  nvvm.tcgen05.st %t, %v7, %o unpack {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<32xi32>
  llvm.return
}

// CHECK-NEXT:   llvm.func @mma(%arg0: !llvm.ptr<6>, %arg1: !llvm.ptr<6>, %arg2: i64, %arg3: i64, %arg4: i32, %arg5: i1, %arg6: i64, %arg7: vector<4xi32>, %arg8: vector<8xi32>) {
// CHECK-NEXT:     nvvm.tcgen05.mma %arg0, %arg1, %arg3, %arg4, %arg5 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
// CHECK-NEXT:     nvvm.tcgen05.mma %arg0, %arg2, %arg3, %arg4, %arg5 {collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1)
// CHECK-NEXT:     nvvm.tcgen05.mma %arg0, %arg1, %arg3, %arg4, %arg5 scale = %arg6 {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i64)
// CHECK-NEXT:     nvvm.tcgen05.mma %arg0, %arg2, %arg3, %arg4, %arg5 mask = %arg7 {collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, vector<4xi32>)
// CHECK-NEXT:     nvvm.tcgen05.mma %arg0, %arg2, %arg3, %arg4, %arg5 scale = %arg6 mask = %arg8 {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64, vector<8xi32>)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @mma(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %s: i64, %m4: vector<4xi32>, %m8: vector<8xi32>) {
  nvvm.tcgen05.mma %d, %a, %b, %i, %e {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  nvvm.tcgen05.mma %d, %ad, %b, %i, %e {collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  nvvm.tcgen05.mma %d, %a, %b, %i, %e scale = %s {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i64)
  nvvm.tcgen05.mma %d, %ad, %b, %i, %e mask = %m4 {collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, vector<4xi32>)
  nvvm.tcgen05.mma %d, %ad, %b, %i, %e scale = %s mask = %m8 {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64, vector<8xi32>)
  llvm.return
}

// CHECK-NEXT:   llvm.func @mma_sparse(%arg0: !llvm.ptr<6>, %arg1: !llvm.ptr<6>, %arg2: i64, %arg3: i64, %arg4: i32, %arg5: i1, %arg6: !llvm.ptr<6>, %arg7: i64, %arg8: vector<4xi32>, %arg9: vector<8xi32>) {
// CHECK-NEXT:     nvvm.tcgen05.mma.sp %arg0, %arg1, %arg3, %arg4, %arg5, %arg6 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.sp %arg0, %arg2, %arg3, %arg4, %arg5, %arg6 {collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.sp %arg0, %arg1, %arg3, %arg4, %arg5, %arg6 scale = %arg7 {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, i64)
// CHECK-NEXT:     nvvm.tcgen05.mma.sp %arg0, %arg2, %arg3, %arg4, %arg5, %arg6 mask = %arg8 {collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>)
// CHECK-NEXT:     nvvm.tcgen05.mma.sp %arg0, %arg2, %arg3, %arg4, %arg5, %arg6 scale = %arg7 mask = %arg9 {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64, vector<8xi32>)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @mma_sparse(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %m: !llvm.ptr<6>, %s: i64, %m4: vector<4xi32>, %m8: vector<8xi32>) {
  nvvm.tcgen05.mma.sp %d, %a, %b, %i, %e, %m {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp %d, %ad, %b, %i, %e, %m {collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp %d, %a, %b, %i, %e, %m scale = %s {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, i64)
  nvvm.tcgen05.mma.sp %d, %ad, %b, %i, %e, %m mask = %m4 {collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>)
  nvvm.tcgen05.mma.sp %d, %ad, %b, %i, %e, %m scale = %s mask = %m8 {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64, vector<8xi32>)
  llvm.return
}

// CHECK-NEXT:   llvm.func @mma_block_scale(%arg0: !llvm.ptr<6>, %arg1: !llvm.ptr<6>, %arg2: i64, %arg3: i64, %arg4: i32, %arg5: i1, %arg6: !llvm.ptr<6>, %arg7: !llvm.ptr<6>) {
// CHECK-NEXT:     nvvm.tcgen05.mma.block_scale %arg0, %arg1, %arg3, %arg4, %arg5, %arg6, %arg7 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.block_scale %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 {blockScale = #nvvm.tcgen05_mma_block_scale<block32>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.block_scale %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.block_scale %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @mma_block_scale(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %sa: !llvm.ptr<6>, %sb: !llvm.ptr<6>) {
  nvvm.tcgen05.mma.block_scale %d, %a, %b, %i, %e, %sa, %sb {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.block_scale %d, %ad, %b, %i, %e, %sa, %sb {blockScale = #nvvm.tcgen05_mma_block_scale<block32>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.block_scale %d, %ad, %b, %i, %e, %sa, %sb {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.block_scale %d, %ad, %b, %i, %e, %sa, %sb {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// CHECK-NEXT:   llvm.func @mma_sparse_block_scale(%arg0: !llvm.ptr<6>, %arg1: !llvm.ptr<6>, %arg2: i64, %arg3: i64, %arg4: i32, %arg5: i1, %arg6: !llvm.ptr<6>, %arg7: !llvm.ptr<6>, %arg8: !llvm.ptr<6>) {
// CHECK-NEXT:     nvvm.tcgen05.mma.sp.block_scale %arg0, %arg1, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.sp.block_scale %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8 {blockScale = #nvvm.tcgen05_mma_block_scale<block32>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.sp.block_scale %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8 {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.sp.block_scale %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8 {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @mma_sparse_block_scale(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %m: !llvm.ptr<6>, %sa: !llvm.ptr<6>, %sb: !llvm.ptr<6>) {
  nvvm.tcgen05.mma.sp.block_scale %d, %a, %b, %i, %e, %m, %sa, %sb {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp.block_scale %d, %ad, %b, %i, %e, %m, %sa, %sb {blockScale = #nvvm.tcgen05_mma_block_scale<block32>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp.block_scale %d, %ad, %b, %i, %e, %m, %sa, %sb {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp.block_scale %d, %ad, %b, %i, %e, %m, %sa, %sb {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// CHECK-NEXT:   llvm.func @mma_ws(%arg0: !llvm.ptr<6>, %arg1: !llvm.ptr<6>, %arg2: i64, %arg3: i64, %arg4: i32, %arg5: i1, %arg6: i64) {
// CHECK-NEXT:     nvvm.tcgen05.mma.ws %arg0, %arg1, %arg3, %arg4, %arg5 {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
// CHECK-NEXT:     nvvm.tcgen05.mma.ws %arg0, %arg2, %arg3, %arg4, %arg5, %arg6 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b1>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
// CHECK-NEXT:     nvvm.tcgen05.mma.ws %arg0, %arg2, %arg3, %arg4, %arg5, %arg6 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b2>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
// CHECK-NEXT:     nvvm.tcgen05.mma.ws %arg0, %arg2, %arg3, %arg4, %arg5, %arg6 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @mma_ws(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %z: i64) {
  nvvm.tcgen05.mma.ws %d, %a, %b, %i, %e {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  nvvm.tcgen05.mma.ws %d, %ad, %b, %i, %e, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b1>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  nvvm.tcgen05.mma.ws %d, %ad, %b, %i, %e, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b2>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  nvvm.tcgen05.mma.ws %d, %ad, %b, %i, %e, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  llvm.return
}

// CHECK-NEXT:   llvm.func @mma_ws_sparse(%arg0: !llvm.ptr<6>, %arg1: !llvm.ptr<6>, %arg2: i64, %arg3: i64, %arg4: i32, %arg5: i1, %arg6: !llvm.ptr<6>, %arg7: i64) {
// CHECK-NEXT:     nvvm.tcgen05.mma.ws.sp %arg0, %arg1, %arg3, %arg4, %arg5, %arg6 {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
// CHECK-NEXT:     nvvm.tcgen05.mma.ws.sp %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b1>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
// CHECK-NEXT:     nvvm.tcgen05.mma.ws.sp %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b2>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
// CHECK-NEXT:     nvvm.tcgen05.mma.ws.sp %arg0, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @mma_ws_sparse(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %m: !llvm.ptr<6>, %z: i64) {
  nvvm.tcgen05.mma.ws.sp %d, %a, %b, %i, %e, %m {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
  nvvm.tcgen05.mma.ws.sp %d, %ad, %b, %i, %e, %m, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b1>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
  nvvm.tcgen05.mma.ws.sp %d, %ad, %b, %i, %e, %m, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b2>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
  nvvm.tcgen05.mma.ws.sp %d, %ad, %b, %i, %e, %m, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
  llvm.return
}

// CHECK-NEXT:   llvm.func @descriptor(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i8, %arg4: i1, %arg5: i8) {
// CHECK-NEXT:     %0 = nvvm.tcgen05.mma_smem_desc(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (i32, i32, i32, i8, i1, i8) -> i64
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @descriptor(%start: i32, %leading: i32, %stride: i32, %base: i8, %mode: i1, %swizzle: i8) {
  %0 = nvvm.tcgen05.mma_smem_desc(%start, %leading, %stride, %base, %mode, %swizzle) : (i32, i32, i32, i8, i1, i8) -> i64
  llvm.return
}
