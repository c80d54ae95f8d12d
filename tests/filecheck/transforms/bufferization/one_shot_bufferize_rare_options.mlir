// RUN: xgpu-opt "--one-shot-bufferize=bufferize-function-boundaries test-analysis-only print-conflicts dump-alias-sets analysis-heuristic=fuzzer analysis-fuzzer-seed=7" %s | filecheck %s --match-full-lines --check-prefix=ANALYSIS
// RUN: xgpu-opt "--one-shot-bufferize=bufferize-function-boundaries use-encoding-for-memory-space check-parallel-regions=false" %s | filecheck %s --match-full-lines --check-prefix=SPACE
// RUN: xgpu-opt "--one-shot-bufferize=bufferize-function-boundaries no-analysis-func-filter=overwritten" %s | filecheck %s --match-full-lines --check-prefix=FILTER

// ANALYSIS: module {
// ANALYSIS-NEXT:   func.func @overwritten(%arg0: tensor<8xf32> {bufferization.access = "read-write"}, %arg1: f32, %arg2: index) -> (tensor<8xf32>, tensor<8xf32>) attributes {"C_0[DEF: bbArg 0]", __bbarg_alias_set_attr__ = {{\[\[}}{{\[\[}}"%inserted_0", "%arg0"]]]]} {
// ANALYSIS-NEXT:     %inserted = tensor.insert %arg1 into %arg0[%arg2] {"C_0[CONFL-WRITE: 1]", __inplace_operands_attr__ = ["none", "false", "none"], __opresult_alias_set_attr__ = {{\[\[}}"%inserted"]]} : tensor<8xf32>
// ANALYSIS-NEXT:     %inserted_0 = tensor.insert %arg1 into %arg0[%arg2] {"C_0[READ: 1]", __inplace_operands_attr__ = ["none", "true", "none"], __opresult_alias_set_attr__ = {{\[\[}}"%inserted_0", "%arg0"]]} : tensor<8xf32>
// ANALYSIS-NEXT:     return {__equivalent_func_args__ = [-1, 0], __inplace_operands_attr__ = ["true", "true"]} %inserted, %inserted_0 : tensor<8xf32>, tensor<8xf32>
// ANALYSIS-NEXT:   }
// SPACE: module {
// SPACE-NEXT:   func.func @overwritten(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>) {
// SPACE-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// SPACE-NEXT:     memref.copy %arg0, %alloc : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// SPACE-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<8xf32>
// SPACE-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<8xf32, strided<[?], offset: ?>>
// SPACE-NEXT:     %cast = memref.cast %alloc : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// SPACE-NEXT:     return %alloc, %arg0 : memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>
// SPACE-NEXT:   }
// FILTER: module {
// FILTER-NEXT:   func.func @overwritten(%arg0: memref<8xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<8xf32>, memref<8xf32>) {
// FILTER-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// FILTER-NEXT:     memref.copy %arg0, %alloc : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// FILTER-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<8xf32>
// FILTER-NEXT:     %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// FILTER-NEXT:     memref.copy %arg0, %alloc_0 : memref<8xf32, strided<[?], offset: ?>> to memref<8xf32>
// FILTER-NEXT:     memref.store %arg1, %alloc_0[%arg2] : memref<8xf32>
// FILTER-NEXT:     %cast = memref.cast %alloc : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     %cast_1 = memref.cast %alloc_0 : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// FILTER-NEXT:     return %alloc, %alloc_0 : memref<8xf32>, memref<8xf32>
// FILTER-NEXT:   }
func.func @overwritten(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// ANALYSIS-NEXT:   func.func @fresh(%arg0: f32, %arg1: index) -> f32 {
// ANALYSIS-NEXT:     %0 = tensor.empty() {__opresult_alias_set_attr__ = {{\[\[}}"%inserted", "%0"]]} : tensor<8xf32>
// ANALYSIS-NEXT:     %inserted = tensor.insert %arg0 into %0[%arg1] {__inplace_operands_attr__ = ["none", "true", "none"], __opresult_alias_set_attr__ = {{\[\[}}"%inserted", "%0"]]} : tensor<8xf32>
// ANALYSIS-NEXT:     %extracted = tensor.extract %inserted[%arg1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32>
// ANALYSIS-NEXT:     return %extracted : f32
// ANALYSIS-NEXT:   }
// ANALYSIS-NEXT: }
// SPACE-NEXT:   func.func @fresh(%arg0: f32, %arg1: index) -> f32 {
// SPACE-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// SPACE-NEXT:     memref.store %arg0, %alloc[%arg1] : memref<8xf32>
// SPACE-NEXT:     %0 = memref.load %alloc[%arg1] : memref<8xf32>
// SPACE-NEXT:     return %0 : f32
// SPACE-NEXT:   }
// SPACE-NEXT: }
// FILTER-NEXT:   func.func @fresh(%arg0: f32, %arg1: index) -> f32 {
// FILTER-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// FILTER-NEXT:     memref.store %arg0, %alloc[%arg1] : memref<8xf32>
// FILTER-NEXT:     %0 = memref.load %alloc[%arg1] : memref<8xf32>
// FILTER-NEXT:     return %0 : f32
// FILTER-NEXT:   }
// FILTER-NEXT: }
func.func @fresh(%f: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert %f into %e[%i] : tensor<8xf32>
  %1 = tensor.extract %0[%i] : tensor<8xf32>
  return %1 : f32
}

