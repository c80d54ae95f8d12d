; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

; Special registers are operations of the nvvm dialect; other intrinsics keep their names.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr addrspace(1) %out, float %x) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %clock = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %x)
  call void @llvm.nvvm.barrier0()
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %tid, i32 1, i32 31)
  %p = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 true)
  %g = getelementptr float, ptr addrspace(1) %out, i32 %tid
  store float %r, ptr addrspace(1) %g, align 4
  ret void
}

declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier0()

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = "nvptx64-nvidia-cuda"} {
; CHECK-NEXT:   llvm.func ptx_kernelcc @kernel(%arg0: !llvm.ptr<1>, %arg1: f32) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i32) : i32
; CHECK-NEXT:     %1 = llvm.mlir.constant(-1 : i32) : i32
; CHECK-NEXT:     %2 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %3 = llvm.mlir.constant(31 : i32) : i32
; CHECK-NEXT:     %4 = llvm.mlir.constant(true) : i1
; CHECK-NEXT:     %5 = nvvm.read.ptx.sreg.tid.x : i32
; CHECK-NEXT:     %6 = nvvm.read.ptx.sreg.ntid.x range <i32, 1, 1025> : i32
; CHECK-NEXT:     %7 = nvvm.read.ptx.sreg.ctaid.y : i32
; CHECK-NEXT:     %8 = nvvm.read.ptx.sreg.laneid : i32
; CHECK-NEXT:     %9 = nvvm.read.ptx.sreg.clock64 : i64
; CHECK-NEXT:     %10 = nvvm.read.ptx.sreg.warpsize : i32
; CHECK-NEXT:     %11 = nvvm.read.ptx.sreg.cluster.ctarank : i32
; CHECK-NEXT:     %12 = nvvm.rcp.approx.ftz.f %arg1 : f32
; CHECK-NEXT:     llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%0) : (i32) -> ()
; CHECK-NEXT:     %13 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%1, %5, %2, %3) : (i32, i32, i32, i32) -> i32
; CHECK-NEXT:     %14 = llvm.call_intrinsic "llvm.nvvm.vote.any.sync"(%1, %4) : (i32, i1) -> i1
; CHECK-NEXT:     %15 = llvm.getelementptr %arg0[%5] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
; CHECK-NEXT:     llvm.store %12, %15 {alignment = 4 : i64} : f32, !llvm.ptr<1>
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) -> i32 attributes {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, passthrough = ["nocallback"]}
; CHECK-NEXT:   llvm.func @llvm.nvvm.vote.any.sync(i32, i1) -> i1 attributes {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, passthrough = ["nocallback"]}
; CHECK-NEXT:   llvm.func @llvm.nvvm.barrier.cta.sync.aligned.all(i32) attributes {convergent, no_unwind, passthrough = ["nocallback"]}
; CHECK-NEXT: }
