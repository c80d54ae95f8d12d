// RUN: not xgpu-translate %s --mlir-to-llvmir 2>&1 | filecheck %s

// What LLVM's verifier refuses is a diagnostic with its words. The module has debug information, which
// LLVM's reader would verify on its own, and end the process.

// CHECK: refused_by_llvm.mlir{{.*}}: error: LLVM refuses the translated module: immarg operand has non-immediate parameter
// CHECK-NEXT: i32 %1
// CHECK-NEXT:   call void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.cta(ptr %0, i32 %1)
llvm.func @acquire(%p: !llvm.ptr, %size: i32) {
  nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %p, %size
  llvm.return
}
