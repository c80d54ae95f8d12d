// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// An operation's own form with properties has those of its definition.

// expected-error @+1 {{invalid properties for op xevm.memfence: unknown key '"foo"' when parsing properties dictionary}}
xevm.memfence <{addrspace = #xevm.addr_space<global>, foo = 5, scope = #xevm.mem_scope<workgroup>}>

// -----

llvm.func @f() {
  // expected-error @+1 {{unknown key '"llvm.noalias"'}}
  llvm.intr.ubsantrap <{llvm.noalias = [], failureKind = 7 : i8}>
  llvm.return
}

// -----

// expected-error @+1 {{invalid kind of attribute specified}}
gpu.module @m attributes {a = #gpu.kernel_metadata<"b", (i32) -> (), arg_attrs = 5>} {
}

// -----

func.func @has_none() -> i64 {
  // expected-error @+1 {{invalid properties {value = 0 : i64} for op llvm.mlir.poison: this operation does not support properties}}
  %0 = "llvm.mlir.poison"() <{value = 0 : i64}> : () -> i64
  return %0 : i64
}

// -----

func.func @empty() -> i64 {
  // expected-error @+1 {{invalid properties {} for op llvm.mlir.poison: this operation does not support properties}}
  %0 = "llvm.mlir.poison"() <{}> : () -> i64
  return %0 : i64
}
