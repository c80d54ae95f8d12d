// A structured operation becomes affine loops.
// RUN: xgpu-opt %s --convert-linalg-to-affine-loops | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: f32, %arg1: memref<8x8xf32>) {
// CHECK-NEXT:     affine.for %arg2 = 0 to 8 {
// CHECK-NEXT:       affine.for %arg3 = 0 to 8 {
// CHECK-NEXT:         affine.store %arg0, %arg1[%arg2, %arg3] : memref<8x8xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: f32, %m: memref<8x8xf32>) {
  linalg.fill ins(%x : f32) outs(%m : memref<8x8xf32>)
  return
}
