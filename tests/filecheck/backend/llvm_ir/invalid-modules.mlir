// RUN: xgpu-translate --mlir-to-llvmir --no-implicit-module --split-input-file --verify-diagnostics %s

// expected-error@+1 {{'llvm.func' op can not be translated to an LLVMIR module}}
llvm.func @no_module() {
  llvm.return
}

// -----

// expected-error@+1 {{expected an array attribute for a module level asm}}
module attributes {llvm.module_asm = 1} {}

// -----

// expected-error@+1 {{expected a string attribute for each entry of a module level asm}}
module attributes {llvm.module_asm = [unit]} {}

// -----

module {
  // expected-error@+1 {{resource does not exist}}
  llvm.mlir.global internal constant @blob(dense_resource<none> : tensor<2xf32>) : !llvm.array<2 x f32>
}
