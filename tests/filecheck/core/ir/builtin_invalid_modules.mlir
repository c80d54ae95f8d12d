// RUN: xgpu-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// The generic form can say what a module's own form cannot.

// expected-error @+1 {{'builtin.module' op requires one region}}
"builtin.module"() : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op requires one region}}
"builtin.module"() ({
}, {
}) : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op requires zero results}}
%0 = "builtin.module"() ({
}) : () -> i32

// -----

%0 = arith.constant 0 : i32
// expected-error @+1 {{'builtin.module' op requires zero operands}}
"builtin.module"(%0) ({
}) : (i32) -> ()

// -----

%0 = arith.constant 0 : i32
// expected-error @+1 {{'builtin.unrealized_conversion_cast' op requires zero regions}}
%1 = "builtin.unrealized_conversion_cast"(%0) ({
}) : (i32) -> (i64)
