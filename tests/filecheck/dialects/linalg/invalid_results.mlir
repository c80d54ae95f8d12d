// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What is written over a tensor gives a tensor of its type.

func.func @map(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'linalg.map' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<16xf32>')}}
  %r = "linalg.map"(%a, %b) ({
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @no_result(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'linalg.map' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  "linalg.map"(%a, %b) ({
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @transpose(%a: tensor<4x5xf32>, %b: tensor<5x4xf32>) {
  // expected-error @+1 {{to match type of corresponding result ('tensor<4x4xf32>')}}
  %r = "linalg.transpose"(%a, %b) <{permutation = array<i64: 1, 0>}> ({
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }) : (tensor<4x5xf32>, tensor<5x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @write(%f: vector<4xf32>, %a: tensor<4xf32>, %i: index) {
  // expected-error @+1 {{'vector.transfer_write' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<7xf32>')}}
  %r = "vector.transfer_write"(%f, %a, %i) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<4xf32>, index) -> tensor<7xf32>
  return
}
