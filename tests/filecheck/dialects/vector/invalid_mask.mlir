// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Masks around operations that are wrong themselves.

#m = affine_map<(i, j, k) -> (i, 7)>
#n = affine_map<(i, j, k) -> (k, j)>
#o = affine_map<(i, j, k) -> (i, j)>
func.func @f(%a: vector<4x4xf32>, %b: vector<4x4xf32>, %c: vector<4x4xf32>, %k: vector<4x4x4xi1>) -> vector<4x4xf32> {
// expected-error @+1 {{'vector.contract' op expected indexing map 0 to be a projected permutation of its inputs}}
  %0 = vector.mask %k { vector.contract {indexing_maps = [#m, #n, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32> } : vector<4x4x4xi1> -> vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (k, j)>
#o = affine_map<(i, j, k) -> (i, j)>
func.func @f(%a: vector<4x4xf32>, %b: vector<4x4xf32>, %c: vector<4x4xf32>, %k: vector<4x4x5xi1>) -> vector<4x4xf32> {
// expected-error @+1 {{'vector.mask' op expects a 'vector<4x4x4xi1>' mask for the maskable operation}}
  %0 = vector.mask %k { vector.contract {indexing_maps = [#m, #n, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32> } : vector<4x4x5xi1> -> vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

#m = affine_map<(i, j, k) -> (i, k + 1)>
#n = affine_map<(i, j, k) -> (k, j)>
#o = affine_map<(i, j, k) -> (i, j)>
func.func @f(%a: vector<4x4xf32>, %b: vector<4x4xf32>, %c: vector<4x4xf32>, %k: vector<4x4x5xi1>) -> vector<4x4xf32> {
// expected-error @+1 {{'vector.contract' op expected indexing map 0 to be a projected permutation of its inputs}}
  %0 = vector.mask %k { vector.contract {indexing_maps = [#m, #n, #o], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32> } : vector<4x4x5xi1> -> vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %k: vector<4xi1>) {
// expected-error @+1 {{'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = vector.mask %k { vector.transfer_read %m[%i], %x {permutation_map = affine_map<(d0) -> (d0 + 1)>} : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %k: vector<4xi1>) {
// expected-error @+1 {{'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = vector.mask %k { vector.transfer_read %m[%i], %x {permutation_map = affine_map<(d0) -> (1)>, in_bounds=[true]} : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
