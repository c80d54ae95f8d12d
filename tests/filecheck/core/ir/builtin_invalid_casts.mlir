// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What is wrong with conversions between any types, in MLIR's words.

func.func @f(%i: index) {
// expected-error @+1 {{expected non-function type}}
  builtin.unrealized_conversion_cast %i : index to
 return
}

// -----

func.func @f() {
// expected-error @+1 {{expected non-function type}}
  builtin.unrealized_conversion_cast to
 return
}

// -----

func.func @f() {
// expected-error @+1 {{'builtin.unrealized_conversion_cast' op expected at least one result for cast operation}}
  "builtin.unrealized_conversion_cast"() : () -> ()
 return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'builtin.unrealized_conversion_cast' op expected at least one result for cast operation}}
  "builtin.unrealized_conversion_cast"(%i) : (index) -> ()
 return
}
