// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --pass-pipeline='builtin.module(func.func(affine-simplify-min-max))' | filecheck %s --match-full-lines

// What may be zero has no quotient of one.
// CHECK: #map = affine_map<()[s0] -> (32, s0)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 ceildiv 32)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> ((s0 + 31) floordiv 32)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (s0 floordiv 32)>
// CHECK-NEXT: #map4 = affine_map<()[s0] -> (s0 + 4)>
// CHECK-NEXT: #map5 = affine_map<()[s0] -> (s0 + (s0 ceildiv 16) * 4)>
// CHECK-NEXT: #map6 = affine_map<()[s0, s1] -> (32, s1, s0 + 1, s0 + s1)>
// CHECK-NEXT: #map7 = affine_map<()[s0, s1] -> (32, s1, s0, s0 + s1, s0 floordiv 4)>
// CHECK-NEXT: #map8 = affine_map<()[s0, s1] -> (s1, s0)>
// CHECK-NEXT: #map9 = affine_map<()[s0, s1] -> (s1 + 7, s0 * s1, s0)>
// CHECK-NEXT: #map10 = affine_map<()[s0] -> (50, s0)>
// CHECK-NEXT: #map11 = affine_map<()[s0, s1] -> (s1, s0 + 400)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @may_be_zero(%arg0: memref<?xf32>) -> (index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:     %0 = affine.min #map()[%dim]
// CHECK-NEXT:     %1 = affine.apply #map1()[%0]
// CHECK-NEXT:     %2 = affine.apply #map2()[%0]
// CHECK-NEXT:     return %1, %2 : index, index
// CHECK-NEXT:   }
func.func @may_be_zero(%t: memref<?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %t, %c0 : memref<?xf32>
  %m = affine.min affine_map<(d0)[] -> (32, d0)>(%d)
  %0 = affine.apply affine_map<(d0) -> (d0 ceildiv 32)>(%m)
  %1 = affine.apply affine_map<()[s0] -> ((s0 + 31) floordiv 32)>()[%m]
  return %0, %1 : index, index
}

// CHECK-NEXT:   func.func @quotients() -> (index, index, index, index, index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = test.value_with_bounds {max = 128 : index, min = 1 : index}
// CHECK-NEXT:     %1 = affine.min #map()[%0]
// CHECK-NEXT:     %2 = affine.apply #map3()[%1]
// CHECK-NEXT:     %3 = affine.apply #map4()[%1]
// CHECK-NEXT:     %4 = affine.apply #map5()[%1]
// CHECK-NEXT:     return %c1, %c1, %2, %3, %4 : index, index, index, index, index
// CHECK-NEXT:   }
func.func @quotients() -> (index, index, index, index, index) {
  %d = test.value_with_bounds {max = 128 : index, min = 1 : index}
  %m = affine.min affine_map<(d0)[] -> (32, d0)>(%d)
  %0 = affine.apply affine_map<(d0) -> (d0 ceildiv 32)>(%m)
  %1 = affine.apply affine_map<()[s0] -> ((s0 + 31) floordiv 32)>()[%m]
  %2 = affine.apply affine_map<()[s0] -> (s0 floordiv 32)>()[%m]
  %3 = affine.apply affine_map<()[s0] -> ((s0 ceildiv 32) * 4 + s0)>()[%m]
  %4 = affine.apply affine_map<()[s0] -> ((s0 ceildiv 16) * 4 + s0)>()[%m]
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}

// CHECK-NEXT:   func.func @of_arguments(%arg0: index, %arg1: index) -> (index, index, index, index) {
// CHECK-NEXT:     %0 = affine.max #map6()[%arg0, %arg1]
// CHECK-NEXT:     %1 = affine.min #map7()[%arg0, %arg1]
// CHECK-NEXT:     %2 = affine.min #map8()[%arg0, %arg1]
// CHECK-NEXT:     %3 = affine.min #map9()[%arg1, %arg0]
// CHECK-NEXT:     return %0, %1, %2, %3 : index, index, index, index
// CHECK-NEXT:   }
func.func @of_arguments(%t: index, %u: index) -> (index, index, index, index) {
  %a = affine.max affine_map<(d0, d1)[] -> (32, d0, d1, d0 + d1, d0 + 1)>(%t, %u)
  %b = affine.min affine_map<(d0, d1)[] -> (32, d0, d1, d0 + d1, d0 + 1, d0 floordiv 4, 40)>(%t, %u)
  %c = affine.min affine_map<(d0, d1)[] -> (d0 + 7, d1 + 8, d0, d1, d0 + 9)>(%t, %u)
  %d = affine.min affine_map<(d0)[s0] -> (d0 + 7, s0 + 8, s0 * d0, s0, d0 + 9)>(%t)[%u]
  return %a, %b, %c, %d : index, index, index, index
}

// CHECK-NEXT:   func.func @of_bounds() -> (index, index, index, index) {
// CHECK-NEXT:     %0 = test.value_with_bounds {max = 100 : index, min = 0 : index}
// CHECK-NEXT:     %1 = test.value_with_bounds {max = 500 : index, min = 200 : index}
// CHECK-NEXT:     %2 = affine.min #map10()[%0]
// CHECK-NEXT:     %3 = affine.max #map11()[%0, %1]
// CHECK-NEXT:     return %0, %1, %2, %3 : index, index, index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @of_bounds() -> (index, index, index, index) {
  %0 = test.value_with_bounds {max = 100 : index, min = 0 : index}
  %1 = test.value_with_bounds {max = 500 : index, min = 200 : index}
  %2 = affine.min affine_map<()[s0, s1] -> (s0, 150, s1)>()[%0, %1]
  %3 = affine.max affine_map<()[s0, s1] -> (s0, 150, s1)>()[%0, %1]
  %4 = affine.min affine_map<()[s0, s1] -> (s0, 50, s1)>()[%0, %1]
  %5 = affine.max affine_map<()[s0, s1] -> (s0, s0 + 400, s1)>()[%0, %1]
  return %2, %3, %4, %5 : index, index, index, index
}
