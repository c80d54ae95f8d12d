// RUN: xgpu-opt --transform-interpreter --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0) -> (d0, 4)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0, 8)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @runs(%arg0: memref<20xi32>, %arg1: index, %arg2: index) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = affine.min #map(%arg1)
// CHECK-NEXT:     %1 = affine.max #map1(%arg2)
// CHECK-NEXT:     %2 = vector.transfer_read %arg0[%c0], %c0_i32 {in_bounds = [true]} : memref<20xi32>, vector<4xi32>
// CHECK-NEXT:     scf.for %arg3 = %0 to %1 step %c1 {
// CHECK-NEXT:       "use"(%2) : (vector<4xi32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %arg3 = %arg1 to %1 step %c1 {
// CHECK-NEXT:       %3 = vector.transfer_read %arg0[%c0], %c0_i32 {in_bounds = [true]} : memref<20xi32>, vector<4xi32>
// CHECK-NEXT:       "use"(%3) : (vector<4xi32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @runs(%m: memref<20xi32>, %lb: index, %ub: index) {
  %c0_i32 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = affine.min affine_map<(d0) -> (d0, 4)>(%lb)
  %high = affine.max affine_map<(d0) -> (d0, 8)>(%ub)
  scf.for %i = %low to %high step %c1 {
    %r = vector.transfer_read %m[%c0], %c0_i32 {in_bounds = [true]} : memref<20xi32>, vector<4xi32>
    "use"(%r) : (vector<4xi32>) -> ()
  }
  scf.for %i = %lb to %high step %c1 {
    %r = vector.transfer_read %m[%c0], %c0_i32 {in_bounds = [true]} : memref<20xi32>, vector<4xi32>
    "use"(%r) : (vector<4xi32>) -> ()
  }
  return
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.hoist_redundant_vector_transfers %0 {verify_non_zero_trip} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.hoist_redundant_vector_transfers %0 {verify_non_zero_trip} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
