// RUN: xgpu-opt %s --arith-expand=include-bf16 --split-input-file --verify-diagnostics

func.func @rounding(%a: f32) -> bf16 {
  // expected-error@+2 {{failed to legalize operation 'arith.truncf' that was explicitly marked illegal}}
  // expected-note@+1 {{only applicable to the default rounding mode}}
  %0 = arith.truncf %a to_nearest_even : f32 to bf16
  return %0 : bf16
}

// -----

func.func @scale(%a: f16, %b: f8E5M2FNUZ) -> f4E2M1FN {
  // expected-error@+2 {{failed to legalize operation 'arith.scaling_truncf' that was explicitly marked illegal}}
  // expected-note@+1 {{scales are f8E8M0FNU, or truncated to it}}
  %0 = arith.scaling_truncf %a, %b : f16, f8E5M2FNUZ to f4E2M1FN
  return %0 : f4E2M1FN
}

// -----

func.func @scale(%a: f4E2M1FN, %b: f8E5M2FNUZ) -> f16 {
  // expected-error@+2 {{failed to legalize operation 'arith.scaling_extf' that was explicitly marked illegal}}
  // expected-note@+1 {{scales are f8E8M0FNU, or truncated to it}}
  %0 = arith.scaling_extf %a, %b : f4E2M1FN, f8E5M2FNUZ to f16
  return %0 : f16
}

// -----

// There are no constants of such a type.
func.func @unknown_shape(%a: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+2 {{failed to legalize operation 'arith.ceildivsi' that was explicitly marked illegal}}
  // expected-note@+1 {{there are no constants of a shape that is not known}}
  %0 = arith.ceildivsi %a, %a : tensor<?xi32>
  return %0 : tensor<?xi32>
}
