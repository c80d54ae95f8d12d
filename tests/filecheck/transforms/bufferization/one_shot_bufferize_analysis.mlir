// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true test-analysis-only=true analysis-heuristic=bottom-up-from-terminators check-parallel-regions=false" %s | filecheck %s --match-full-lines --check-prefix=TERMINATORS
// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true no-analysis-func-filter=copies" %s | filecheck %s --match-full-lines --check-prefix=FILTER

// TERMINATORS: module {
// TERMINATORS-NEXT:   func.func @copies(%arg0: tensor<?xf32> {bufferization.access = "read-write"}, %arg1: f32, %arg2: index) -> tensor<?xf32> {
// TERMINATORS-NEXT:     %inserted = tensor.insert %arg1 into %arg0[%arg2] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<?xf32>
// TERMINATORS-NEXT:     %inserted_0 = tensor.insert %arg1 into %inserted[%arg2] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<?xf32>
// TERMINATORS-NEXT:     return {__equivalent_func_args__ = [0], __inplace_operands_attr__ = ["true"]} %inserted_0 : tensor<?xf32>
// TERMINATORS-NEXT:   }
// FILTER: module {
// FILTER-NEXT:   func.func @copies(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<?xf32> {
// FILTER-NEXT:     %c0 = arith.constant 0 : index
// FILTER-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// FILTER-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// FILTER-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// FILTER-NEXT:     %c0_0 = arith.constant 0 : index
// FILTER-NEXT:     %dim_1 = memref.dim %alloc, %c0_0 : memref<?xf32>
// FILTER-NEXT:     %alloc_2 = memref.alloc(%dim_1) {alignment = 64 : i64} : memref<?xf32>
// FILTER-NEXT:     memref.copy %alloc, %alloc_2 : memref<?xf32> to memref<?xf32>
// FILTER-NEXT:     memref.store %arg1, %alloc_2[%arg2] : memref<?xf32>
// FILTER-NEXT:     %cast = memref.cast %alloc_2 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     return %alloc_2 : memref<?xf32>
// FILTER-NEXT:   }
func.func @copies(%t: tensor<?xf32>, %x: f32, %i: index) -> tensor<?xf32> {
  %a = tensor.insert %x into %t[%i] : tensor<?xf32>
  %b = tensor.insert %x into %a[%i] : tensor<?xf32>
  return %b : tensor<?xf32>
}

// TERMINATORS-NEXT:   func.func @branch(%arg0: i1, %arg1: tensor<?xf32> {bufferization.access = "read-write"}, %arg2: f32, %arg3: index) -> tensor<?xf32> {
// TERMINATORS-NEXT:     %0 = scf.if %arg0 -> (tensor<?xf32>) {
// TERMINATORS-NEXT:       %inserted = tensor.insert %arg2 into %arg1[%arg3] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<?xf32>
// TERMINATORS-NEXT:       scf.yield {__inplace_operands_attr__ = ["true"]} %inserted : tensor<?xf32>
// TERMINATORS-NEXT:     } else {
// TERMINATORS-NEXT:       scf.yield {__inplace_operands_attr__ = ["true"]} %arg1 : tensor<?xf32>
// TERMINATORS-NEXT:     }
// TERMINATORS-NEXT:     return {__equivalent_func_args__ = [1], __inplace_operands_attr__ = ["true"]} %0 : tensor<?xf32>
// TERMINATORS-NEXT:   }
// TERMINATORS-NEXT: }
// FILTER-NEXT:   func.func @branch(%arg0: i1, %arg1: memref<?xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index) -> memref<?xf32, strided<[?], offset: ?>> {
// FILTER-NEXT:     %0 = scf.if %arg0 -> (memref<?xf32, strided<[?], offset: ?>>) {
// FILTER-NEXT:       memref.store %arg2, %arg1[%arg3] : memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:       scf.yield %arg1 : memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     } else {
// FILTER-NEXT:       scf.yield %arg1 : memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     }
// FILTER-NEXT:     return %0 : memref<?xf32, strided<[?], offset: ?>>
// FILTER-NEXT:   }
// FILTER-NEXT: }
func.func @branch(%c: i1, %t: tensor<?xf32>, %x: f32, %i: index) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %a = tensor.insert %x into %t[%i] : tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
