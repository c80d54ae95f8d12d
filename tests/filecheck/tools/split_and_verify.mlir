// RUN: xgpu-opt %s --split-input-file --verify-diagnostics
// RUN: not xgpu-opt %s --split-input-file 2>&1 | filecheck %s
// RUN: not xgpu-opt %S/Inputs/unmatched.mlir --verify-diagnostics 2>&1 | filecheck %s --check-prefix=UNMATCHED

// CHECK: split_and_verify.mlir:{{[0-9]+}}:3: error: 'func.return' op has 0 operands, but enclosing function (@wrong_return) returns 1
func.func @wrong_return() -> i32 {
  // expected-error@+1 {{op has 0 operands, but enclosing function (@wrong_return) returns 1}}
  return
}

// -----

// CHECK: error: use of undeclared SSA value name
func.func @undefined() -> i32 {
  // expected-error-re@+1 {{use of undeclared SSA {{val.*}} name}}
  return %x : i32
}

// -----

// CHECK: redefinition of symbol named 'f'
// expected-note@+1 {{see existing symbol definition here}}
func.func private @f()
// expected-error@+1 {{redefinition of symbol named 'f'}}
func.func private @f()

// -----

// CHECK: func.func @right
func.func @right() {
  return
}

// UNMATCHED: unmatched.mlir:1:4: error: expected error "this does not come" was not produced
