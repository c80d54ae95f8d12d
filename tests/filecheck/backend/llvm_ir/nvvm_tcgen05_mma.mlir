// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// The fifth generation's matrix products, dense and sparse, scaled and weight-stationary.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define void @mma(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %2, i64 %3, i32 %4, i1 %5, <4 x i32> %6, <8 x i32> %7) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.tensor(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %3, i32 %4, i1 %5, /* kind=f16 */ i32 0, /* cta_group= */ i32 1, /* collector=discard */ i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, i32 1, i32 2, i32 1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.tensor.scale_d.ashift(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %3, i32 %4, i1 %5, i64 15, i32 0, i32 1, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.shared.disable_output_lane.cg1(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, <4 x i32> %6, i32 3, i32 2)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.shared.scale_d.disable_output_lane.cg2(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, i64 15, <8 x i32> %7, i32 1, i32 3)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @mma(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %m4: vector<4xi32>, %m8: vector<8xi32>) {
  %s = llvm.mlir.constant(15 : i64) : i64
  nvvm.tcgen05.mma %d, %a, %b, %i, %e {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  nvvm.tcgen05.mma %d, %ad, %b, %i, %e {collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  nvvm.tcgen05.mma %d, %a, %b, %i, %e scale = %s {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i64)
  nvvm.tcgen05.mma %d, %ad, %b, %i, %e mask = %m4 {collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, vector<4xi32>)
  nvvm.tcgen05.mma %d, %ad, %b, %i, %e scale = %s mask = %m8 {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64, vector<8xi32>)
  llvm.return
}

// CHECK-NEXT: define void @mma_sparse(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, <4 x i32> %7, <8 x i32> %8) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.tensor(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i32 0, i32 1, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.shared(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i32 1, i32 2, i32 1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.tensor.scale_d.ashift(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i64 15, i32 0, i32 1, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.shared.disable_output_lane.cg1(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, <4 x i32> %7, i32 3, i32 2)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.shared.scale_d.disable_output_lane.cg2(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i64 15, <8 x i32> %8, i32 1, i32 3)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @mma_sparse(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %m: !llvm.ptr<6>, %m4: vector<4xi32>, %m8: vector<8xi32>) {
  %s = llvm.mlir.constant(15 : i64) : i64
  nvvm.tcgen05.mma.sp %d, %a, %b, %i, %e, %m {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp %d, %ad, %b, %i, %e, %m {collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp %d, %a, %b, %i, %e, %m scale = %s {aShift, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, i64)
  nvvm.tcgen05.mma.sp %d, %ad, %b, %i, %e, %m mask = %m4 {collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>)
  nvvm.tcgen05.mma.sp %d, %ad, %b, %i, %e, %m scale = %s mask = %m8 {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64, vector<8xi32>)
  llvm.return
}

// CHECK-NEXT: define void @mma_block_scale(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.tensor.mxf8f6f4.block_scale(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, i32 1, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale.block32(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, i32 2, i32 1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, i32 1, i32 2)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, i32 1, i32 3)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @mma_block_scale(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %sa: !llvm.ptr<6>, %sb: !llvm.ptr<6>) {
  nvvm.tcgen05.mma.block_scale %d, %a, %b, %i, %e, %sa, %sb {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.block_scale %d, %ad, %b, %i, %e, %sa, %sb {blockScale = #nvvm.tcgen05_mma_block_scale<block32>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.block_scale %d, %ad, %b, %i, %e, %sa, %sb {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.block_scale %d, %ad, %b, %i, %e, %sa, %sb {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// CHECK-NEXT: define void @mma_sparse_block_scale(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, ptr addrspace(6) %8) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.tensor.mxf8f6f4.block_scale(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, ptr addrspace(6) %8, i32 1, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.shared.mxf4.block_scale.block32(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, ptr addrspace(6) %8, i32 2, i32 1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.shared.mxf4nvf4.block_scale.block16(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, ptr addrspace(6) %8, i32 1, i32 2)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.sp.shared.mxf4.block_scale(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, ptr addrspace(6) %7, ptr addrspace(6) %8, i32 1, i32 3)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @mma_sparse_block_scale(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %m: !llvm.ptr<6>, %sa: !llvm.ptr<6>, %sb: !llvm.ptr<6>) {
  nvvm.tcgen05.mma.sp.block_scale %d, %a, %b, %i, %e, %m, %sa, %sb {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp.block_scale %d, %ad, %b, %i, %e, %m, %sa, %sb {blockScale = #nvvm.tcgen05_mma_block_scale<block32>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp.block_scale %d, %ad, %b, %i, %e, %m, %sa, %sb {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  nvvm.tcgen05.mma.sp.block_scale %d, %ad, %b, %i, %e, %m, %sa, %sb {collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  llvm.return
}

// CHECK-NEXT: define void @mma_ws(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %2, i64 %3, i32 %4, i1 %5, i64 %6) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.ws.tensor(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %3, i32 %4, i1 %5, i32 0, i32 0, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.ws.shared.zero_col_mask(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, i64 %6, i32 1, i32 1, i32 1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.ws.shared.zero_col_mask(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, i64 %6, i32 3, i32 2, i32 2)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.ws.shared.zero_col_mask(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, i64 %6, i32 2, i32 3, i32 3)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @mma_ws(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %z: i64) {
  nvvm.tcgen05.mma.ws %d, %a, %b, %i, %e {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  nvvm.tcgen05.mma.ws %d, %ad, %b, %i, %e, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b1>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  nvvm.tcgen05.mma.ws %d, %ad, %b, %i, %e, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b2>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  nvvm.tcgen05.mma.ws %d, %ad, %b, %i, %e, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  llvm.return
}

// CHECK-NEXT: define void @mma_ws_sparse(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i64 %7) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.ws.sp.tensor(ptr addrspace(6) %0, ptr addrspace(6) %1, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i32 0, i32 0, i32 0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.ws.sp.shared.zero_col_mask(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i64 %7, i32 1, i32 1, i32 1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.ws.sp.shared.zero_col_mask(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i64 %7, i32 3, i32 2, i32 2)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.mma.ws.sp.shared.zero_col_mask(ptr addrspace(6) %0, i64 %2, i64 %3, i32 %4, i1 %5, ptr addrspace(6) %6, i64 %7, i32 2, i32 3, i32 3)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
llvm.func @mma_ws_sparse(%d: !llvm.ptr<6>, %a: !llvm.ptr<6>, %ad: i64, %b: i64, %i: i32, %e: i1, %m: !llvm.ptr<6>, %z: i64) {
  nvvm.tcgen05.mma.ws.sp %d, %a, %b, %i, %e, %m {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
  nvvm.tcgen05.mma.ws.sp %d, %ad, %b, %i, %e, %m, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b1>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
  nvvm.tcgen05.mma.ws.sp %d, %ad, %b, %i, %e, %m, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b2>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
  nvvm.tcgen05.mma.ws.sp %d, %ad, %b, %i, %e, %m, %z {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
  llvm.return
}

// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.tensor(ptr addrspace(6) writeonly, ptr addrspace(6) readonly, i64, i32, i1, i32 immarg range(i32 0, 4), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) writeonly, i64, i64, i32, i1, i32 immarg range(i32 0, 4), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.tensor.scale_d.ashift(ptr addrspace(6) writeonly, ptr addrspace(6) readonly, i64, i32, i1, i64 immarg range(i64 0, 16), i32 immarg range(i32 0, 2), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 2)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.shared.disable_output_lane.cg1(ptr addrspace(6) writeonly, i64, i64, i32, i1, <4 x i32>, i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.shared.scale_d.disable_output_lane.cg2(ptr addrspace(6) writeonly, i64, i64, i32, i1, i64 immarg range(i64 0, 16), <8 x i32>, i32 immarg range(i32 0, 2), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.tensor(ptr addrspace(6) writeonly, ptr addrspace(6) readonly, i64, i32, i1, ptr addrspace(6), i32 immarg range(i32 0, 4), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.shared(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), i32 immarg range(i32 0, 4), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.tensor.scale_d.ashift(ptr addrspace(6) writeonly, ptr addrspace(6) readonly, i64, i32, i1, ptr addrspace(6), i64 immarg range(i64 0, 16), i32 immarg range(i32 0, 2), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 2)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.shared.disable_output_lane.cg1(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), <4 x i32>, i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.shared.scale_d.disable_output_lane.cg2(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), i64 immarg range(i64 0, 16), <8 x i32>, i32 immarg range(i32 0, 2), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.tensor.mxf8f6f4.block_scale(ptr addrspace(6) writeonly, ptr addrspace(6) readonly, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale.block32(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.tensor.mxf8f6f4.block_scale(ptr addrspace(6) writeonly, ptr addrspace(6) readonly, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), ptr addrspace(6), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.shared.mxf4.block_scale.block32(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), ptr addrspace(6), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.shared.mxf4nvf4.block_scale.block16(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), ptr addrspace(6), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.sp.shared.mxf4.block_scale(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), ptr addrspace(6), i32 immarg range(i32 1, 3), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.ws.tensor(ptr addrspace(6) writeonly, ptr addrspace(6) readonly, i64, i32, i1, i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.ws.shared.zero_col_mask(ptr addrspace(6) writeonly, i64, i64, i32, i1, i64, i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.ws.sp.tensor(ptr addrspace(6) writeonly, ptr addrspace(6) readonly, i64, i32, i1, ptr addrspace(6), i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.mma.ws.sp.shared.zero_col_mask(ptr addrspace(6) writeonly, i64, i64, i32, i1, ptr addrspace(6), i64, i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4), i32 immarg range(i32 0, 4)) #0
// CHECK-EMPTY:
// CHECK-NEXT: attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
