// RUN: xgpu-opt %s --scf-for-loop-canonicalization --allow-unregistered-dialect | filecheck %s --match-full-lines

// The bound of the inner loop is the outer induction variable; MLIR does not connect the two.
// CHECK: #map = affine_map<(d0) -> (d0 * 2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @nested(%arg0: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %arg1 = %c0 to %arg0 step %c1 {
// CHECK-NEXT:       scf.for %arg2 = %arg1 to %arg0 step %c1 {
// CHECK-NEXT:         %0 = affine.apply #map(%arg1)
// CHECK-NEXT:         "test.use"(%arg2, %0) : (index, index) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @nested(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %i to %n step %c1 {
      %0 = affine.max affine_map<(d0, d1) -> (d0, d1)> (%i, %j)
      %1 = affine.min affine_map<(d0, d1) -> (d1 * 2, d0 * 2)> (%i, %j)
      "test.use"(%0, %1) : (index, index) -> ()
    }
  }
  return
}
