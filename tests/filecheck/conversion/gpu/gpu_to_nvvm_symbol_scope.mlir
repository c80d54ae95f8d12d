// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --convert-gpu-to-nvvm | filecheck %s

// Declarations go to the innermost symbol table.
// CHECK: gpu.module @kernels
// CHECK-NEXT: "test.symbol_scope"() ({
// CHECK-NEXT: llvm.func @__nv_log1pf(f32) -> f32
// CHECK: llvm.call @__nv_log1pf
gpu.module @kernels {
  "test.symbol_scope"() ({
    func.func @f(%x: f32) -> f32 {
      %0 = math.log1p %x : f32
      func.return %0 : f32
    }
    "test.finish"() : () -> ()
  }) : () -> ()
}
