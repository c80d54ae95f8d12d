// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// The fifth generation's tensor memory: its allocation, order, copies, loads and stores.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define void @memory(ptr %0, ptr addrspace(3) %1, ptr addrspace(6) %2, i32 %3, i16 %4) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.alloc.cg1(ptr %0, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.alloc.shared.cg2(ptr addrspace(3) %1, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6) %2, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.dealloc.cg2(ptr addrspace(6) %2, i32 %3)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.relinq.alloc.permit.cg1()
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.relinq.alloc.permit.cg2()
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.fence.before.thread.sync()
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.fence.after.thread.sync()
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.wait.ld()
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.wait.st()
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.commit.cg1(ptr %0)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.commit.mc.shared.cg2(ptr addrspace(3) %1, i16 %4)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.shift.down.cg1(ptr addrspace(6) %2)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.shift.down.cg2(ptr addrspace(6) %2)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
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

// CHECK-NEXT: define void @copy(ptr addrspace(6) %0, i64 %1) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.cp.128x256b.cg1(ptr addrspace(6) %0, i64 %1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.cp.4x256b.cg2(ptr addrspace(6) %0, i64 %1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.cp.128x128b.b6x16_p32.cg1(ptr addrspace(6) %0, i64 %1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.cp.64x128b_warpx2_02_13.b4x16_p64.cg1(ptr addrspace(6) %0, i64 %1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.cp.64x128b_warpx2_01_23.cg1(ptr addrspace(6) %0, i64 %1)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1(ptr addrspace(6) %0, i64 %1)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @copy(%t: !llvm.ptr<6>, %d: i64) {
  nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
  nvvm.tcgen05.cp %t, %d {group = #nvvm.cta_group<cta_2>, shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
  nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
  nvvm.tcgen05.cp %t, %d {multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}
  nvvm.tcgen05.cp %t, %d {multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}
  nvvm.tcgen05.cp %t, %d {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
  llvm.return
}

// CHECK-NEXT: define void @load(ptr addrspace(6) %0) {
// CHECK-NEXT:   %2 = call i32 @llvm.nvvm.tcgen05.ld.16x64b.x1(ptr addrspace(6) %0, i1 false)
// CHECK-NEXT:   %3 = call <128 x i32> @llvm.nvvm.tcgen05.ld.16x64b.x128(ptr addrspace(6) %0, i1 true)
// CHECK-NEXT:   %4 = call <2 x i32> @llvm.nvvm.tcgen05.ld.16x128b.x1(ptr addrspace(6) %0, i1 false)
// CHECK-NEXT:   %5 = call <4 x i32> @llvm.nvvm.tcgen05.ld.16x256b.x1(ptr addrspace(6) %0, i1 false)
// CHECK-NEXT:   %6 = call <8 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x8(ptr addrspace(6) %0, i1 false)
// CHECK-NEXT:   %7 = call <64 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x64(ptr addrspace(6) %0, i1 true)
// CHECK-NEXT:   %8 = call <16 x i32> @llvm.nvvm.tcgen05.ld.16x32bx2.x16(ptr addrspace(6) %0, i64 2, i1 false)
// CHECK-NEXT:   %9 = call <32 x i32> @llvm.nvvm.tcgen05.ld.16x32bx2.x32(ptr addrspace(6) %0, i64 2, i1 true)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @load(%t: !llvm.ptr<6>) {
  %o = llvm.mlir.constant(2 : i64) : i64
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

// CHECK-NEXT: define void @store(ptr addrspace(6) %0, i32 %1, <128 x i32> %2, <2 x i32> %3, <4 x i32> %4, <8 x i32> %5, <64 x i32> %6, <16 x i32> %7, <32 x i32> %8) {
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.st.16x64b.x1(ptr addrspace(6) %0, i32 %1, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.st.16x64b.x128(ptr addrspace(6) %0, <128 x i32> %2, i1 true)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.st.16x128b.x1(ptr addrspace(6) %0, <2 x i32> %3, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.st.16x256b.x1(ptr addrspace(6) %0, <4 x i32> %4, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.st.32x32b.x8(ptr addrspace(6) %0, <8 x i32> %5, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.st.32x32b.x64(ptr addrspace(6) %0, <64 x i32> %6, i1 true)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.st.16x32bx2.x16(ptr addrspace(6) %0, i64 2, <16 x i32> %7, i1 false)
// CHECK-NEXT:   call void @llvm.nvvm.tcgen05.st.16x32bx2.x32(ptr addrspace(6) %0, i64 2, <32 x i32> %8, i1 true)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @store(%t: !llvm.ptr<6>, %v0: i32, %v1: vector<128xi32>, %v2: vector<2xi32>, %v3: vector<4xi32>, %v4: vector<8xi32>, %v5: vector<64xi32>, %v6: vector<16xi32>, %v7: vector<32xi32>) {
  %o = llvm.mlir.constant(2 : i64) : i64
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

// CHECK-NEXT: define i64 @descriptor(i32 %0, i32 %1, i32 %2, i8 %3, i1 %4, i8 %5) {
// CHECK-NEXT:   %7 = and i32 %0, 16383
// CHECK-NEXT:   %8 = zext i32 %7 to i64
// CHECK-NEXT:   %9 = shl i64 %8, 0
// CHECK-NEXT:   %10 = or i64 0, %9
// CHECK-NEXT:   %11 = and i32 %1, 16383
// CHECK-NEXT:   %12 = zext i32 %11 to i64
// CHECK-NEXT:   %13 = shl i64 %12, 16
// CHECK-NEXT:   %14 = or i64 %10, %13
// CHECK-NEXT:   %15 = and i32 %2, 16383
// CHECK-NEXT:   %16 = zext i32 %15 to i64
// CHECK-NEXT:   %17 = shl i64 %16, 32
// CHECK-NEXT:   %18 = or i64 %14, %17
// CHECK-NEXT:   %19 = or i64 %18, 70368744177664
// CHECK-NEXT:   %20 = zext i8 %3 to i32
// CHECK-NEXT:   %21 = and i32 %20, 7
// CHECK-NEXT:   %22 = zext i32 %21 to i64
// CHECK-NEXT:   %23 = shl i64 %22, 49
// CHECK-NEXT:   %24 = or i64 %19, %23
// CHECK-NEXT:   %25 = zext i1 %4 to i32
// CHECK-NEXT:   %26 = and i32 %25, 1
// CHECK-NEXT:   %27 = zext i32 %26 to i64
// CHECK-NEXT:   %28 = shl i64 %27, 52
// CHECK-NEXT:   %29 = or i64 %24, %28
// CHECK-NEXT:   %30 = zext i8 %5 to i32
// CHECK-NEXT:   %31 = and i32 %30, 7
// CHECK-NEXT:   %32 = zext i32 %31 to i64
// CHECK-NEXT:   %33 = shl i64 %32, 61
// CHECK-NEXT:   %34 = or i64 %29, %33
// CHECK-NEXT:   ret i64 %34
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @descriptor(%start: i32, %leading: i32, %stride: i32, %base: i8, %mode: i1, %swizzle: i8) -> i64 {
  %0 = nvvm.tcgen05.mma_smem_desc(%start, %leading, %stride, %base, %mode, %swizzle) : (i32, i32, i32, i8, i1, i8) -> i64
  llvm.return %0 : i64
}

// CHECK-NEXT: define i64 @constant_descriptor() {
// CHECK-NEXT:   ret i64 -4604226935831134208
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @constant_descriptor() -> i64 {
  %start = llvm.mlir.constant(65536 : i32) : i32
  %leading = llvm.mlir.constant(128 : i32) : i32
  %stride = llvm.mlir.constant(-1 : i32) : i32
  %base = llvm.mlir.constant(-3 : i8) : i8
  %mode = llvm.mlir.constant(true) : i1
  %swizzle = llvm.mlir.constant(6 : i8) : i8
  %0 = nvvm.tcgen05.mma_smem_desc(%start, %leading, %stride, %base, %mode, %swizzle) : (i32, i32, i32, i8, i1, i8) -> i64
  llvm.return %0 : i64
}

// CHECK-NEXT: define i64 @partly_constant_descriptor(i32 %0, i32 %1, i8 %2) {
// CHECK-NEXT:   %4 = and i32 %0, 16383
// CHECK-NEXT:   %5 = zext i32 %4 to i64
// CHECK-NEXT:   %6 = shl i64 %5, 0
// CHECK-NEXT:   %7 = or i64 0, %6
// CHECK-NEXT:   %8 = and i32 %1, 16383
// CHECK-NEXT:   %9 = zext i32 %8 to i64
// CHECK-NEXT:   %10 = shl i64 %9, 16
// CHECK-NEXT:   %11 = or i64 %7, %10
// CHECK-NEXT:   %12 = or i64 %11, 274877906944
// CHECK-NEXT:   %13 = or i64 %12, 70368744177664
// CHECK-NEXT:   %14 = or i64 %13, 0
// CHECK-NEXT:   %15 = or i64 %14, 0
// CHECK-NEXT:   %16 = zext i8 %2 to i32
// CHECK-NEXT:   %17 = and i32 %16, 7
// CHECK-NEXT:   %18 = zext i32 %17 to i64
// CHECK-NEXT:   %19 = shl i64 %18, 61
// CHECK-NEXT:   %20 = or i64 %15, %19
// CHECK-NEXT:   ret i64 %20
// CHECK-NEXT: }
llvm.func @partly_constant_descriptor(%start: i32, %leading: i32, %swizzle: i8) -> i64 {
  %stride = llvm.mlir.constant(64 : i32) : i32
  %base = llvm.mlir.constant(0 : i8) : i8
  %mode = llvm.mlir.constant(false) : i1
  %0 = nvvm.tcgen05.mma_smem_desc(%start, %leading, %stride, %base, %mode, %swizzle) : (i32, i32, i32, i8, i1, i8) -> i64
  llvm.return %0 : i64
}

// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.alloc.cg1(ptr writeonly captures(none), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.alloc.shared.cg2(ptr addrspace(3) writeonly captures(none), i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6) captures(none), i32) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.dealloc.cg2(ptr addrspace(6) captures(none), i32) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.relinq.alloc.permit.cg1() #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.relinq.alloc.permit.cg2() #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.fence.before.thread.sync() #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nounwind
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.fence.after.thread.sync() #3
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.wait.ld() #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.wait.st() #2
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.commit.cg1(ptr captures(none)) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.commit.mc.shared.cg2(ptr addrspace(3) captures(none), i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.shift.down.cg1(ptr addrspace(6) captures(none)) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.shift.down.cg2(ptr addrspace(6) captures(none)) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.cp.128x256b.cg1(ptr addrspace(6) captures(none), i64) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.cp.4x256b.cg2(ptr addrspace(6) captures(none), i64) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.cp.128x128b.b6x16_p32.cg1(ptr addrspace(6) captures(none), i64) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.cp.64x128b_warpx2_02_13.b4x16_p64.cg1(ptr addrspace(6) captures(none), i64) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.cp.64x128b_warpx2_01_23.cg1(ptr addrspace(6) captures(none), i64) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1(ptr addrspace(6) captures(none), i64) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare i32 @llvm.nvvm.tcgen05.ld.16x64b.x1(ptr addrspace(6) captures(none), i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare <128 x i32> @llvm.nvvm.tcgen05.ld.16x64b.x128(ptr addrspace(6) captures(none), i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare <2 x i32> @llvm.nvvm.tcgen05.ld.16x128b.x1(ptr addrspace(6) captures(none), i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare <4 x i32> @llvm.nvvm.tcgen05.ld.16x256b.x1(ptr addrspace(6) captures(none), i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare <8 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x8(ptr addrspace(6) captures(none), i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare <64 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x64(ptr addrspace(6) captures(none), i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare <16 x i32> @llvm.nvvm.tcgen05.ld.16x32bx2.x16(ptr addrspace(6) captures(none), i64 immarg, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare <32 x i32> @llvm.nvvm.tcgen05.ld.16x32bx2.x32(ptr addrspace(6) captures(none), i64 immarg, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.st.16x64b.x1(ptr addrspace(6) captures(none), i32, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.st.16x64b.x128(ptr addrspace(6) captures(none), <128 x i32>, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.st.16x128b.x1(ptr addrspace(6) captures(none), <2 x i32>, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.st.16x256b.x1(ptr addrspace(6) captures(none), <4 x i32>, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.st.32x32b.x8(ptr addrspace(6) captures(none), <8 x i32>, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.st.32x32b.x64(ptr addrspace(6) captures(none), <64 x i32>, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.st.16x32bx2.x16(ptr addrspace(6) captures(none), i64 immarg, <16 x i32>, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: convergent nounwind memory(argmem: readwrite)
// CHECK-NEXT: declare void @llvm.nvvm.tcgen05.st.16x32bx2.x32(ptr addrspace(6) captures(none), i64 immarg, <32 x i32>, i1 immarg) #1
// CHECK-EMPTY:
// CHECK-NEXT: attributes #0 = { convergent nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
// CHECK-NEXT: attributes #1 = { convergent nounwind memory(argmem: readwrite) }
// CHECK-NEXT: attributes #2 = { convergent nounwind memory(inaccessiblemem: readwrite) }
// CHECK-NEXT: attributes #3 = { nounwind }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
