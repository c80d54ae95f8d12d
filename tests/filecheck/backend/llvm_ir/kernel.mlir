// RUN: xgpu-translate --mlir-to-llvmir %s | filecheck %s

// CHECK:       @buffer = internal addrspace(3) global [16 x float] undef, align 16
llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16 x f32>

// CHECK:       define ptx_kernel void @kernel(ptr noalias byval(i32) "nvvm.grid_constant" %0, float %1) #0 {
llvm.func @kernel(%p: !llvm.ptr {llvm.byval = i32, llvm.noalias, nvvm.grid_constant}, %x: f32)
    attributes {nvvm.kernel, nvvm.maxntid = array<i32: 16, 2, 1>} {
  // CHECK-NEXT:  %3 = call range(i32 0, 16) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid = nvvm.read.ptx.sreg.tid.x range <i32, 0, 16> : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  // CHECK-NEXT:  %4 = getelementptr inbounds [16 x float], ptr addrspace(3) @buffer, i32 0, i32 %3
  %q = llvm.getelementptr inbounds %base[0, %tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<16 x f32>
  // CHECK-NEXT:  store float %1, ptr addrspace(3) %4, align 4
  llvm.store %x, %q : f32, !llvm.ptr<3>
  // CHECK-NEXT:  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  nvvm.barrier0
  // CHECK-NEXT:  %5 = atomicrmw fadd ptr addrspace(3) %4, float %1 syncscope("device") monotonic, align 4
  %old = llvm.atomicrmw fadd %q, %x syncscope("device") monotonic : !llvm.ptr<3>, f32
  // CHECK-NEXT:  %6 = call fast float @llvm.fma.f32(float %5, float %5, float %5)
  %f = llvm.intr.fma(%old, %old, %old) {fastmathFlags = #llvm.fastmath<fast>} : (f32, f32, f32) -> f32
  // CHECK-NEXT:  %7 = call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %6)
  %e = llvm.inline_asm "ex2.approx.f32 $0, $1;", "=f,f" %f : (f32) -> f32
  // CHECK-NEXT:  ret void
  llvm.return
}
// CHECK:       attributes #0 = { "nvvm.maxntid"="16,2,1" }
