// Two perfectly nested loops become one.
// RUN: xgpu-opt %s --affine-loop-coalescing | filecheck %s --match-full-lines

// CHECK: #map = affine_map<() -> (8)>
// CHECK-NEXT: #map1 = affine_map<() -> (4)>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0] -> (d0 * s0)>
// CHECK-NEXT: #map3 = affine_map<(d0)[s0] -> (d0 mod s0)>
// CHECK-NEXT: #map4 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<8x4xf32>, %arg1: f32) {
// CHECK-NEXT:     %0 = affine.apply #map()
// CHECK-NEXT:     %1 = affine.apply #map1()
// CHECK-NEXT:     %2 = affine.apply #map2(%0)[%1]
// CHECK-NEXT:     affine.for %arg2 = 0 to %2 {
// CHECK-NEXT:       %3 = affine.apply #map3(%arg2)[%1]
// CHECK-NEXT:       %4 = affine.apply #map4(%arg2)[%1]
// CHECK-NEXT:       affine.store %arg1, %arg0[%4, %3] : memref<8x4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<8x4xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      affine.store %x, %m[%i, %j] : memref<8x4xf32>
    }
  }
  return
}
