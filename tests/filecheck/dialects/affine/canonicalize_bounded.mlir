// RUN: xgpu-opt --canonicalize --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// What a loop says of its variable makes quotients and remainders simpler.

// CHECK: #map = affine_map<()[s0] -> (16, s0)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0 - 2, 0)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0 * 4, 7)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @subscripts(%arg0: index, %arg1: memref<64xf32>) {
// CHECK-NEXT:     affine.for %arg2 = 0 to %arg0 step 16 {
// CHECK-NEXT:       affine.for %arg3 = 0 to 16 {
// CHECK-NEXT:         %0 = affine.load %arg1[%arg2 floordiv 16] : memref<64xf32>
// CHECK-NEXT:         %1 = affine.load %arg1[%arg3 mod 8] : memref<64xf32>
// CHECK-NEXT:         %2 = affine.load %arg1[0] : memref<64xf32>
// CHECK-NEXT:         %3 = affine.load %arg1[%arg3 ceildiv 15] : memref<64xf32>
// CHECK-NEXT:         %4 = affine.load %arg1[%arg3] : memref<64xf32>
// CHECK-NEXT:         "some.use"(%0, %1, %2, %3, %4) : (f32, f32, f32, f32, f32) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.for %arg2 = 5 to 8 {
// CHECK-NEXT:       affine.for %arg3 = -4 to 4 step 4 {
// CHECK-NEXT:         %0 = affine.load %arg1[%arg2 + %arg3 + 4] : memref<64xf32>
// CHECK-NEXT:         %1 = affine.load %arg1[%arg3 floordiv 8 + 2] : memref<64xf32>
// CHECK-NEXT:         "some.use"(%0, %1) : (f32, f32) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @subscripts(%n: index, %a: memref<64xf32>) {
  affine.for %i = 0 to %n step 16 {
    affine.for %j = 0 to 16 {
      %0 = affine.load %a[(%i + %j) floordiv 16] : memref<64xf32>
      %1 = affine.load %a[(%i + %j) mod 8] : memref<64xf32>
      %2 = affine.load %a[%j floordiv 16 + %i mod 4] : memref<64xf32>
      %3 = affine.load %a[%j ceildiv 15] : memref<64xf32>
      %4 = affine.load %a[(%j mod 4) floordiv 4 + %j mod 32] : memref<64xf32>
      "some.use"(%0, %1, %2, %3, %4) : (f32, f32, f32, f32, f32) -> ()
    }
  }
  affine.for %i = 5 to 8 {
    affine.for %j = -4 to 4 step 4 {
      %0 = affine.load %a[%i mod 8 + (%j + 4) mod 8] : memref<64xf32>
      %1 = affine.load %a[%i ceildiv 8 + %j floordiv 8 + 1] : memref<64xf32>
      "some.use"(%0, %1) : (f32, f32) -> ()
    }
  }
  return
}

// Bounds that never count.

// CHECK-NEXT:   func.func @bounds(%arg0: index) {
// CHECK-NEXT:     affine.for %arg1 = 0 to 4 {
// CHECK-NEXT:       affine.for %arg2 = 0 to min #map()[%arg0] {
// CHECK-NEXT:         "some.use"(%arg2) : (index) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:       affine.for %arg2 = max #map1(%arg1) to min #map2(%arg1) {
// CHECK-NEXT:         "some.use"(%arg2) : (index) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @bounds(%n: index) {
  affine.for %i = 0 to 4 {
    affine.for %j = max affine_map<(d0) -> (d0 - 8, 0)>(%i) to min affine_map<(d0)[s0] -> (d0 * 4 + 16, 16, s0)>(%i)[%n] {
      "some.use"(%j) : (index) -> ()
    }
    affine.for %j = max affine_map<(d0) -> (d0 - 2, 0)>(%i) to min affine_map<(d0) -> (d0 * 4, 7)>(%i) {
      "some.use"(%j) : (index) -> ()
    }
  }
  return
}
