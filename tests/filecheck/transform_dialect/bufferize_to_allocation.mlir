// RUN: xgpu-opt --transform-interpreter --split-input-file %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1 + 5)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 + s1 + 10)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @pad(%arg0: tensor<?x10xindex>, %arg1: index, %arg2: index, %arg3: index) -> tensor<?x?xindex> {
// CHECK-NEXT:     %c0 = arith.constant {new} 0 : index
// CHECK-NEXT:     %dim = tensor.dim {new} %arg0, %c0 : tensor<?x10xindex>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim, %arg2] {new}
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg1, %arg3] {new}
// CHECK-NEXT:     %alloc = memref.alloc(%0, %1) {new} : memref<?x?xindex, 3>
// CHECK-NEXT:     %c50 = arith.constant {new} 50 : index
// CHECK-NEXT:     linalg.fill {new} ins(%c50 : index) outs(%alloc : memref<?x?xindex, 3>)
// CHECK-NEXT:     %c0_0 = arith.constant {new} 0 : index
// CHECK-NEXT:     %dim_1 = tensor.dim {new} %arg0, %c0_0 : tensor<?x10xindex>
// CHECK-NEXT:     %subview = memref.subview %alloc[5, %arg1] [%dim_1, 10] [1, 1] {new} : memref<?x?xindex, 3> to memref<?x10xindex, strided<[?, 1], offset: ?>, 3>
// CHECK-NEXT:     bufferization.materialize_in_destination %arg0 in writable %subview {new} : (tensor<?x10xindex>, memref<?x10xindex, strided<[?, 1], offset: ?>, 3>) -> ()
// CHECK-NEXT:     %2 = bufferization.to_tensor %alloc restrict writable {new} : memref<?x?xindex, 3> to tensor<?x?xindex>
// CHECK-NEXT:     memref.dealloc %alloc {new} : memref<?x?xindex, 3>
// CHECK-NEXT:     return %2 : tensor<?x?xindex>
// CHECK-NEXT:   }
func.func @pad(%t: tensor<?x10xindex>, %l2: index, %h1: index, %h2: index) -> tensor<?x?xindex> {
  %0 = tensor.pad %t low[5, %l2] high[%h1, %h2] {
  ^bb0(%arg0: index, %arg1: index):
    %c = arith.constant 50 : index
    tensor.yield %c : index
  } : tensor<?x10xindex> to tensor<?x?xindex>
  return %0 : tensor<?x?xindex>
}
// CHECK-NEXT:   func.func @insert(%arg0: tensor<?x10xindex>, %arg1: index, %arg2: index) -> tensor<?x10xindex> {
// CHECK-NEXT:     %c0 = arith.constant {new} 0 : index
// CHECK-NEXT:     %dim = tensor.dim {new} %arg0, %c0 : tensor<?x10xindex>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) {new} : memref<?x10xindex, 3>
// CHECK-NEXT:     bufferization.materialize_in_destination %arg0 in writable %alloc {new} : (tensor<?x10xindex>, memref<?x10xindex, 3>) -> ()
// CHECK-NEXT:     %0 = bufferization.to_tensor %alloc {new} : memref<?x10xindex, 3> to tensor<?x10xindex>
// CHECK-NEXT:     memref.store %arg2, %alloc[%arg1, %arg1] {new} : memref<?x10xindex, 3>
// CHECK-NEXT:     %1 = bufferization.to_tensor %alloc restrict writable {new} : memref<?x10xindex, 3> to tensor<?x10xindex>
// CHECK-NEXT:     memref.dealloc %alloc {new} : memref<?x10xindex, 3>
// CHECK-NEXT:     return %1 : tensor<?x10xindex>
// CHECK-NEXT:   }
func.func @insert(%t: tensor<?x10xindex>, %idx: index, %v: index) -> tensor<?x10xindex> {
  %r = tensor.insert %v into %t[%idx, %idx] : tensor<?x10xindex>
  return %r : tensor<?x10xindex>
}
// CHECK-NEXT:   func.func @mm(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg1 {new} : tensor<8x8xf32> to memref<8x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     %1 = bufferization.to_buffer %arg0 {new} : tensor<8x8xf32> to memref<8x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     %alloc = memref.alloc() {new} : memref<8x8xf32, 3>
// CHECK-NEXT:     bufferization.materialize_in_destination %arg2 in writable %alloc {new} : (tensor<8x8xf32>, memref<8x8xf32, 3>) -> ()
// CHECK-NEXT:     %2 = bufferization.to_tensor %alloc {new} : memref<8x8xf32, 3> to tensor<8x8xf32>
// CHECK-NEXT:     linalg.matmul {new} ins(%1, %0 : memref<8x8xf32, strided<[?, ?], offset: ?>>, memref<8x8xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<8x8xf32, 3>)
// CHECK-NEXT:     %3 = bufferization.to_tensor %alloc restrict writable {new} : memref<8x8xf32, 3> to tensor<8x8xf32>
// CHECK-NEXT:     memref.dealloc %alloc {new} : memref<8x8xf32, 3>
// CHECK-NEXT:     return %3 : tensor<8x8xf32>
// CHECK-NEXT:   }
func.func @mm(%t: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%t, %b: tensor<8x8xf32>, tensor<8x8xf32>) outs(%c: tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK-NEXT:   func.func @mm2(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 {new} : tensor<8x8xf32> to memref<8x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<8x8xf32>
// CHECK-NEXT:     %alloc = memref.alloc() {new} : memref<8x8xf32, 3>
// CHECK-NEXT:     %2 = bufferization.to_tensor %alloc {new} : memref<8x8xf32, 3> to tensor<8x8xf32>
// CHECK-NEXT:     linalg.copy {new} ins(%0 : memref<8x8xf32, strided<[?, ?], offset: ?>>) outs(%alloc : memref<8x8xf32, 3>)
// CHECK-NEXT:     %3 = bufferization.to_tensor %alloc restrict writable {new} : memref<8x8xf32, 3> to tensor<8x8xf32>
// CHECK-NEXT:     memref.dealloc %alloc {new} : memref<8x8xf32, 3>
// CHECK-NEXT:     return %3 : tensor<8x8xf32>
// CHECK-NEXT:   }
func.func @mm2(%t: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = tensor.empty() : tensor<8x8xf32>
  %r = linalg.copy ins(%t: tensor<8x8xf32>) outs(%c: tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK-NEXT:   func.func @at(%arg0: index) -> tensor<?x8xf32> {
// CHECK-NEXT:     %alloc = memref.alloc(%arg0) {new} : memref<?x8xf32, 3>
// CHECK-NEXT:     %0 = bufferization.to_tensor %alloc restrict writable {new} : memref<?x8xf32, 3> to tensor<?x8xf32>
// CHECK-NEXT:     memref.dealloc %alloc {new} : memref<?x8xf32, 3>
// CHECK-NEXT:     return %0 : tensor<?x8xf32>
// CHECK-NEXT:   }
func.func @at(%s: index) -> tensor<?x8xf32> {
  %c = bufferization.alloc_tensor(%s) : tensor<?x8xf32>
  return %c : tensor<?x8xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["tensor.pad", "tensor.insert", "linalg.matmul", "linalg.copy", "bufferization.alloc_tensor"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %0 {emit_dealloc, memory_space = 3 : i64} : !transform.any_op
// CHECK-NEXT:       transform.annotate %new_ops "new" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.pad", "tensor.insert", "linalg.matmul", "linalg.copy", "bufferization.alloc_tensor"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %b, %new = transform.structured.bufferize_to_allocation %0 {emit_dealloc, memory_space = 3} : !transform.any_op
    transform.annotate %new "new" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @insert(%arg0: tensor<?x10xindex>, %arg1: index, %arg2: index) -> tensor<?x10xindex> {
// CHECK-NEXT:     %c0 = arith.constant {new} 0 : index
// CHECK-NEXT:     %dim = tensor.dim {new} %arg0, %c0 : tensor<?x10xindex>
// CHECK-NEXT:     %alloca = memref.alloca(%dim) {new} : memref<?x10xindex>
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 read_only {new} : tensor<?x10xindex> to memref<?x10xindex, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     linalg.copy {new} ins(%0 : memref<?x10xindex, strided<[?, ?], offset: ?>>) outs(%alloca : memref<?x10xindex>)
// CHECK-NEXT:     %1 = bufferization.to_tensor %alloca restrict writable {new} : memref<?x10xindex> to tensor<?x10xindex>
// CHECK-NEXT:     %inserted = tensor.insert %arg2 into %1[%arg1, %arg1] : tensor<?x10xindex>
// CHECK-NEXT:     return %inserted : tensor<?x10xindex>
// CHECK-NEXT:   }
func.func @insert(%t: tensor<?x10xindex>, %idx: index, %v: index) -> tensor<?x10xindex> {
  %r = tensor.insert %v into %t[%idx, %idx] : tensor<?x10xindex>
  return %r : tensor<?x10xindex>
}
// CHECK-NEXT:   func.func @mm(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT:     %alloca = memref.alloca() {new} : memref<8x8xf32>
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg2 read_only {new} : tensor<8x8xf32> to memref<8x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     linalg.copy {new} ins(%0 : memref<8x8xf32, strided<[?, ?], offset: ?>>) outs(%alloca : memref<8x8xf32>)
// CHECK-NEXT:     %1 = bufferization.to_tensor %alloca restrict writable {new} : memref<8x8xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:     return %2 : tensor<8x8xf32>
// CHECK-NEXT:   }
func.func @mm(%t: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%t, %b: tensor<8x8xf32>, tensor<8x8xf32>) outs(%c: tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK-NEXT:   func.func @mm2(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8x8xf32>
// CHECK-NEXT:     %alloca = memref.alloca() {new} : memref<8x8xf32>
// CHECK-NEXT:     %1 = bufferization.to_tensor %alloca restrict writable {new} : memref<8x8xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %2 = linalg.copy ins(%arg0 : tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:     return %2 : tensor<8x8xf32>
// CHECK-NEXT:   }
func.func @mm2(%t: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = tensor.empty() : tensor<8x8xf32>
  %r = linalg.copy ins(%t: tensor<8x8xf32>) outs(%c: tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK-NEXT:   func.func @at(%arg0: index) -> tensor<?x8xf32> {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor(%arg0) : tensor<?x8xf32>
// CHECK-NEXT:     return %0 : tensor<?x8xf32>
// CHECK-NEXT:   }
func.func @at(%s: index) -> tensor<?x8xf32> {
  %c = bufferization.alloc_tensor(%s) : tensor<?x8xf32>
  return %c : tensor<?x8xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["tensor.insert", "linalg.matmul", "linalg.copy"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %0 {alloc_op = "memref.alloca", bufferize_destination_only, memcpy_op = "linalg.copy"} : !transform.any_op
// CHECK-NEXT:       transform.annotate %new_ops "new" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.insert", "linalg.matmul", "linalg.copy"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %b, %new = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only, memcpy_op = "linalg.copy", alloc_op = "memref.alloca"} : !transform.any_op
    transform.annotate %new "new" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @insert(%arg0: tensor<?x10xindex>, %arg1: index, %arg2: index) -> tensor<?x10xindex> {
// CHECK-NEXT:     %c0 = arith.constant {new} 0 : index
// CHECK-NEXT:     %dim = tensor.dim {new} %arg0, %c0 : tensor<?x10xindex>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) {new} : memref<?x10xindex>
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 read_only {new} : tensor<?x10xindex> to memref<?x10xindex, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     memref.copy %0, %alloc {new} : memref<?x10xindex, strided<[?, ?], offset: ?>> to memref<?x10xindex>
// CHECK-NEXT:     %1 = bufferization.to_tensor %alloc restrict writable {new} : memref<?x10xindex> to tensor<?x10xindex>
// CHECK-NEXT:     %inserted = tensor.insert %arg2 into %1[%arg1, %arg1] : tensor<?x10xindex>
// CHECK-NEXT:     memref.dealloc %alloc {new} : memref<?x10xindex>
// CHECK-NEXT:     return %inserted : tensor<?x10xindex>
// CHECK-NEXT:   }
func.func @insert(%t: tensor<?x10xindex>, %idx: index, %v: index) -> tensor<?x10xindex> {
  %r = tensor.insert %v into %t[%idx, %idx] : tensor<?x10xindex>
  return %r : tensor<?x10xindex>
}
// CHECK-NEXT:   func.func @mm(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT:     %alloc = memref.alloc() {new} : memref<8x8xf32>
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg2 read_only {new} : tensor<8x8xf32> to memref<8x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:     memref.copy %0, %alloc {new} : memref<8x8xf32, strided<[?, ?], offset: ?>> to memref<8x8xf32>
// CHECK-NEXT:     %1 = bufferization.to_tensor %alloc restrict writable {new} : memref<8x8xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:     memref.dealloc %alloc {new} : memref<8x8xf32>
// CHECK-NEXT:     return %2 : tensor<8x8xf32>
// CHECK-NEXT:   }
func.func @mm(%t: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%t, %b: tensor<8x8xf32>, tensor<8x8xf32>) outs(%c: tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK-NEXT:   func.func @mm2(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8x8xf32>
// CHECK-NEXT:     %alloc = memref.alloc() {new} : memref<8x8xf32>
// CHECK-NEXT:     %1 = bufferization.to_tensor %alloc restrict writable {new} : memref<8x8xf32> to tensor<8x8xf32>
// CHECK-NEXT:     %2 = linalg.copy ins(%arg0 : tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:     memref.dealloc %alloc {new} : memref<8x8xf32>
// CHECK-NEXT:     return %2 : tensor<8x8xf32>
// CHECK-NEXT:   }
func.func @mm2(%t: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = tensor.empty() : tensor<8x8xf32>
  %r = linalg.copy ins(%t: tensor<8x8xf32>) outs(%c: tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
// CHECK-NEXT:   func.func @at(%arg0: index) -> tensor<?x8xf32> {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor(%arg0) : tensor<?x8xf32>
// CHECK-NEXT:     return %0 : tensor<?x8xf32>
// CHECK-NEXT:   }
func.func @at(%s: index) -> tensor<?x8xf32> {
  %c = bufferization.alloc_tensor(%s) : tensor<?x8xf32>
  return %c : tensor<?x8xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["tensor.insert", "linalg.matmul", "linalg.copy"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only, emit_dealloc, memcpy_op = "memref.copy"} : !transform.any_op
// CHECK-NEXT:       transform.annotate %new_ops "new" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.insert", "linalg.matmul", "linalg.copy"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %b, %new = transform.structured.bufferize_to_allocation %0 {bufferize_destination_only, memcpy_op = "memref.copy", emit_dealloc} : !transform.any_op
    transform.annotate %new "new" : !transform.any_op
    transform.yield
  }
}
