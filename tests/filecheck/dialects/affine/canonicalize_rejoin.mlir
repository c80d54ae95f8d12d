// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Maps that put the parts of an index together again.

// CHECK: #map = affine_map<()[s0, s1] -> (s0 * 2 + s1 - 4)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 + s1 floordiv 7)>
// CHECK-NEXT: #map2 = affine_map<()[s0, s1, s2] -> (s0 * 15 + s1 * 3 + s2)>
// CHECK-NEXT: #map3 = affine_map<()[s0, s1] -> (s0 + s1 * 5)>
// CHECK-NEXT: #map4 = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @whole(%arg0: index, %arg1: index) -> (index, index, index) {
// CHECK-NEXT:     %0:3 = affine.delinearize_index %arg0 into (7, 3, 5) : index, index, index
// CHECK-NEXT:     %1 = affine.apply #map()[%arg1, %arg0]
// CHECK-NEXT:     %2 = affine.apply #map1()[%0#1, %arg0]
// CHECK-NEXT:     return %arg0, %1, %2 : index, index, index
// CHECK-NEXT:   }
func.func @whole(%i: index, %j: index) -> (index, index, index) {
  %0:3 = affine.delinearize_index %i into (7, 3, 5) : index, index, index
  %1 = affine.apply affine_map<()[s0, s1, s2] -> (s2 + s0 * 15 + s1 * 5)>()[%0#0, %0#1, %0#2]
  %2 = affine.apply affine_map<()[s0, s1, s2, s3] -> (s2 - 4 + s0 * 15 + s3 * 2 + s1 * 5)>()[%0#0, %0#1, %0#2, %j]
  %3 = affine.apply affine_map<()[s0, s1, s2] -> ((s2 + s0 * 15 + s1 * 5) floordiv 7 + s1)>()[%0#0, %0#1, %0#2]
  return %1, %2, %3 : index, index, index
}

// CHECK-NEXT:   func.func @in_a_loop(%arg0: memref<?xf32>, %arg1: f32, %arg2: index) {
// CHECK-NEXT:     affine.for %arg3 = 0 to %arg2 {
// CHECK-NEXT:       affine.store %arg1, %arg0[%arg3 + 1] : memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @in_a_loop(%m: memref<?xf32>, %v: f32, %n: index) {
  affine.for %i = 0 to %n {
    %0:2 = affine.delinearize_index %i into (6) : index, index
    %1 = affine.apply affine_map<(d0, d1) -> (d0 * 6 + d1)>(%0#0, %0#1)
    affine.store %v, %m[%1 + 1] : memref<?xf32>
  }
  return
}

// CHECK-NEXT:   func.func @other_strides(%arg0: index, %arg1: index) -> (index, index, index) {
// CHECK-NEXT:     %0:3 = affine.delinearize_index %arg0 into (3, 5) : index, index, index
// CHECK-NEXT:     %1 = affine.apply #map2()[%0#0, %0#1, %0#2]
// CHECK-NEXT:     %2 = affine.apply #map3()[%0#2, %0#1]
// CHECK-NEXT:     %3:2 = affine.delinearize_index %arg0 into (%arg1) : index, index
// CHECK-NEXT:     %4 = affine.apply #map4()[%3#1, %3#0, %arg1]
// CHECK-NEXT:     return %1, %2, %4 : index, index, index
// CHECK-NEXT:   }
func.func @other_strides(%i: index, %n: index) -> (index, index, index) {
  %0:3 = affine.delinearize_index %i into (3, 5) : index, index, index
  %1 = affine.apply affine_map<()[s0, s1, s2] -> (s2 + s0 * 15 + s1 * 3)>()[%0#0, %0#1, %0#2]
  %2 = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 5)>()[%0#2, %0#1]
  %3:2 = affine.delinearize_index %i into (%n) : index, index
  %4 = affine.apply affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>()[%3#1, %3#0, %n]
  return %1, %2, %4 : index, index, index
}

// CHECK-NEXT:   func.func @nested(%arg0: index) -> index {
// CHECK-NEXT:     return %arg0 : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @nested(%i: index) -> index {
  %0:2 = affine.delinearize_index %i into (8) : index, index
  %1 = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%0#0]
  %2 = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%1, %0#1]
  return %2 : index
}
