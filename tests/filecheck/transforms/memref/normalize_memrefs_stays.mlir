// RUN: xgpu-opt %s --normalize-memrefs --allow-unregistered-dialect | filecheck %s --match-full-lines

// A use that needs the layout keeps it, in all functions that are tied to it.
#tile = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
// CHECK: #map = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @a(%arg0: memref<16xf32, #map>) {
// CHECK-NEXT:     call @b(%arg0) : (memref<16xf32, #map>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @a(%m: memref<16xf32, #tile>) {
  call @b(%m) : (memref<16xf32, #tile>) -> ()
  return
}
// CHECK-NEXT:   func.func @b(%arg0: memref<16xf32, #map>) {
// CHECK-NEXT:     "test.use"(%arg0) : (memref<16xf32, #map>) -> ()
// CHECK-NEXT:     call @c(%arg0) : (memref<16xf32, #map>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @b(%m: memref<16xf32, #tile>) {
  "test.use"(%m) : (memref<16xf32, #tile>) -> ()
  call @c(%m) : (memref<16xf32, #tile>) -> ()
  return
}
// CHECK-NEXT:   func.func @c(%arg0: memref<16xf32, #map>) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @c(%m: memref<16xf32, #tile>) {
  return
}
// CHECK-NEXT:   func.func @d(%arg0: memref<4x4xf32>) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @d(%m: memref<16xf32, #tile>) {
  return
}
