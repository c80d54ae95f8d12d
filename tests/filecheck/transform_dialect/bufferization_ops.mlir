// RUN: xgpu-opt --transform-interpreter --split-input-file %s | filecheck %s --match-full-lines

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.copy"]} in %0 : (!transform.any_op) -> !transform.any_op
    transform.annotate %1 "found" : !transform.any_op
    transform.yield
  }
  func.func @f(%t: tensor<?xf32>, %x: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
    %a = tensor.insert %x into %t[%i] : tensor<?xf32>
    return %a, %t : tensor<?xf32>, tensor<?xf32>
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
// CHECK-NEXT:     %0 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %arg0 {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.match ops{["linalg.copy"]} in %0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.annotate %1 "found" : !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf32>, %arg1: f32, %arg2: index) -> (memref<?xf32>, memref<?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:     linalg.copy {found} ins(%arg0 : memref<?xf32>) outs(%alloc : memref<?xf32>)
// CHECK-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// CHECK-NEXT:     return %alloc, %arg0 : memref<?xf32>, memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.bufferization.eliminate_empty_tensors %root : !transform.any_op
    %0 = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.cast %0 : !transform.any_op to !transform.op<"tensor.empty">
    %2 = transform.bufferization.empty_tensor_to_alloc_tensor %1 : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    transform.annotate %2 "new" : !transform.op<"bufferization.alloc_tensor">
    transform.yield
  }
  func.func @f(%t: tensor<?xf32>, %x: f32, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %r = tensor.insert_slice %f into %t[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    %g = tensor.empty(%n) : tensor<?xf32>
    return %r, %g : tensor<?xf32>, tensor<?xf32>
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     transform.bufferization.eliminate_empty_tensors %arg0 : !transform.any_op
// CHECK-NEXT:     %0 = transform.structured.match ops{["tensor.empty"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.cast %0 : !transform.any_op to !transform.op<"tensor.empty">
// CHECK-NEXT:     %2 = transform.bufferization.empty_tensor_to_alloc_tensor %1 : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
// CHECK-NEXT:     transform.annotate %2 "new" : !transform.op<"bufferization.alloc_tensor">
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @f(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0] [%arg2] [1] : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:     %0 = bufferization.alloc_tensor(%arg2) {new} : tensor<?xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%arg1 : f32) outs(%extracted_slice : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %1 into %arg0[0] [%arg2] [1] : tensor<?xf32> into tensor<?xf32>
// CHECK-NEXT:     %2 = bufferization.alloc_tensor(%arg2) {new} : tensor<?xf32>
// CHECK-NEXT:     return %inserted_slice, %2 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
