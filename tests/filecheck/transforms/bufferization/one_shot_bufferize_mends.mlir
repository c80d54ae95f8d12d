// RUN: xgpu-opt %s --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops" --drop-equivalent-buffer-results --canonicalize --allow-unregistered-dialect --split-input-file | filecheck %s --match-full-lines

// An unknown function gets a buffer and may write it: a copy.
// CHECK: module {
// CHECK-NEXT:   func.func @escapes(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// CHECK-NEXT:     "keeps"(%alloc) : (memref<?xf32>) -> ()
// CHECK-NEXT:     %0 = memref.load %arg0[%arg1] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @escapes(%t: tensor<?xf32> {bufferization.writable = true}, %i: index) -> f32 {
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  "keeps"(%0) : (memref<?xf32>) -> ()
  %1 = tensor.extract %t[%i] : tensor<?xf32>
  return %1 : f32
}

// -----

// Functions of a nested module are not analyzed here.
// CHECK: module {
// CHECK-NEXT:   func.func @outside(%arg0: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     return %arg0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @outside(%t: tensor<4xf32>) -> tensor<4xf32> {
  return %t : tensor<4xf32>
}
// CHECK-NEXT:   module @inside {
// CHECK-NEXT:     func.func @inside(%arg0: tensor<4xf32> {bufferization.writable = false}, %arg1: f32, %arg2: index) -> tensor<4xf32> {
// CHECK-NEXT:       %inserted = tensor.insert %arg1 into %arg0[%arg2] : tensor<4xf32>
// CHECK-NEXT:       return %inserted : tensor<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module @inside {
  func.func @inside(%t: tensor<4xf32> {bufferization.writable = false}, %f: f32, %i: index) -> tensor<4xf32> {
    %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Both returns give the argument back.
func.func private @two_returns(%t: tensor<?xf32>, %c: i1, %a: index, %b: index) -> (tensor<?xf32>, index) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %t, %a : tensor<?xf32>, index
^bb2:
  return %t, %b : tensor<?xf32>, index
}
func.func @calls(%t: tensor<?xf32>, %c: i1, %a: index, %b: index) -> (tensor<?xf32>, index) {
  %0:2 = call @two_returns(%t, %c, %a, %b) : (tensor<?xf32>, i1, index, index) -> (tensor<?xf32>, index)
  return %0#0, %0#1 : tensor<?xf32>, index
}

// CHECK: module {
// CHECK-NEXT:   func.func private @two_returns(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: i1, %arg2: index, %arg3: index) -> index {
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     return %arg2 : index
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     return %arg3 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @calls(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: i1, %arg2: index, %arg3: index) -> (memref<?xf32, strided<[?], offset: ?>>, index) {
// CHECK-NEXT:     %0 = call @two_returns(%arg0, %arg1, %arg2, %arg3) : (memref<?xf32, strided<[?], offset: ?>>, i1, index, index) -> index
// CHECK-NEXT:     return %arg0, %0 : memref<?xf32, strided<[?], offset: ?>>, index
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// A loop of one iteration writes its tensor where it stands.
// CHECK: module {
// CHECK-NEXT:   func.func @onto_itself(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<?xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:     %subview = memref.subview %arg0[0] [%dim] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     memref.copy %arg0, %subview : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %arg0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @onto_itself(%t: tensor<?xf32> {bufferization.writable = true}, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %0 = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<?xf32>) {
    %1 = linalg.fill ins(%f : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}
