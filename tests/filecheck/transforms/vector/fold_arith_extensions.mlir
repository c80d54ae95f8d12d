// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib --test-fold-arith-extf-into-vector-contract-patterns %s | filecheck %s --match-full-lines

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @floats(%arg0: vector<4x8xf16>, %arg1: vector<8x4xf16>, %arg2: vector<4x4xf32>) -> vector<4x4xf32> {
// CHECK-NEXT:     %0 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 : vector<4x8xf16>, vector<8x4xf16> into vector<4x4xf32>
// CHECK-NEXT:     return %0 : vector<4x4xf32>
// CHECK-NEXT:   }
func.func @floats(%x: vector<4x8xf16>, %y: vector<8x4xf16>, %z: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = arith.extf %x : vector<4x8xf16> to vector<4x8xf32>
  %1 = arith.extf %y : vector<8x4xf16> to vector<8x4xf32>
  %2 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %1, %z : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  return %2 : vector<4x4xf32>
}

// CHECK-NEXT:   func.func @integers(%arg0: vector<4x8xi8>, %arg1: vector<8x4xi8>, %arg2: vector<4x4xi32>) -> vector<4x4xi32> {
// CHECK-NEXT:     %0 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 : vector<4x8xi8>, vector<8x4xi8> into vector<4x4xi32>
// CHECK-NEXT:     return %0 : vector<4x4xi32>
// CHECK-NEXT:   }
func.func @integers(%x: vector<4x8xi8>, %y: vector<8x4xi8>, %z: vector<4x4xi32>) -> vector<4x4xi32> {
  %0 = arith.extsi %x : vector<4x8xi8> to vector<4x8xi32>
  %1 = arith.extsi %y : vector<8x4xi8> to vector<8x4xi32>
  %2 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %1, %z : vector<4x8xi32>, vector<8x4xi32> into vector<4x4xi32>
  return %2 : vector<4x4xi32>
}

// CHECK-NEXT:   func.func @one_only(%arg0: vector<4x8xf16>, %arg1: vector<8x4xf32>, %arg2: vector<4x4xf32>) -> vector<4x4xf32> {
// CHECK-NEXT:     %0 = arith.extf %arg0 : vector<4x8xf16> to vector<4x8xf32>
// CHECK-NEXT:     %1 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %arg1, %arg2 : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
// CHECK-NEXT:     return %1 : vector<4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @one_only(%x: vector<4x8xf16>, %y: vector<8x4xf32>, %z: vector<4x4xf32>) -> vector<4x4xf32> {
  %0 = arith.extf %x : vector<4x8xf16> to vector<4x8xf32>
  %1 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %y, %z : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  return %1 : vector<4x4xf32>
}
