// RUN: xgpu-opt %s --split-input-file --verify-diagnostics
// What the iterators of linalg.generic may be.

func.func @unknown_word(%x: memref<4xf32>) {
  // expected-error @+1 {{custom op 'linalg.generic' unexpected iterator_type (window)}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["window"]} outs(%x : memref<4xf32>) {
  ^bb0(%0: f32):
    linalg.yield %0 : f32
  }
  return
}

// -----

func.func @no_word(%x: memref<4xf32>) {
  // expected-error @+1 {{custom op 'linalg.generic' unexpected iterator_type (5 : i64)}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [5]} outs(%x : memref<4xf32>) {
  ^bb0(%0: f32):
    linalg.yield %0 : f32
  }
  return
}

// -----

func.func @no_array(%x: memref<4xf32>) {
  // expected-error @+1 {{custom op 'linalg.generic' expected "iterator_types" array attribute}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = array<i32: 2>} outs(%x : memref<4xf32>) {
  ^bb0(%0: f32):
    linalg.yield %0 : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @sizes_given(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{custom op 'linalg.generic' attribute 'operandSegmentSizes' occurs more than once in the attribute list}}
  %0 = linalg.generic {operandSegmentSizes = array<i32: 1, 1>, indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @rank_before_loops(%a: memref<?xf32>) {
  // expected-error @+1 {{expected operand #1 rank (1) to match the result rank of indexing_map (2)}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel"]}
    ins(%a : memref<?xf32>) outs(%a : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

func.func @not_invertible(%a: memref<?x?xf32>) {
  // expected-error @+1 {{invalid indexing maps are non-invertible: ((d0, d1) -> (d0 + d1, d0 + d1))}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j, i + j)>],
                  iterator_types = ["parallel", "parallel"]} outs(%a : memref<?x?xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}
