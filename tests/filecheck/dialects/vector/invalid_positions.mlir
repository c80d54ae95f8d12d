// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// Places among constants, and operands for them: as many of the one as of the other.

func.func @insert(%a: f32, %v: vector<4xf32>) {
  // expected-error @+1 {{'vector.insert' op expected 1 operands for the gaps in 'static_position', but got 0}}
  %0 = "vector.insert"(%a, %v) <{static_position = array<i64: -9223372036854775808>}> : (f32, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @extract(%v: vector<4xf32>, %i: index) {
  // expected-error @+1 {{'vector.extract' op expected 0 operands for the gaps in 'static_position', but got 1}}
  %0 = "vector.extract"(%v, %i) <{static_position = array<i64: 1>}> : (vector<4xf32>, index) -> f32
  return
}
