// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Casts, what they are casts of, and sizes.

// CHECK: #map = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @empty_zero_negative() -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %c-2 = arith.constant -2 : index
// CHECK-NEXT:     %0 = tensor.empty(%c-2) : tensor<?xf32>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<0xf32>
// CHECK-NEXT:     %cast = tensor.cast %1 : tensor<0xf32> to tensor<?xf32>
// CHECK-NEXT:     return %0, %cast : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @empty_zero_negative() -> (tensor<?xf32>, tensor<?xf32>) {
  %a = arith.constant -2 : index
  %b = arith.constant 0 : index
  %0 = tensor.empty(%a) : tensor<?xf32>
  %1 = tensor.empty(%b) : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @dim_unused(%arg0: tensor<?x4xf32>, %arg1: tensor<2xi32>, %arg2: index) -> (index, index, index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c5 : tensor<?x4xf32>
// CHECK-NEXT:     %extracted = tensor.extract %arg1[%arg2] : tensor<2xi32>
// CHECK-NEXT:     %0 = arith.index_cast %extracted : i32 to index
// CHECK-NEXT:     return %dim, %0, %c4 : index, index, index
// CHECK-NEXT:   }
func.func @dim_unused(%a: tensor<?x4xf32>, %s: tensor<2xi32>, %i: index) -> (index, index, index) {
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %a, %c5 : tensor<?x4xf32>
  %r = tensor.reshape %a(%s) : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = tensor.dim %r, %i : tensor<?x?xf32>
  %u = tensor.cast %a : tensor<?x4xf32> to tensor<*xf32>
  %2 = tensor.dim %u, %c1 : tensor<*xf32>
  return %0, %1, %2 : index, index, index
}

// CHECK-NEXT:   func.func @bitcasts(%arg0: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
// CHECK-NEXT:     %0 = tensor.bitcast %arg0 : tensor<4xi32> to tensor<4xf32>
// CHECK-NEXT:     return %0, %arg0 : tensor<4xf32>, tensor<4xi32>
// CHECK-NEXT:   }
func.func @bitcasts(%a: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = tensor.bitcast %a : tensor<4xi32> to tensor<4xui32>
  %1 = tensor.bitcast %0 : tensor<4xui32> to tensor<4xf32>
  %2 = tensor.bitcast %1 : tensor<4xf32> to tensor<4xi32>
  return %1, %2 : tensor<4xf32>, tensor<4xi32>
}

// CHECK-NEXT:   func.func @dest_style(%arg0: tensor<4xf32>, %arg1: f32, %arg2: index) -> (tensor<?xf32>, index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %inserted = tensor.insert %arg1 into %arg0[%arg2] : tensor<4xf32>
// CHECK-NEXT:     %cast = tensor.cast %inserted : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:     return %cast, %c4 : tensor<?xf32>, index
// CHECK-NEXT:   }
func.func @dest_style(%s: tensor<4xf32>, %x: f32, %i: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %cs = tensor.cast %s : tensor<4xf32> to tensor<?xf32>
  %0 = tensor.insert %x into %cs[%i] : tensor<?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%cs : tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %1, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}

// CHECK-NEXT:   func.func @transfers(%arg0: tensor<8xf32>, %arg1: vector<4xf32>, %arg2: index, %arg3: f32) -> (vector<4xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%arg2], %arg3 : tensor<8xf32>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.transfer_write %arg1, %arg0[%arg2] : vector<4xf32>, tensor<8xf32>
// CHECK-NEXT:     %cast = tensor.cast %1 : tensor<8xf32> to tensor<?xf32>
// CHECK-NEXT:     return %0, %cast : vector<4xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @transfers(%s: tensor<8xf32>, %v: vector<4xf32>, %i: index, %x: f32) -> (vector<4xf32>, tensor<?xf32>) {
  %cs = tensor.cast %s : tensor<8xf32> to tensor<?xf32>
  %0 = vector.transfer_read %cs[%i], %x : tensor<?xf32>, vector<4xf32>
  %1 = vector.transfer_write %v, %cs[%i] : vector<4xf32>, tensor<?xf32>
  return %0, %1 : vector<4xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @generate(%arg0: index, %arg1: index) -> (tensor<?x?xindex>, index, index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %generated = tensor.generate %arg0 {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index):
// CHECK-NEXT:       %1 = arith.addi %arg2, %arg3 : index
// CHECK-NEXT:       tensor.yield %1 : index
// CHECK-NEXT:     } : tensor<?x4xindex>
// CHECK-NEXT:     %cast = tensor.cast %generated : tensor<?x4xindex> to tensor<?x?xindex>
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg1 : index
// CHECK-NEXT:     return %cast, %0, %c4 : tensor<?x?xindex>, index, index
// CHECK-NEXT:   }
func.func @generate(%n: index, %m: index) -> (tensor<?x?xindex>, index, index) {
  %c4 = arith.constant 4 : index
  %g = tensor.generate %n, %c4 {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<?x?xindex>
  %e = tensor.extract %g[%n, %m] : tensor<?x?xindex>
  %c1 = arith.constant 1 : index
  %d = tensor.dim %g, %c1 : tensor<?x?xindex>
  return %g, %e, %d : tensor<?x?xindex>, index, index
}

// CHECK-NEXT:   func.func @concat_encoding(%arg0: tensor<2x?xf32>, %arg1: tensor<?x3xf32>, %arg2: tensor<?x3xf32, "e">) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:     %cast = tensor.cast %arg1 : tensor<?x3xf32> to tensor<2x3xf32>
// CHECK-NEXT:     %concat = tensor.concat dim(1) %arg0, %cast : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x?xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %concat : tensor<2x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %cast_1 = tensor.cast %arg2 : tensor<?x3xf32, "e"> to tensor<?x3xf32>
// CHECK-NEXT:     %concat_2 = tensor.concat dim(0) %arg1, %cast_1 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT:     %cast_3 = tensor.cast %concat_2 : tensor<?x3xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %cast_0, %cast_3 : tensor<?x?xf32>, tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @concat_encoding(%a: tensor<2x?xf32>, %b: tensor<?x3xf32>, %c: tensor<?x3xf32, "e">) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %1 = tensor.concat dim(0) %b, %c : (tensor<?x3xf32>, tensor<?x3xf32, "e">) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @rank_op(%arg0: tensor<*xf32>, %arg1: tensor<1x1xf32>) -> (index, index) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %rank = tensor.rank %arg0 : tensor<*xf32>
// CHECK-NEXT:     return %rank, %c2 : index, index
// CHECK-NEXT:   }
func.func @rank_op(%t: tensor<*xf32>, %u: tensor<1x1xf32>) -> (index, index) {
  %0 = tensor.rank %t : tensor<*xf32>
  %1 = tensor.rank %u : tensor<1x1xf32>
  return %0, %1 : index, index
}

// CHECK-NEXT:   func.func @chains(%arg0: tensor<4x8xi32>, %arg1: tensor<*xi32>) -> (tensor<8x4xi32>, tensor<4x?xi32>, tensor<4x8xi32>, tensor<2x2xi32>) {
// CHECK-NEXT:     %cast = tensor.cast %arg0 : tensor<4x8xi32> to tensor<?x?xi32>
// CHECK-NEXT:     %cast_0 = tensor.cast %cast : tensor<?x?xi32> to tensor<8x4xi32>
// CHECK-NEXT:     %cast_1 = tensor.cast %arg0 : tensor<4x8xi32> to tensor<4x?xi32>
// CHECK-NEXT:     %cast_2 = tensor.cast %arg1 : tensor<*xi32> to tensor<4x8xi32>
// CHECK-NEXT:     %cast_3 = tensor.cast %arg1 : tensor<*xi32> to tensor<4x?xi32>
// CHECK-NEXT:     %cast_4 = tensor.cast %cast_3 : tensor<4x?xi32> to tensor<?x2xi32>
// CHECK-NEXT:     %cast_5 = tensor.cast %cast_4 : tensor<?x2xi32> to tensor<2x2xi32>
// CHECK-NEXT:     return %cast_0, %cast_1, %cast_2, %cast_5 : tensor<8x4xi32>, tensor<4x?xi32>, tensor<4x8xi32>, tensor<2x2xi32>
// CHECK-NEXT:   }
func.func @chains(%a: tensor<4x8xi32>, %u: tensor<*xi32>) -> (tensor<8x4xi32>, tensor<4x?xi32>, tensor<4x8xi32>, tensor<2x2xi32>) {
  %0 = tensor.cast %a : tensor<4x8xi32> to tensor<?x?xi32>
  %1 = tensor.cast %0 : tensor<?x?xi32> to tensor<8x4xi32>
  %2 = tensor.cast %0 : tensor<?x?xi32> to tensor<4x?xi32>
  %3 = tensor.cast %u : tensor<*xi32> to tensor<4x?xi32>
  %4 = tensor.cast %3 : tensor<4x?xi32> to tensor<4x8xi32>
  %5 = tensor.cast %u : tensor<*xi32> to tensor<4x?xi32>
  %6 = tensor.cast %5 : tensor<4x?xi32> to tensor<?x2xi32>
  %7 = tensor.cast %6 : tensor<?x2xi32> to tensor<2x2xi32>
  return %1, %2, %4, %7 : tensor<8x4xi32>, tensor<4x?xi32>, tensor<4x8xi32>, tensor<2x2xi32>
}

// CHECK-NEXT:   func.func @sizes_of_empty(%arg0: index, %arg1: index, %arg2: index) -> (tensor<6x?x?xf32>, index, index, tensor<6x3x?xf32>) {
// CHECK-NEXT:     %0 = tensor.empty(%arg0, %arg1) : tensor<6x?x?xf32>
// CHECK-NEXT:     %dim = tensor.dim %0, %arg2 : tensor<6x?x?xf32>
// CHECK-NEXT:     %1 = tensor.empty(%arg1) : tensor<6x3x?xf32>
// CHECK-NEXT:     return %0, %arg0, %dim, %1 : tensor<6x?x?xf32>, index, index, tensor<6x3x?xf32>
// CHECK-NEXT:   }
func.func @sizes_of_empty(%n: index, %m: index, %i: index) -> (tensor<6x?x?xf32>, index, index, tensor<6x3x?xf32>) {
  %c6 = arith.constant 6 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.empty(%c6, %n, %m) : tensor<?x?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?x?xf32> to tensor<6x?x?xf32>
  %2 = tensor.dim %1, %c1 : tensor<6x?x?xf32>
  %3 = tensor.dim %1, %i : tensor<6x?x?xf32>
  %4 = tensor.cast %0 : tensor<?x?x?xf32> to tensor<6x3x?xf32>
  return %1, %2, %3, %4 : tensor<6x?x?xf32>, index, index, tensor<6x3x?xf32>
}

// CHECK-NEXT:   func.func @written_over(%arg0: tensor<6x7xf32>, %arg1: tensor<7xf32>, %arg2: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>, index) {
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<7xf32>) outs(%arg0 : tensor<6x7xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       %2 = arith.addf %in, %out : f32
// CHECK-NEXT:       linalg.yield %2 : f32
// CHECK-NEXT:     } -> tensor<6x7xf32>
// CHECK-NEXT:     %cast = tensor.cast %0 : tensor<6x7xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg2 : f32) outs(%0 : tensor<6x7xf32>) -> tensor<6x7xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %1 : tensor<6x7xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %cast, %cast_0, %c6 : tensor<?x?xf32>, tensor<?x?xf32>, index
// CHECK-NEXT:   }
func.func @written_over(%s: tensor<6x7xf32>, %v: tensor<7xf32>, %x: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>, index) {
  %c0 = arith.constant 0 : index
  %cs = tensor.cast %s : tensor<6x7xf32> to tensor<?x?xf32>
  %cv = tensor.cast %v : tensor<7xf32> to tensor<?xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%cv : tensor<?xf32>) outs(%cs : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = tensor.dim %1, %c0 : tensor<?x?xf32>
  return %0, %1, %d : tensor<?x?xf32>, tensor<?x?xf32>, index
}

// CHECK-NEXT:   func.func @joined(%arg0: tensor<3x?xi8>, %arg1: tensor<?x5xi8>) -> (tensor<?x?xi8>, tensor<3x4xi8>) {
// CHECK-NEXT:     %cast = tensor.cast %arg1 : tensor<?x5xi8> to tensor<3x5xi8>
// CHECK-NEXT:     %concat = tensor.concat dim(1) %arg0, %cast : (tensor<3x?xi8>, tensor<3x5xi8>) -> tensor<3x?xi8>
// CHECK-NEXT:     %cast_0 = tensor.cast %concat : tensor<3x?xi8> to tensor<?x?xi8>
// CHECK-NEXT:     %cast_1 = tensor.cast %arg0 : tensor<3x?xi8> to tensor<3x4xi8>
// CHECK-NEXT:     return %cast_0, %cast_1 : tensor<?x?xi8>, tensor<3x4xi8>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @joined(%a: tensor<3x?xi8>, %b: tensor<?x5xi8>) -> (tensor<?x?xi8>, tensor<3x4xi8>) {
  %0 = tensor.concat dim(1) %a, %b : (tensor<3x?xi8>, tensor<?x5xi8>) -> tensor<?x?xi8>
  %1 = tensor.concat dim(0) %a : (tensor<3x?xi8>) -> tensor<3x4xi8>
  return %0, %1 : tensor<?x?xi8>, tensor<3x4xi8>
}
