// RUN: xgpu-opt %s --affine-loop-coalescing --allow-unregistered-dialect | filecheck %s --match-full-lines

// The third loop needs the variable of the second one: the first two are one, and so are the others.
// CHECK: #map = affine_map<()[s0] -> (s0 * s0)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (-s0 + s1)>
// CHECK-NEXT: #map2 = affine_map<()[s0, s1] -> ((s0 - s1) * s0)>
// CHECK-NEXT: #map3 = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @bands(%arg0: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %c1_3 = arith.constant 1 : index
// CHECK-NEXT:     %0 = affine.apply #map()[%arg0]
// CHECK-NEXT:     scf.for %arg1 = %c0_0 to %0 step %c1_1 {
// CHECK-NEXT:       %1:2 = affine.delinearize_index %arg1 into (%arg0, %arg0) : index, index
// CHECK-NEXT:       %2 = affine.apply #map1()[%1#1, %arg0]
// CHECK-NEXT:       %c0_4 = arith.constant 0 : index
// CHECK-NEXT:       %c1_5 = arith.constant 1 : index
// CHECK-NEXT:       %c0_6 = arith.constant 0 : index
// CHECK-NEXT:       %c1_7 = arith.constant 1 : index
// CHECK-NEXT:       %3 = affine.apply #map2()[%arg0, %1#1]
// CHECK-NEXT:       scf.for %arg2 = %c0_4 to %3 step %c1_5 {
// CHECK-NEXT:         %4:2 = affine.delinearize_index %arg2 into (%2, %arg0) : index, index
// CHECK-NEXT:         %5 = affine.apply #map3(%4#0)[%1#1]
// CHECK-NEXT:         "test.use"(%1#0, %1#1, %5, %4#1) : (index, index, index, index) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @bands(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %j to %n step %c1 {
        scf.for %l = %c0 to %n step %c1 {
          "test.use"(%i, %j, %k, %l) : (index, index, index, index) -> ()
        }
      }
    }
  }
  return
}
