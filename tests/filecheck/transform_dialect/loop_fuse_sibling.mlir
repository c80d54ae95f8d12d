// RUN: xgpu-opt --transform-interpreter --split-input-file --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<128xf32>, %arg1: tensor<128xf32>, %arg2: index, %arg3: index, %arg4: index) -> (tensor<128xf32>, tensor<128xf32>, index) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     "mid"() : () -> ()
// CHECK-NEXT:     %0:3 = scf.for %arg5 = %arg2 to %arg3 step %arg4 iter_args(%arg6 = %arg0, %arg7 = %arg2, %arg8 = %arg1) -> (tensor<128xf32>, index, tensor<128xf32>) {
// CHECK-NEXT:       %inserted = tensor.insert %cst into %arg6[%arg5] : tensor<128xf32>
// CHECK-NEXT:       %inserted_0 = tensor.insert %cst into %arg8[%arg5] : tensor<128xf32>
// CHECK-NEXT:       scf.yield %inserted, %arg5, %inserted_0 : tensor<128xf32>, index, tensor<128xf32>
// CHECK-NEXT:     } {fused}
// CHECK-NEXT:     "after"() : () -> ()
// CHECK-NEXT:     return %0#0, %0#2, %0#1 : tensor<128xf32>, tensor<128xf32>, index
// CHECK-NEXT:   }
func.func @f(%A: tensor<128xf32>, %B: tensor<128xf32>, %c0: index, %ub: index, %c1: index) -> (tensor<128xf32>, tensor<128xf32>, index) {
  %cst = arith.constant 0.0 : f32
  %1, %k = scf.for %i = %c0 to %ub step %c1 iter_args(%a = %A, %kk = %c0) -> (tensor<128xf32>, index) {
    %6 = tensor.insert %cst into %a[%i] : tensor<128xf32>
    scf.yield %6, %i : tensor<128xf32>, index
  }
  "mid"() : () -> ()
  %2 = scf.for %i = %c0 to %ub step %c1 iter_args(%a = %B) -> (tensor<128xf32>) {
    %6 = tensor.insert %cst into %a[%i] : tensor<128xf32>
    scf.yield %6 : tensor<128xf32>
  }
  "after"() : () -> ()
  return %1, %2, %k : tensor<128xf32>, tensor<128xf32>, index
}
// CHECK-NEXT:   func.func @g(%arg0: memref<128xf32>, %arg1: index, %arg2: index, %arg3: index) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     "before"() : () -> ()
// CHECK-NEXT:     "mid"() : () -> ()
// CHECK-NEXT:     scf.for %arg4 = %arg1 to %arg2 step %arg3 {
// CHECK-NEXT:       memref.store %cst, %arg0[%arg4] : memref<128xf32>
// CHECK-NEXT:       memref.store %cst, %arg0[%arg4] : memref<128xf32>
// CHECK-NEXT:     } {fused}
// CHECK-NEXT:     "after"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @g(%A: memref<128xf32>, %c0: index, %ub: index, %c1: index) {
  %cst = arith.constant 0.0 : f32
  "before"() : () -> ()
  scf.for %i = %c0 to %ub step %c1 {
    memref.store %cst, %A[%i] : memref<128xf32>
  }
  "mid"() : () -> ()
  scf.for %i = %c0 to %ub step %c1 {
    memref.store %cst, %A[%i] : memref<128xf32>
  }
  "after"() : () -> ()
  return
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.foreach %0 : !transform.any_op {
// CHECK-NEXT:       ^bb0(%arg1: !transform.any_op):
// CHECK-NEXT:         %1 = transform.structured.match ops{["scf.for"]} in %arg1 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:         %2:2 = transform.split_handle %1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:         %3 = transform.loop.fuse_sibling %2#0 into %2#1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
// CHECK-NEXT:         transform.annotate %3 "fused" : !transform.any_op
// CHECK-NEXT:       }
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.foreach %fs : !transform.any_op {
    ^bb0(%f: !transform.any_op):
    %0 = transform.structured.match ops{["scf.for"]} in %f : (!transform.any_op) -> !transform.any_op
    %for:2 = transform.split_handle %0 :  (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused = transform.loop.fuse_sibling %for#0 into %for#1 : (!transform.any_op,!transform.any_op) ->  !transform.any_op
    transform.annotate %fused "fused" : !transform.any_op
    }
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<128xf32>, %arg1: tensor<128xf32>, %arg2: index, %arg3: index, %arg4: index) -> (tensor<128xf32>, tensor<128xf32>, index) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0:3 = scf.for %arg5 = %arg2 to %arg3 step %arg4 iter_args(%arg6 = %arg1, %arg7 = %arg0, %arg8 = %arg2) -> (tensor<128xf32>, tensor<128xf32>, index) {
// CHECK-NEXT:       %inserted = tensor.insert %cst into %arg6[%arg5] : tensor<128xf32>
// CHECK-NEXT:       %inserted_0 = tensor.insert %cst into %arg7[%arg5] : tensor<128xf32>
// CHECK-NEXT:       scf.yield %inserted, %inserted_0, %arg5 : tensor<128xf32>, tensor<128xf32>, index
// CHECK-NEXT:     } {fused}
// CHECK-NEXT:     "mid"() : () -> ()
// CHECK-NEXT:     "after"() : () -> ()
// CHECK-NEXT:     return %0#1, %0#0, %0#2 : tensor<128xf32>, tensor<128xf32>, index
// CHECK-NEXT:   }
func.func @f(%A: tensor<128xf32>, %B: tensor<128xf32>, %c0: index, %ub: index, %c1: index) -> (tensor<128xf32>, tensor<128xf32>, index) {
  %cst = arith.constant 0.0 : f32
  %1, %k = scf.for %i = %c0 to %ub step %c1 iter_args(%a = %A, %kk = %c0) -> (tensor<128xf32>, index) {
    %6 = tensor.insert %cst into %a[%i] : tensor<128xf32>
    scf.yield %6, %i : tensor<128xf32>, index
  }
  "mid"() : () -> ()
  %2 = scf.for %i = %c0 to %ub step %c1 iter_args(%a = %B) -> (tensor<128xf32>) {
    %6 = tensor.insert %cst into %a[%i] : tensor<128xf32>
    scf.yield %6 : tensor<128xf32>
  }
  "after"() : () -> ()
  return %1, %2, %k : tensor<128xf32>, tensor<128xf32>, index
}
// CHECK-NEXT:   func.func @g(%arg0: memref<128xf32>, %arg1: index, %arg2: index, %arg3: index) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     "before"() : () -> ()
// CHECK-NEXT:     scf.for %arg4 = %arg1 to %arg2 step %arg3 {
// CHECK-NEXT:       memref.store %cst, %arg0[%arg4] : memref<128xf32>
// CHECK-NEXT:       memref.store %cst, %arg0[%arg4] : memref<128xf32>
// CHECK-NEXT:     } {fused}
// CHECK-NEXT:     "mid"() : () -> ()
// CHECK-NEXT:     "after"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @g(%A: memref<128xf32>, %c0: index, %ub: index, %c1: index) {
  %cst = arith.constant 0.0 : f32
  "before"() : () -> ()
  scf.for %i = %c0 to %ub step %c1 {
    memref.store %cst, %A[%i] : memref<128xf32>
  }
  "mid"() : () -> ()
  scf.for %i = %c0 to %ub step %c1 {
    memref.store %cst, %A[%i] : memref<128xf32>
  }
  "after"() : () -> ()
  return
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.foreach %0 : !transform.any_op {
// CHECK-NEXT:       ^bb0(%arg1: !transform.any_op):
// CHECK-NEXT:         %1 = transform.structured.match ops{["scf.for"]} in %arg1 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:         %2:2 = transform.split_handle %1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:         %3 = transform.loop.fuse_sibling %2#1 into %2#0 : (!transform.any_op, !transform.any_op) -> !transform.any_op
// CHECK-NEXT:         transform.annotate %3 "fused" : !transform.any_op
// CHECK-NEXT:       }
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.foreach %fs : !transform.any_op {
    ^bb0(%f: !transform.any_op):
    %0 = transform.structured.match ops{["scf.for"]} in %f : (!transform.any_op) -> !transform.any_op
    %for:2 = transform.split_handle %0 :  (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused = transform.loop.fuse_sibling %for#1 into %for#0 : (!transform.any_op,!transform.any_op) ->  !transform.any_op
    transform.annotate %fused "fused" : !transform.any_op
    }
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<128xf32>, %arg1: tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : tensor<1xf32>
// CHECK-NEXT:     "mid"() : () -> ()
// CHECK-NEXT:     %0:2 = scf.forall (%arg2) in (128) shared_outs(%arg3 = %arg0, %arg4 = %arg1) -> (tensor<128xf32>, tensor<128xf32>) {
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg3[%arg2] [1] [1] : tensor<128xf32> to tensor<1xf32>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg4[%arg2] [1] [1] : tensor<128xf32> to tensor<1xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %extracted_slice into %arg3[%arg2] [1] [1] : tensor<1xf32> into tensor<128xf32>
// CHECK-NEXT:         tensor.parallel_insert_slice %extracted_slice_0 into %arg4[%arg2] [1] [1] : tensor<1xf32> into tensor<128xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {fused, mapping = [#gpu.thread<x>]}
// CHECK-NEXT:     return %0#0, %0#1 : tensor<128xf32>, tensor<128xf32>
// CHECK-NEXT:   }
func.func @f(%A: tensor<128xf32>, %B: tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %cst = arith.constant dense<0.0> : tensor<1xf32>
  %1 = scf.forall (%i) in (128) shared_outs(%a = %A) -> (tensor<128xf32>) {
    %6 = tensor.extract_slice %a[%i][1][1] : tensor<128xf32> to tensor<1xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %6 into %a[%i][1][1] : tensor<1xf32> into tensor<128xf32> }
  } {mapping = [#gpu.thread<x>]}
  "mid"() : () -> ()
  %2 = scf.forall (%i) in (128) shared_outs(%a = %B) -> (tensor<128xf32>) {
    %6 = tensor.extract_slice %a[%i][1][1] : tensor<128xf32> to tensor<1xf32>
    scf.forall.in_parallel { tensor.parallel_insert_slice %6 into %a[%i][1][1] : tensor<1xf32> into tensor<128xf32> }
  } {mapping = [#gpu.thread<x>]}
  return %1, %2 : tensor<128xf32>, tensor<128xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.foreach %0 : !transform.any_op {
// CHECK-NEXT:       ^bb0(%arg1: !transform.any_op):
// CHECK-NEXT:         %1 = transform.structured.match ops{["scf.forall"]} in %arg1 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:         %2:2 = transform.split_handle %1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:         %3 = transform.loop.fuse_sibling %2#0 into %2#1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
// CHECK-NEXT:         transform.annotate %3 "fused" : !transform.any_op
// CHECK-NEXT:       }
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %fs = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.foreach %fs : !transform.any_op {
    ^bb0(%f: !transform.any_op):
    %0 = transform.structured.match ops{["scf.forall"]} in %f : (!transform.any_op) -> !transform.any_op
    %for:2 = transform.split_handle %0 :  (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused = transform.loop.fuse_sibling %for#0 into %for#1 : (!transform.any_op,!transform.any_op) ->  !transform.any_op
    transform.annotate %fused "fused" : !transform.any_op
    }
    transform.yield
  }
}
