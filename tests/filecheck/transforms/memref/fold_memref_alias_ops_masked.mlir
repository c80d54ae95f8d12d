// RUN: xgpu-opt %s --fold-memref-alias-ops | filecheck %s --match-full-lines

// Masked accesses of views become masked accesses of what they view: mask and value stay behind the indices.

// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 4)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @subview(%arg0: memref<16x32xf32>, %arg1: index, %arg2: index, %arg3: vector<4xi1>, %arg4: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = affine.apply #map()[%arg1, %arg2]
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg2]
// CHECK-NEXT:     vector.maskedstore %arg0[%0, %1], %arg3, %arg4 : memref<16x32xf32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     %2 = affine.apply #map()[%arg1, %arg2]
// CHECK-NEXT:     %3 = affine.apply #map1()[%arg2]
// CHECK-NEXT:     %4 = vector.maskedload %arg0[%2, %3], %arg3, %arg4 : memref<16x32xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     return %4 : vector<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @subview(%m: memref<16x32xf32>, %o: index, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
  %s = memref.subview %m[%o, 4] [8, 16] [1, 1] : memref<16x32xf32> to memref<8x16xf32, strided<[32, 1], offset: ?>>
  vector.maskedstore %s[%i, %i], %mask, %v : memref<8x16xf32, strided<[32, 1], offset: ?>>, vector<4xi1>, vector<4xf32>
  %0 = vector.maskedload %s[%i, %i], %mask, %v : memref<8x16xf32, strided<[32, 1], offset: ?>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}
