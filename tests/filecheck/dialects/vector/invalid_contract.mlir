// RUN: xgpu-opt %s --split-input-file --verify-diagnostics
// What the dictionary of vector.contract may hold.

func.func @no_array(%x: vector<4xf32>, %z: f32) -> f32 {
  // expected-error @+1 {{custom op 'vector.contract' expected "iterator_types" array attribute}}
  %0 = vector.contract {indexing_maps = [], iterator_types = array<i32: 2>, kind = #vector.kind<add>} %x, %x, %z : vector<4xf32>, vector<4xf32> into f32
  return %0 : f32
}

// -----

func.func @unit(%x: vector<4xf32>, %z: f32) -> f32 {
  // expected-error @+1 {{custom op 'vector.contract' expected "iterator_types" array attribute}}
  %0 = vector.contract {indexing_maps = [], iterator_types, kind = #vector.kind<add>} %x, %x, %z : vector<4xf32>, vector<4xf32> into f32
  return %0 : f32
}

// -----

func.func @missing(%x: vector<4xf32>, %z: f32) -> f32 {
  // expected-error @+1 {{custom op 'vector.contract' expected "iterator_types" array attribute}}
  %0 = vector.contract {indexing_maps = [], kind = #vector.kind<add>} %x, %x, %z : vector<4xf32>, vector<4xf32> into f32
  return %0 : f32
}

// -----

func.func @unknown_word(%x: vector<4xf32>, %z: f32) -> f32 {
  // expected-error @+1 {{custom op 'vector.contract' unexpected iterator_type (window)}}
  %0 = vector.contract {indexing_maps = [], iterator_types = ["window"], kind = #vector.kind<add>} %x, %x, %z : vector<4xf32>, vector<4xf32> into f32
  return %0 : f32
}

// -----

func.func @no_word(%x: vector<4xf32>, %z: f32) -> f32 {
  // expected-error @+1 {{custom op 'vector.contract' unexpected iterator_type (2.000000e+00 : f64)}}
  %0 = vector.contract {indexing_maps = [], iterator_types = [2.0], kind = #vector.kind<add>} %x, %x, %z : vector<4xf32>, vector<4xf32> into f32
  return %0 : f32
}

// -----

func.func @no_maps(%a: vector<4xf32>, %c: f32) -> f32 {
  // expected-error @+1 {{'vector.contract' op expected 'indexing_maps' to be affine maps}}
  %0 = "vector.contract"(%a, %a, %c) <{indexing_maps = [@a, @b, @c], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, f32) -> f32
  return %0 : f32
}

// -----

func.func @kind(%a: vector<4xf32>, %b: vector<4xf32>) {
  // expected-error @+1 {{'vector.outerproduct' op expected 'kind' attribute of type CombiningKind (e.g. 'vector.kind<add>')}}
  %0 = vector.outerproduct %a, %b {kind = 3} : vector<4xf32>, vector<4xf32>
  return
}
