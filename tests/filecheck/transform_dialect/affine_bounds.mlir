// RUN: xgpu-opt --transform-interpreter %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> (128, s0)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (256, s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: index) -> (index, index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %0 = affine.min #map()[%arg0]
// CHECK-NEXT:     %1 = affine.max #map1()[%arg1]
// CHECK-NEXT:     return %0, %0, %1 : index, index, index
// CHECK-NEXT:   }
func.func @f(%n: index, %a: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %i = affine.min affine_map<(d0) -> (d0, 128)>(%n)
  %j = affine.max affine_map<(d0) -> (d0, 256)>(%a)
  %r0 = affine.min affine_map<()[s0, s1] -> (s0, 192, s1)>()[%i, %j]
  %r1 = affine.max affine_map<()[s0, s1] -> (s0, 192, s1)>()[%i, %j]
  return %i, %r0, %r1 : index, index, index
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["affine.min", "affine.max"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.affine.simplify_min_max_affine_ops %0 : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["affine.min", "affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.affine.simplify_min_max_affine_ops %0 : !transform.any_op
    transform.yield
  }
}
