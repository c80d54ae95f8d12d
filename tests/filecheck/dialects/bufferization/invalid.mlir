// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @conditions(%m: memref<2xf32>, %c: i1) {
  // expected-error@+1 {{must have the same number of conditions as memrefs to deallocate}}
  %0 = "bufferization.dealloc"(%m, %c, %c, %m) <{operandSegmentSizes = array<i32: 1, 2, 1>}> : (memref<2xf32>, i1, i1, memref<2xf32>) -> i1
  return
}

// -----

func.func @results(%m: memref<2xf32>, %c: i1) {
  // expected-error@+1 {{must have the same number of updated conditions (results) as retained operands}}
  %0:2 = "bufferization.dealloc"(%m, %c, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<2xf32>, i1, memref<2xf32>) -> (i1, i1)
  return
}
