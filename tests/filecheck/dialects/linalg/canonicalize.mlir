// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// What computes nothing, and sizes that one operand tells of another.

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// CHECK: #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @identity(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>, %arg2: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
// CHECK-NEXT:     return %arg1, %arg0 : tensor<?x4xf32>, tensor<?x4xf32>
// CHECK-NEXT:   }
func.func @identity(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#swap, #swap, #swap, #swap], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%o, %o : tensor<?x4xf32>, tensor<?x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32):
    linalg.yield %y, %x : f32, f32
  } -> (tensor<?x4xf32>, tensor<?x4xf32>)
  return %0#0, %0#1 : tensor<?x4xf32>, tensor<?x4xf32>
}

// CHECK-NEXT:   func.func @other_elements(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x4xf32>) outs(%arg1 : tensor<4x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       linalg.yield %in : f32
// CHECK-NEXT:     } -> tensor<4x4xf32>
// CHECK-NEXT:     return %0 : tensor<4x4xf32>
// CHECK-NEXT:   }
func.func @other_elements(%a: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-NEXT:   func.func @value_from_outside(%arg0: f32, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%arg1 : tensor<4x4xf32>) {
// CHECK-NEXT:     ^bb0(%out: f32):
// CHECK-NEXT:       linalg.yield %arg0 : f32
// CHECK-NEXT:     } -> tensor<4x4xf32>
// CHECK-NEXT:     return %0 : tensor<4x4xf32>
// CHECK-NEXT:   }
func.func @value_from_outside(%f: f32, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x4xf32>) {
  ^bb0(%z: f32):
    linalg.yield %f : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-NEXT:   func.func @to_itself(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
// CHECK-NEXT:     linalg.copy ins(%arg0 : memref<?xf32>) outs(%arg1 : memref<?xf32>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @to_itself(%m: memref<?xf32>, %n: memref<?xf32>) {
  linalg.copy ins(%m : memref<?xf32>) outs(%m : memref<?xf32>)
  linalg.copy ins(%m : memref<?xf32>) outs(%n : memref<?xf32>)
  return
}

// CHECK-NEXT:   func.func @no_elements(%arg0: memref<0x4xf32>, %arg1: memref<2x4xf32>) {
// CHECK-NEXT:     linalg.exp ins(%arg1 : memref<2x4xf32>) outs(%arg1 : memref<2x4xf32>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @no_elements(%m: memref<0x4xf32>, %n: memref<2x4xf32>) {
  linalg.exp ins(%m : memref<0x4xf32>) outs(%m : memref<0x4xf32>)
  linalg.exp ins(%n : memref<2x4xf32>) outs(%n : memref<2x4xf32>)
  return
}

// CHECK-NEXT:   func.func @sizes(%arg0: tensor<8x?xf32>, %arg1: tensor<?x16xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:     %cast = tensor.cast %arg2 : tensor<?x?xf32> to tensor<8x16xf32>
// CHECK-NEXT:     %0 = linalg.matmul ins(%arg0, %arg1 : tensor<8x?xf32>, tensor<?x16xf32>) outs(%cast : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %0 : tensor<8x16xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %cast_0 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @sizes(%a: tensor<8x?xf32>, %b: tensor<?x16xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x?xf32>, tensor<?x16xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @cast_of_result(%arg0: tensor<?x4xf32>, %arg1: tensor<4x?xf32>, %arg2: tensor<?x?xf32>) -> (tensor<8x?xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:     %cast = tensor.cast %arg2 : tensor<?x?xf32> to tensor<8x?xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %arg0 : tensor<?x4xf32> to tensor<8x4xf32>
// CHECK-NEXT:     %0 = linalg.matmul ins(%cast_0, %arg1 : tensor<8x4xf32>, tensor<4x?xf32>) outs(%cast : tensor<8x?xf32>) -> tensor<8x?xf32>
// CHECK-NEXT:     %cast_1 = tensor.cast %0 : tensor<8x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %0, %cast_1 : tensor<8x?xf32>, tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @cast_of_result(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>, %o: tensor<?x?xf32>) -> (tensor<8x?xf32>, tensor<?x?xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<8x?xf32>
  return %1, %0 : tensor<8x?xf32>, tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @effects_in_a_body(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: memref<f32>) {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x4xf32>) outs(%arg1 : tensor<4x4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:       memref.store %in, %arg2[] : memref<f32>
// CHECK-NEXT:       linalg.yield %in : f32
// CHECK-NEXT:     } -> tensor<4x4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @effects_in_a_body(%a: tensor<4x4xf32>, %o: tensor<4x4xf32>, %n: memref<f32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32, %z: f32):
    memref.store %x, %n[] : memref<f32>
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  %1 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// CHECK-NEXT:   func.func @one_iteration(%arg0: tensor<1x?xindex>) -> tensor<1x?xindex> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%arg0 : tensor<1x?xindex>) {
// CHECK-NEXT:     ^bb0(%out: index):
// CHECK-NEXT:       %1 = linalg.index 1 : index
// CHECK-NEXT:       linalg.yield %1 : index
// CHECK-NEXT:     } -> tensor<1x?xindex>
// CHECK-NEXT:     return %0 : tensor<1x?xindex>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @one_iteration(%a: tensor<1x?xindex>) -> tensor<1x?xindex> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<1x?xindex>) {
  ^bb0(%z: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<1x?xindex>
  return %0 : tensor<1x?xindex>
}
