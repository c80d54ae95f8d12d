// RUN: xgpu-opt %s --allow-unregistered-dialect --verify-roundtrip | filecheck %s --match-full-lines
// The least integer has no positive to negate. An operation that has no segments may have
// attributes that are named like those of segments.

// CHECK: #map = affine_map<(d0) -> (d0 - 9223372036854775808, -9223372036854775808)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> ()>
// CHECK-NEXT: module {
// CHECK-NEXT:   "test.op"() {map = #map} : () -> ()
"test.op"() {map = affine_map<(d0) -> (d0 - 9223372036854775808, -9223372036854775808)>} : () -> ()
// CHECK-NEXT:   func.func @loop(%arg0: vector<4xf32>, %arg1: vector<4xf32>, %arg2: f32) -> f32 {
// CHECK-NEXT:     affine.for %arg3 = -9223372036854775808 to 0 {
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = vector.contract {indexing_maps = [#map1, #map1, #map2], iterator_types = ["reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 {operandSegmentSizes = "of a user"} : vector<4xf32>, vector<4xf32> into f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @loop(%a: vector<4xf32>, %b: vector<4xf32>, %c: f32) -> f32 {
  affine.for %i = -9223372036854775808 to 0 {
  }
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %b, %c {operandSegmentSizes = "of a user"} : vector<4xf32>, vector<4xf32> into f32
  return %0 : f32
}
