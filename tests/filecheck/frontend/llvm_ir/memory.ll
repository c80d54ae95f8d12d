; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

%pair = type { i32, [4 x float] }

define void @accesses(ptr %p, ptr addrspace(3) %s, i32 %n) {
  %1 = alloca i32, align 16
  %2 = alloca %pair, i32 %n, align 4
  %3 = load volatile i32, ptr %p, align 8
  %4 = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  store float 1.0, ptr addrspace(3) %s, align 2
  store atomic volatile i32 %3, ptr %p release, align 4
  %5 = load i32, ptr %p, !invariant.load !0, !nontemporal !1
  store i32 %5, ptr %p, !invariant.group !0
  %6 = load ptr, ptr %p, !dereferenceable !2
  %7 = load ptr, ptr %p, !dereferenceable_or_null !2
  ret void
}

define void @atomics(ptr %p, float %f, i64 %x) {
  %1 = atomicrmw add ptr %p, i64 %x monotonic, align 8
  %2 = atomicrmw volatile fmax ptr %p, float %f syncscope("block") acq_rel, align 4
  %3 = atomicrmw uinc_wrap ptr %p, i64 %x seq_cst, align 8
  %4 = cmpxchg ptr %p, i64 0, i64 %x acq_rel monotonic, align 8
  %5 = cmpxchg weak volatile ptr %p, i64 0, i64 %x syncscope("x") seq_cst seq_cst, align 8
  fence syncscope("agent") acq_rel
  fence seq_cst
  ret void
}

; Indices into structs are numbers, others operands.
define void @pointers(ptr %p, i64 %i, <2 x ptr> %v) {
  %1 = getelementptr inbounds i32, ptr %p, i64 %i
  %2 = getelementptr %pair, ptr %p, i64 0, i32 1, i64 %i
  %3 = getelementptr nusw nuw %pair, ptr %p, i64 1, i32 0
  %4 = getelementptr i8, <2 x ptr> %v, i64 3
  %5 = getelementptr %pair, <2 x ptr> %v, <2 x i64> <i64 1, i64 2>, <2 x i32> splat (i32 1), <2 x i64> splat (i64 3)
  ret void
}

define i32 @aggregates({ i32, [2 x i64] } %s, <4 x i32> %v, <vscale x 2 x i32> %w, i32 %n) {
  %1 = extractvalue { i32, [2 x i64] } %s, 1, 0
  %2 = insertvalue { i32, [2 x i64] } %s, i32 5, 0
  %3 = extractelement <4 x i32> %v, i32 %n
  %4 = insertelement <4 x i32> %v, i32 %3, i64 2
  %5 = shufflevector <4 x i32> %v, <4 x i32> %4, <2 x i32> <i32 1, i32 poison>
  %6 = shufflevector <vscale x 2 x i32> %w, <vscale x 2 x i32> poison, <vscale x 2 x i32> zeroinitializer
  %7 = add <vscale x 2 x i32> %6, splat (i32 1)
  ret i32 %3
}

!0 = !{}
!1 = !{i32 1}
!2 = !{i64 16}

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.func @accesses(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %1 = llvm.mlir.constant(1.000000e+00 : f32) : f32
; CHECK-NEXT:     %2 = llvm.alloca %0 x i32 {alignment = 16 : i64} : (i32) -> !llvm.ptr
; CHECK-NEXT:     %3 = llvm.alloca %arg2 x !llvm.struct<"pair", (i32, array<4 x f32>)> {alignment = 4 : i64} : (i32) -> !llvm.ptr
; CHECK-NEXT:     %4 = llvm.load volatile %arg0 {alignment = 8 : i64} : !llvm.ptr -> i32
; CHECK-NEXT:     %5 = llvm.load %arg0 atomic syncscope("agent") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
; CHECK-NEXT:     llvm.store %1, %arg1 {alignment = 2 : i64} : f32, !llvm.ptr<3>
; CHECK-NEXT:     llvm.store volatile %4, %arg0 atomic release {alignment = 4 : i64} : i32, !llvm.ptr
; CHECK-NEXT:     %6 = llvm.load %arg0 invariant {alignment = 4 : i64, nontemporal} : !llvm.ptr -> i32
; CHECK-NEXT:     llvm.store %6, %arg0 invariant_group {alignment = 4 : i64} : i32, !llvm.ptr
; CHECK-NEXT:     %7 = llvm.load %arg0 dereferenceable<bytes = 16> {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
; CHECK-NEXT:     %8 = llvm.load %arg0 dereferenceable<bytes = 16, mayBeNull = true> {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @atomics(%arg0: !llvm.ptr, %arg1: f32, %arg2: i64) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i64) : i64
; CHECK-NEXT:     %1 = llvm.atomicrmw add %arg0, %arg2 monotonic {alignment = 8 : i64} : !llvm.ptr, i64
; CHECK-NEXT:     %2 = llvm.atomicrmw volatile fmax %arg0, %arg1 syncscope("block") acq_rel {alignment = 4 : i64} : !llvm.ptr, f32
; CHECK-NEXT:     %3 = llvm.atomicrmw uinc_wrap %arg0, %arg2 seq_cst {alignment = 8 : i64} : !llvm.ptr, i64
; CHECK-NEXT:     %4 = llvm.cmpxchg %arg0, %0, %arg2 acq_rel monotonic {alignment = 8 : i64} : !llvm.ptr, i64
; CHECK-NEXT:     %5 = llvm.cmpxchg weak volatile %arg0, %0, %arg2 syncscope("x") seq_cst seq_cst {alignment = 8 : i64} : !llvm.ptr, i64
; CHECK-NEXT:     llvm.fence syncscope("agent") acq_rel
; CHECK-NEXT:     llvm.fence seq_cst
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @pointers(%arg0: !llvm.ptr, %arg1: i64, %arg2: vector<2x!llvm.ptr>) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i64) : i64
; CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %2 = llvm.mlir.constant(1 : i64) : i64
; CHECK-NEXT:     %3 = llvm.mlir.constant(0 : i32) : i32
; CHECK-NEXT:     %4 = llvm.mlir.constant(3 : i64) : i64
; CHECK-NEXT:     %5 = llvm.mlir.constant(dense<[1, 2]> : vector<2xi64>) : vector<2xi64>
; CHECK-NEXT:     %6 = llvm.mlir.constant(dense<1> : vector<2xi32>) : vector<2xi32>
; CHECK-NEXT:     %7 = llvm.mlir.constant(dense<3> : vector<2xi64>) : vector<2xi64>
; CHECK-NEXT:     %8 = llvm.getelementptr inbounds %arg0[%arg1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
; CHECK-NEXT:     %9 = llvm.getelementptr %arg0[%0, 1, %arg1] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.struct<"pair", (i32, array<4 x f32>)>
; CHECK-NEXT:     %10 = llvm.getelementptr nusw|nuw %arg0[%2, 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<"pair", (i32, array<4 x f32>)>
; CHECK-NEXT:     %11 = llvm.getelementptr %arg2[%4] : (vector<2x!llvm.ptr>, i64) -> vector<2x!llvm.ptr>, i8
; CHECK-NEXT:     %12 = llvm.getelementptr %arg2[%5, 1, %7] : (vector<2x!llvm.ptr>, vector<2xi64>, vector<2xi64>) -> vector<2x!llvm.ptr>, !llvm.struct<"pair", (i32, array<4 x f32>)>
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @aggregates(%arg0: !llvm.struct<(i32, array<2 x i64>)>, %arg1: vector<4xi32>, %arg2: vector<[2]xi32>, %arg3: i32) -> i32 {
; CHECK-NEXT:     %0 = llvm.mlir.constant(5 : i32) : i32
; CHECK-NEXT:     %1 = llvm.mlir.constant(2 : i64) : i64
; CHECK-NEXT:     %2 = llvm.mlir.poison : vector<[2]xi32>
; CHECK-NEXT:     %3 = llvm.mlir.constant(0 : i64) : i64
; CHECK-NEXT:     %4 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %5 = llvm.insertelement %4, %2[%3 : i64] : vector<[2]xi32>
; CHECK-NEXT:     %6 = llvm.shufflevector %5, %2 [0, 0] : vector<[2]xi32>
; CHECK-NEXT:     %7 = llvm.extractvalue %arg0[1, 0] : !llvm.struct<(i32, array<2 x i64>)>
; CHECK-NEXT:     %8 = llvm.insertvalue %0, %arg0[0] : !llvm.struct<(i32, array<2 x i64>)>
; CHECK-NEXT:     %9 = llvm.extractelement %arg1[%arg3 : i32] : vector<4xi32>
; CHECK-NEXT:     %10 = llvm.insertelement %9, %arg1[%1 : i64] : vector<4xi32>
; CHECK-NEXT:     %11 = llvm.shufflevector %arg1, %10 [1, -1] : vector<4xi32>
; CHECK-NEXT:     %12 = llvm.shufflevector %arg2, %2 [0, 0] : vector<[2]xi32>
; CHECK-NEXT:     %13 = llvm.add %12, %6 : vector<[2]xi32>
; CHECK-NEXT:     llvm.return %9 : i32
; CHECK-NEXT:   }
; CHECK-NEXT: }
