// A memref with a layout map becomes one without, and its accesses apply the map.
// RUN: xgpu-opt %s --normalize-memrefs | filecheck %s --match-full-lines

#transposed = affine_map<(d0, d1) -> (d1, d0)>
// CHECK: #map = affine_map<() -> (1)>
// CHECK-NEXT: #map1 = affine_map<() -> (2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: f32) {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<8x4xf32>
// CHECK-NEXT:     %0 = affine.apply #map()
// CHECK-NEXT:     %1 = affine.apply #map1()
// CHECK-NEXT:     affine.store %arg0, %alloc[2, 1] : memref<8x4xf32>
// CHECK-NEXT:     memref.dealloc %alloc : memref<8x4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: f32) {
  %m = memref.alloc() : memref<4x8xf32, #transposed>
  affine.store %x, %m[1, 2] : memref<4x8xf32, #transposed>
  memref.dealloc %m : memref<4x8xf32, #transposed>
  return
}
