// RUN: xgpu-opt %s --verify-diagnostics

// The result's type follows from operands, which are no vectors.

func.func @scalars(%a: f32) {
  // expected-error @+1 {{failed to infer returned types}}
  %0 = vector.shuffle %a, %a [0, 1] : f32, f32
  return
}
