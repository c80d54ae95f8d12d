// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Maps of affine operations are composed and simplified; operands that are the same, constant or
// unused go.

// CHECK: #map = affine_map<()[s0] -> (s0 * 3 + 2)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 4)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> (s0 + 8)>
// CHECK-NEXT: #map3 = affine_map<()[s0, s1] -> (s1, s0)>
// CHECK-NEXT: #map4 = affine_map<()[s0, s1] -> (32, s0 + s1)>
// CHECK-NEXT: #map5 = affine_map<()[s0, s1] -> (7, s1, s1 * 2 + 3, s0)>
// CHECK-NEXT: #map6 = affine_map<()[s0, s1] -> (s1 floordiv 2, s0)>
// CHECK-NEXT: #map7 = affine_map<()[s0, s1] -> (-s1 + 4, 4, s0 - s1)>
// CHECK-NEXT: #map8 = affine_map<()[s0, s1] -> (s1 + 1, s0)>
// CHECK-NEXT: #map9 = affine_map<()[s0, s1, s2] -> (s2 * 2, s1 + 1, s0)>
// CHECK-NEXT: #map10 = affine_map<()[s0, s1, s2] -> (s2, s1 + 1, s0)>
// CHECK-NEXT: #map11 = affine_map<()[s0, s1] -> (s1, s0 + 1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @apply(%arg0: index, %arg1: index) -> (index, index, index, index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = affine.apply #map()[%arg0]
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg0]
// CHECK-NEXT:     return %0, %1, %c0, %c4 : index, index, index, index
// CHECK-NEXT:   }
func.func @apply(%i: index, %n: index) -> (index, index, index, index) {
  %c4 = arith.constant 4 : index
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  %1 = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%0, %i)
  %2 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%c4]
  %3 = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%i, %i)
  %4 = affine.apply affine_map<(d0)[s0] -> ((d0 * 8 + s0) mod 8)>(%i)[%c4]
  return %1, %2, %3, %4 : index, index, index, index
}

// CHECK-NEXT:   func.func @memory(%arg0: memref<100xf32>, %arg1: index, %arg2: f32) -> (f32, vector<4xf32>) {
// CHECK-NEXT:     %0 = affine.load %arg0[symbol(%arg1) * 4 + 1] : memref<100xf32>
// CHECK-NEXT:     affine.store %arg2, %arg0[symbol(%arg1) * 4 + 2] : memref<100xf32>
// CHECK-NEXT:     affine.prefetch %arg0[symbol(%arg1) * 4 + 3], read, locality<3>, data : memref<100xf32>
// CHECK-NEXT:     %1 = affine.vector_load %arg0[symbol(%arg1) * 4] : memref<100xf32>, vector<4xf32>
// CHECK-NEXT:     affine.vector_store %1, %arg0[symbol(%arg1) * 4 + 4] : memref<100xf32>, vector<4xf32>
// CHECK-NEXT:     return %0, %1 : f32, vector<4xf32>
// CHECK-NEXT:   }
func.func @memory(%m: memref<100xf32>, %i: index, %x: f32) -> (f32, vector<4xf32>) {
  %0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
  %1 = affine.load %m[%0 + 1] : memref<100xf32>
  affine.store %x, %m[%0 + 2] : memref<100xf32>
  affine.prefetch %m[%0 + 3], read, locality<3>, data : memref<100xf32>
  %2 = affine.vector_load %m[%0] : memref<100xf32>, vector<4xf32>
  affine.vector_store %2, %m[%0 + 4] : memref<100xf32>, vector<4xf32>
  return %1, %2 : f32, vector<4xf32>
}

// CHECK-NEXT:   func.func @min(%arg0: index, %arg1: index) -> (index, index, index, index) {
// CHECK-NEXT:     %0 = affine.apply #map2()[%arg0]
// CHECK-NEXT:     %1 = affine.min #map3()[%arg1, %arg0]
// CHECK-NEXT:     %2 = affine.min #map4()[%arg1, %arg0]
// CHECK-NEXT:     %3 = affine.min #map5()[%arg1, %arg0]
// CHECK-NEXT:     return %0, %1, %2, %3 : index, index, index, index
// CHECK-NEXT:   }
func.func @min(%i: index, %n: index) -> (index, index, index, index) {
  %0 = affine.min affine_map<(d0) -> (d0 + 8)>(%i)
  %1 = affine.min affine_map<(d0)[s0] -> (d0, s0, d0)>(%i)[%n]
  %2 = affine.min affine_map<(d0)[s0] -> (s0 + d0, 32)>(%i)[%n]
  %3 = affine.min affine_map<(d0)[s0] -> (d0 * 2 + 3, d0, 7, s0)>(%i)[%n]
  return %0, %1, %2, %3 : index, index, index, index
}

// CHECK-NEXT:   func.func @max(%arg0: index, %arg1: index) -> (index, index) {
// CHECK-NEXT:     %0 = affine.max #map6()[%arg1, %arg0]
// CHECK-NEXT:     %1 = affine.max #map7()[%arg1, %arg0]
// CHECK-NEXT:     return %0, %1 : index, index
// CHECK-NEXT:   }
func.func @max(%i: index, %n: index) -> (index, index) {
  %0 = affine.max affine_map<(d0)[s0] -> (d0 floordiv 2, s0)>(%i)[%n]
  %1 = affine.max affine_map<(d0)[s0] -> (s0 - d0, -d0 + 4, 4)>(%i)[%n]
  return %0, %1 : index, index
}

// CHECK-NEXT:   func.func @nested(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index) {
// CHECK-NEXT:     %0 = affine.min #map8()[%arg2, %arg0]
// CHECK-NEXT:     %1 = affine.min #map9()[%arg2, %arg0, %arg1]
// CHECK-NEXT:     %2 = affine.min #map10()[%arg2, %arg0, %arg1]
// CHECK-NEXT:     %3 = affine.max #map3()[%0, %arg1]
// CHECK-NEXT:     %4 = affine.min #map11()[%0, %arg1]
// CHECK-NEXT:     return %1, %2, %3, %4 : index, index, index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @nested(%i: index, %j: index, %n: index) -> (index, index, index, index) {
  %0 = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0)>(%i)[%n]
  %1 = affine.min affine_map<(d0, d1) -> (d0, d1 * 2)>(%0, %j)
  %2 = affine.min affine_map<(d0)[s0] -> (s0, d0)>(%j)[%0]
  // Of another kind, and not by itself.
  %3 = affine.max affine_map<(d0, d1) -> (d0, d1)>(%0, %j)
  %4 = affine.min affine_map<(d0, d1) -> (d0 + 1, d1)>(%0, %j)
  return %1, %2, %3, %4 : index, index, index, index
}
