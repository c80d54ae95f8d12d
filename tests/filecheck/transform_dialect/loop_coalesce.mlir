// RUN: xgpu-opt %s --transform-interpreter --allow-unregistered-dialect | filecheck %s --match-full-lines

// CHECK: #map = affine_map<() -> (5)>
// CHECK-NEXT: #map1 = affine_map<() -> (7)>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0] -> (d0 * s0)>
// CHECK-NEXT: #map3 = affine_map<(d0)[s0] -> (d0 mod s0)>
// CHECK-NEXT: #map4 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @two() {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c5_1 = arith.constant 5 : index
// CHECK-NEXT:     %c1_2 = arith.constant 1 : index
// CHECK-NEXT:     %c0_3 = arith.constant 0 : index
// CHECK-NEXT:     %c5_4 = arith.constant 5 : index
// CHECK-NEXT:     %c1_5 = arith.constant 1 : index
// CHECK-NEXT:     %c25 = arith.constant 25 : index
// CHECK-NEXT:     scf.for %arg0 = %c0_0 to %c25 step %c1_2 {
// CHECK-NEXT:       %3:2 = affine.delinearize_index %arg0 into (5, 5) : index, index
// CHECK-NEXT:       "use"(%3#0, %3#1) : (index, index) -> ()
// CHECK-NEXT:     } {coalesce}
// CHECK-NEXT:     %0 = affine.apply #map()
// CHECK-NEXT:     %1 = affine.apply #map1()
// CHECK-NEXT:     %2 = affine.apply #map2(%0)[%1]
// CHECK-NEXT:     affine.for %arg0 = 0 to %2 {
// CHECK-NEXT:       %3 = affine.apply #map3(%arg0)[%1]
// CHECK-NEXT:       %4 = affine.apply #map4(%arg0)[%1]
// CHECK-NEXT:       "use"(%4, %3) : (index, index) -> ()
// CHECK-NEXT:     } {coalesce}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @two() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      "use"(%i, %j) : (index, index) -> ()
    }
  } {coalesce}
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      "use"(%i, %j) : (index, index) -> ()
    }
  } {coalesce}
  return
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match attributes {coalesce} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.loop.coalesce %0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match attributes {coalesce} in %arg1 : (!transform.any_op) -> !transform.any_op
    %2 = transform.loop.coalesce %0: (!transform.any_op) -> (!transform.any_op)
    transform.yield
  }
}
