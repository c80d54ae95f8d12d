// Affine loops and maps become scf and arith.
// RUN: xgpu-opt %s --lower-affine | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %arg2 = %c0 to %c8 step %c1 {
// CHECK-NEXT:       %c2 = arith.constant 2 : index
// CHECK-NEXT:       %0 = arith.muli %arg2, %c2 overflow<nsw> : index
// CHECK-NEXT:       memref.store %arg1, %arg0[%0] : memref<16xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<16xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i * 2] : memref<16xf32>
  }
  return
}
