// RUN: xgpu-opt --one-shot-bufferize="allow-unknown-ops=true" %s | filecheck %s --match-full-lines --check-prefix=PARTIAL
// RUN: xgpu-opt --one-shot-bufferize="allow-unknown-ops=true dialect-filter=tensor,bufferization" %s | filecheck %s --match-full-lines --check-prefix=FILTER
// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true test-analysis-only=true allow-unknown-ops=true" %s | filecheck %s --match-full-lines --check-prefix=ANALYSIS
// RUN: xgpu-opt --one-shot-bufferize="allow-unknown-ops=true copy-before-write=true buffer-alignment=0" %s | filecheck %s --match-full-lines --check-prefix=COPY
// RUN: xgpu-opt --one-shot-bufferize="allow-unknown-ops=true unknown-type-conversion=identity-layout-map analysis-heuristic=top-down" %s | filecheck %s --match-full-lines --check-prefix=IDENTITY

// PARTIAL: module {
// PARTIAL-NEXT:   func.func @unknown(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index) -> tensor<?xf32> {
// PARTIAL-NEXT:     %0 = arith.negf %arg0 : tensor<?xf32>
// PARTIAL-NEXT:     %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// PARTIAL-NEXT:     %2 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// PARTIAL-NEXT:     %c0 = arith.constant 0 : index
// PARTIAL-NEXT:     %dim = memref.dim %2, %c0 : memref<?xf32, strided<[?], offset: ?>>
// PARTIAL-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// PARTIAL-NEXT:     memref.copy %2, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// PARTIAL-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// PARTIAL-NEXT:     %3 = memref.load %1[%arg2] : memref<?xf32, strided<[?], offset: ?>>
// PARTIAL-NEXT:     linalg.fill ins(%3 : f32) outs(%alloc : memref<?xf32>)
// PARTIAL-NEXT:     %4 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>
// PARTIAL-NEXT:     return %4 : tensor<?xf32>
// PARTIAL-NEXT:   }
// FILTER: module {
// FILTER-NEXT:   func.func @unknown(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index) -> tensor<?xf32> {
// FILTER-NEXT:     %0 = arith.negf %arg0 : tensor<?xf32>
// FILTER-NEXT:     %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     %2 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     %c0 = arith.constant 0 : index
// FILTER-NEXT:     %dim = memref.dim %2, %c0 : memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// FILTER-NEXT:     memref.copy %2, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// FILTER-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// FILTER-NEXT:     %3 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>
// FILTER-NEXT:     %4 = memref.load %1[%arg2] : memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     %5 = linalg.fill ins(%4 : f32) outs(%3 : tensor<?xf32>) -> tensor<?xf32>
// FILTER-NEXT:     return %5 : tensor<?xf32>
// FILTER-NEXT:   }
// ANALYSIS: module {
// ANALYSIS-NEXT:   func.func @unknown(%arg0: tensor<?xf32> {bufferization.access = "read"}, %arg1: f32, %arg2: index) -> tensor<?xf32> {
// ANALYSIS-NEXT:     %0 = arith.negf %arg0 {__inplace_operands_attr__ = ["false"]} : tensor<?xf32>
// ANALYSIS-NEXT:     %inserted = tensor.insert %arg1 into %0[%arg2] {__inplace_operands_attr__ = ["none", "false", "none"]} : tensor<?xf32>
// ANALYSIS-NEXT:     %extracted = tensor.extract %0[%arg2] {__inplace_operands_attr__ = ["true", "none"]} : tensor<?xf32>
// ANALYSIS-NEXT:     %1 = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%extracted : f32) outs(%inserted : tensor<?xf32>) -> tensor<?xf32>
// ANALYSIS-NEXT:     return {__inplace_operands_attr__ = ["true"]} %1 : tensor<?xf32>
// ANALYSIS-NEXT:   }
// COPY: module {
// COPY-NEXT:   func.func @unknown(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index) -> tensor<?xf32> {
// COPY-NEXT:     %0 = arith.negf %arg0 : tensor<?xf32>
// COPY-NEXT:     %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// COPY-NEXT:     %2 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// COPY-NEXT:     %c0 = arith.constant 0 : index
// COPY-NEXT:     %dim = memref.dim %2, %c0 : memref<?xf32, strided<[?], offset: ?>>
// COPY-NEXT:     %alloc = memref.alloc(%dim) : memref<?xf32>
// COPY-NEXT:     memref.copy %2, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// COPY-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// COPY-NEXT:     %3 = memref.load %1[%arg2] : memref<?xf32, strided<[?], offset: ?>>
// COPY-NEXT:     %c0_0 = arith.constant 0 : index
// COPY-NEXT:     %dim_1 = memref.dim %alloc, %c0_0 : memref<?xf32>
// COPY-NEXT:     %alloc_2 = memref.alloc(%dim_1) : memref<?xf32>
// COPY-NEXT:     linalg.fill ins(%3 : f32) outs(%alloc_2 : memref<?xf32>)
// COPY-NEXT:     %4 = bufferization.to_tensor %alloc_2 : memref<?xf32> to tensor<?xf32>
// COPY-NEXT:     return %4 : tensor<?xf32>
// COPY-NEXT:   }
// IDENTITY: module {
// IDENTITY-NEXT:   func.func @unknown(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index) -> tensor<?xf32> {
// IDENTITY-NEXT:     %0 = arith.negf %arg0 : tensor<?xf32>
// IDENTITY-NEXT:     %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
// IDENTITY-NEXT:     %2 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
// IDENTITY-NEXT:     %c0 = arith.constant 0 : index
// IDENTITY-NEXT:     %dim = memref.dim %2, %c0 : memref<?xf32>
// IDENTITY-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// IDENTITY-NEXT:     memref.copy %2, %alloc : memref<?xf32> to memref<?xf32>
// IDENTITY-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// IDENTITY-NEXT:     %3 = memref.load %1[%arg2] : memref<?xf32>
// IDENTITY-NEXT:     linalg.fill ins(%3 : f32) outs(%alloc : memref<?xf32>)
// IDENTITY-NEXT:     %4 = bufferization.to_tensor %alloc : memref<?xf32> to tensor<?xf32>
// IDENTITY-NEXT:     return %4 : tensor<?xf32>
// IDENTITY-NEXT:   }
func.func @unknown(%t: tensor<?xf32>, %x: f32, %i: index) -> tensor<?xf32> {
  %u = arith.negf %t : tensor<?xf32>
  %a = tensor.insert %x into %u[%i] : tensor<?xf32>
  %e = tensor.extract %u[%i] : tensor<?xf32>
  %b = linalg.fill ins(%e : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// PARTIAL-NEXT:   func.func @destination(%arg0: f32, %arg1: memref<8xf32>) {
// PARTIAL-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// PARTIAL-NEXT:     linalg.fill ins(%arg0 : f32) outs(%alloc : memref<8xf32>)
// PARTIAL-NEXT:     memref.copy %alloc, %arg1 : memref<8xf32> to memref<8xf32>
// PARTIAL-NEXT:     return
// PARTIAL-NEXT:   }
// FILTER-NEXT:   func.func @destination(%arg0: f32, %arg1: memref<8xf32>) {
// FILTER-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// FILTER-NEXT:     %0 = bufferization.to_tensor %alloc : memref<8xf32> to tensor<8xf32>
// FILTER-NEXT:     %1 = linalg.fill ins(%arg0 : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
// FILTER-NEXT:     %2 = bufferization.to_buffer %1 : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     memref.copy %2, %arg1 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// FILTER-NEXT:     return
// FILTER-NEXT:   }
// ANALYSIS-NEXT:   func.func @destination(%arg0: f32, %arg1: memref<8xf32>) {
// ANALYSIS-NEXT:     %0 = tensor.empty() : tensor<8xf32>
// ANALYSIS-NEXT:     %1 = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%arg0 : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
// ANALYSIS-NEXT:     bufferization.materialize_in_destination %1 in restrict writable %arg1 {__inplace_operands_attr__ = ["true", "none"]} : (tensor<8xf32>, memref<8xf32>) -> ()
// ANALYSIS-NEXT:     return
// ANALYSIS-NEXT:   }
// COPY-NEXT:   func.func @destination(%arg0: f32, %arg1: memref<8xf32>) {
// COPY-NEXT:     %alloc = memref.alloc() : memref<8xf32>
// COPY-NEXT:     linalg.fill ins(%arg0 : f32) outs(%alloc : memref<8xf32>)
// COPY-NEXT:     memref.copy %alloc, %arg1 : memref<8xf32> to memref<8xf32>
// COPY-NEXT:     return
// COPY-NEXT:   }
// IDENTITY-NEXT:   func.func @destination(%arg0: f32, %arg1: memref<8xf32>) {
// IDENTITY-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// IDENTITY-NEXT:     linalg.fill ins(%arg0 : f32) outs(%alloc : memref<8xf32>)
// IDENTITY-NEXT:     memref.copy %alloc, %arg1 : memref<8xf32> to memref<8xf32>
// IDENTITY-NEXT:     return
// IDENTITY-NEXT:   }
func.func @destination(%x: f32, %m: memref<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// PARTIAL-NEXT:   func.func @given(%arg0: memref<8xf32>, %arg1: f32, %arg2: index) -> f32 {
// PARTIAL-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<8xf32>
// PARTIAL-NEXT:     %0 = memref.load %arg0[%arg2] : memref<8xf32>
// PARTIAL-NEXT:     return %0 : f32
// PARTIAL-NEXT:   }
// PARTIAL-NEXT: }
// FILTER-NEXT:   func.func @given(%arg0: memref<8xf32>, %arg1: f32, %arg2: index) -> f32 {
// FILTER-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<8xf32>
// FILTER-NEXT:     %0 = memref.load %arg0[%arg2] : memref<8xf32>
// FILTER-NEXT:     return %0 : f32
// FILTER-NEXT:   }
// FILTER-NEXT: }
// ANALYSIS-NEXT:   func.func @given(%arg0: memref<8xf32>, %arg1: f32, %arg2: index) -> f32 {
// ANALYSIS-NEXT:     %0 = bufferization.to_tensor %arg0 restrict writable : memref<8xf32> to tensor<8xf32>
// ANALYSIS-NEXT:     %inserted = tensor.insert %arg1 into %0[%arg2] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// ANALYSIS-NEXT:     %extracted = tensor.extract %inserted[%arg2] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32>
// ANALYSIS-NEXT:     return %extracted : f32
// ANALYSIS-NEXT:   }
// ANALYSIS-NEXT: }
// COPY-NEXT:   func.func @given(%arg0: memref<8xf32>, %arg1: f32, %arg2: index) -> f32 {
// COPY-NEXT:     %alloc = memref.alloc() : memref<8xf32>
// COPY-NEXT:     memref.copy %arg0, %alloc : memref<8xf32> to memref<8xf32>
// COPY-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<8xf32>
// COPY-NEXT:     %0 = memref.load %alloc[%arg2] : memref<8xf32>
// COPY-NEXT:     return %0 : f32
// COPY-NEXT:   }
// COPY-NEXT: }
// IDENTITY-NEXT:   func.func @given(%arg0: memref<8xf32>, %arg1: f32, %arg2: index) -> f32 {
// IDENTITY-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<8xf32>
// IDENTITY-NEXT:     %0 = memref.load %arg0[%arg2] : memref<8xf32>
// IDENTITY-NEXT:     return %0 : f32
// IDENTITY-NEXT:   }
// IDENTITY-NEXT: }
func.func @given(%m: memref<8xf32>, %x: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %a = tensor.insert %x into %t[%i] : tensor<8xf32>
  %e = tensor.extract %a[%i] : tensor<8xf32>
  return %e : f32
}
