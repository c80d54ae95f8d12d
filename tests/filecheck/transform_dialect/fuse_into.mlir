// RUN: xgpu-opt %s --transform-interpreter --canonicalize --cse --split-input-file | filecheck %s --match-full-lines

#id = affine_map<(d0) -> (d0)>

// CHECK: #map = affine_map<(d0) -> (d0 * 8)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @slices(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
// CHECK-NEXT:     %0:2 = scf.forall (%arg3) in (8) shared_outs(%arg4 = %arg2, %arg5 = %arg1) -> (tensor<64xf32>, tensor<64xf32>) {
// CHECK-NEXT:       %2 = affine.apply #map(%arg3)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%2] [8] [1] : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg5[%2] [8] [1] : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:       %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%extracted_slice : tensor<8xf32>) outs(%extracted_slice_0 : tensor<8xf32>) attrs =  {fused} {
// CHECK-NEXT:       ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:         %5 = math.exp %in : f32
// CHECK-NEXT:         linalg.yield %5 : f32
// CHECK-NEXT:       } -> tensor<8xf32>
// CHECK-NEXT:       %extracted_slice_1 = tensor.extract_slice %arg4[%2] [8] [1] : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:       %4 = linalg.log ins(%3 : tensor<8xf32>) outs(%extracted_slice_1 : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %3 into %arg5[%2] [8] [1] : tensor<8xf32> into tensor<64xf32>
// CHECK-NEXT:         tensor.parallel_insert_slice %4 into %arg4[%2] [8] [1] : tensor<8xf32> into tensor<64xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {new}
// CHECK-NEXT:     %1 = linalg.abs ins(%0#1 : tensor<64xf32>) outs(%arg2 : tensor<64xf32>) -> tensor<64xf32>
// CHECK-NEXT:     return %0#0, %1 : tensor<64xf32>, tensor<64xf32>
// CHECK-NEXT:   }
func.func @slices(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<64xf32>) outs(%b : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %1 = scf.forall (%i) in (8) shared_outs(%o = %c) -> tensor<64xf32> {
    %at = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %s = tensor.extract_slice %0[%at] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %t = tensor.extract_slice %o[%at] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %u = linalg.log ins(%s : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%at] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  }
  %2 = linalg.abs ins(%0 : tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.match ops{["scf.forall"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %0 into %1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %fused_op "fused" : !transform.any_op
// CHECK-NEXT:       transform.annotate %new_containing_op "new" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %f, %n = transform.structured.fuse_into_containing_op %g into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %f "fused" : !transform.any_op
    transform.annotate %n "new" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0) -> (d0 * 8)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @argument(%arg0: tensor<64xf32>) -> tensor<64xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = scf.forall (%arg1) in (8) shared_outs(%arg2 = %arg0) -> (tensor<64xf32>) {
// CHECK-NEXT:       %1 = affine.apply #map(%arg1)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg2[%1] [8] [1] : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:       %2 = linalg.fill {first, fused} ins(%cst : f32) outs(%extracted_slice : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:       %3 = linalg.exp ins(%2 : tensor<8xf32>) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %3 into %arg2[%1] [8] [1] : tensor<8xf32> into tensor<64xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<64xf32>
// CHECK-NEXT:   }
func.func @argument(%b: tensor<64xf32>) -> tensor<64xf32> {
  %z = arith.constant 0.0 : f32
  %0 = linalg.fill {first} ins(%z : f32) outs(%b : tensor<64xf32>) -> tensor<64xf32>
  %1 = scf.forall (%i) in (8) shared_outs(%o = %0) -> tensor<64xf32> {
    %at = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %t = tensor.extract_slice %o[%at] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %u = linalg.exp ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%at] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  }
  return %1 : tensor<64xf32>
}

// CHECK-NEXT:   func.func @copied(%arg0: tensor<4xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
// CHECK-NEXT:     %0 = scf.forall (%arg2) in (8) shared_outs(%arg3 = %arg1) -> (tensor<64xf32>) {
// CHECK-NEXT:       %1 = linalg.exp {first, fused} ins(%arg0 : tensor<4xf32>) outs(%arg0 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:       %extracted = tensor.extract %1[%arg2] : tensor<4xf32>
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg3[%arg2] [8] [1] : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:       %2 = linalg.fill ins(%extracted : f32) outs(%extracted_slice : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %2 into %arg3[%arg2] [8] [1] : tensor<8xf32> into tensor<64xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<64xf32>
// CHECK-NEXT:   }
func.func @copied(%b: tensor<4xf32>, %c: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.exp {first} ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.forall (%i) in (8) shared_outs(%o = %c) -> tensor<64xf32> {
    %x = tensor.extract %0[%i] : tensor<4xf32>
    %t = tensor.extract_slice %o[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %u = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  }
  return %1 : tensor<64xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.foreach %0 : !transform.any_op {
// CHECK-NEXT:       ^bb0(%arg1: !transform.any_op):
// CHECK-NEXT:         %1 = transform.structured.match attributes {first} in %arg1 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:         %2 = transform.structured.match ops{["scf.forall"]} in %arg1 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:         %fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %1 into %2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:         transform.annotate %fused_op "fused" : !transform.any_op
// CHECK-NEXT:       }
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %fs : !transform.any_op {
    ^bb0(%f: !transform.any_op):
      %first = transform.structured.match attributes{first} in %f : (!transform.any_op) -> !transform.any_op
      %l = transform.structured.match ops{["scf.forall"]} in %f : (!transform.any_op) -> !transform.any_op
      %h, %n = transform.structured.fuse_into_containing_op %first into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.annotate %h "fused" : !transform.any_op
    }
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @loop(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: index, %arg3: index) -> tensor<?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %0 = scf.for %arg4 = %c0 to %arg2 step %arg3 iter_args(%arg5 = %arg1) -> (tensor<?xf32>) {
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg5[%arg4] [%arg3] [1] : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:       %1 = linalg.fill ins(%cst : f32) outs(%extracted_slice : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:       %2 = linalg.exp ins(%1 : tensor<?xf32>) outs(%extracted_slice : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %2 into %arg5[%arg4] [%arg3] [1] : tensor<?xf32> into tensor<?xf32>
// CHECK-NEXT:       scf.yield %inserted_slice : tensor<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<?xf32>
// CHECK-NEXT:   }
func.func @loop(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %s: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %1 = scf.for %i = %c0 to %n step %s iter_args(%o = %b) -> tensor<?xf32> {
    %p = tensor.extract_slice %0[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %t = tensor.extract_slice %o[%i] [%s] [1] : tensor<?xf32> to tensor<?xf32>
    %u = linalg.exp ins(%p : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    %v = tensor.insert_slice %u into %o[%i] [%s] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %v : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.fill"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %0 into %1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.apply_patterns to %new_containing_op {
// CHECK-NEXT:         transform.apply_patterns.canonicalization
// CHECK-NEXT:       } {apply_cse} : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %f, %n = transform.structured.fuse_into_containing_op %g into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %n {
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    transform.yield
  }
}
