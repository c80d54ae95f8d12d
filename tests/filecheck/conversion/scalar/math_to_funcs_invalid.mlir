// RUN: xgpu-opt %s --pass-pipeline='builtin.module(convert-math-to-funcs)' --split-input-file --verify-diagnostics

func.func @tensor(%t: tensor<4xi32>) {
  // expected-error@+2 {{failed to legalize operation 'math.ipowi' that was explicitly marked illegal}}
  // expected-note@+1 {{expected a scalar or a vector}}
  %0 = math.ipowi %t, %t : tensor<4xi32>
  return
}

// -----

// How many calls there would be is not known.
func.func @scalable(%t: vector<[4]xi32>) {
  // expected-error@+2 {{failed to legalize operation 'math.ipowi' that was explicitly marked illegal}}
  // expected-note@+1 {{how many elements a scalable vector has is not known}}
  %0 = math.ipowi %t, %t : vector<[4]xi32>
  return
}

// -----

// expected-error@+1 {{redefinition of symbol named '__mlir_math_ipowi_i8'}}
func.func private @__mlir_math_ipowi_i8()
func.func @taken(%a: i8) {
  %0 = math.ipowi %a, %a : i8
  return
}
