// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// What is left of a number without its remainder is a multiple.

// CHECK: #map = affine_map<()[s0, s1, s2] -> ((s0 - s2 mod s1) mod s1)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1, s2] -> ((s0 - s0 mod s2) mod s1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @multiples(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = affine.apply #map()[%arg0, %arg1, %arg2]
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg0, %arg1, %arg2]
// CHECK-NEXT:     return %c0, %c0, %0, %1 : index, index, index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @multiples(%a: index, %b: index, %c: index) -> (index, index, index, index) {
  %0 = affine.apply affine_map<()[s0, s1] -> ((s0 - s0 mod s1) mod s1)>()[%a, %b]
  %1 = affine.apply affine_map<()[s0, s1, s2] -> ((s0 - (s0 - s2) mod s1 - s2) mod s1)>()[%a, %b, %c]
  %2 = affine.apply affine_map<()[s0, s1, s2] -> ((s0 - s2 mod s1) mod s1)>()[%a, %b, %c]
  %3 = affine.apply affine_map<()[s0, s1, s2] -> ((s0 - s0 mod s2) mod s1)>()[%a, %b, %c]
  return %0, %1, %2, %3 : index, index, index, index
}
