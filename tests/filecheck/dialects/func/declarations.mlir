// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{symbol declaration cannot have public visibility}}
func.func @public(f32)

// -----

func.func private @private(f32)
func.func nested @nested(f32)
llvm.func @llvm(f32)

// -----

// expected-error@+1 {{symbol declaration cannot have public visibility}}
async.func @public(f32) -> !async.token

// -----

// expected-error@+1 {{visibility expected to be one of ["public", "private", "nested"], but got "foo"}}
"func.func"() ({}) {function_type = () -> (), sym_name = "f", sym_visibility = "foo"} : () -> ()

// -----

// expected-error@+1 {{attribute 'sym_name' failed to satisfy constraint: string attribute}}
"builtin.module"() ({ ^bb0: }) {sym_name = 7} : () -> ()
