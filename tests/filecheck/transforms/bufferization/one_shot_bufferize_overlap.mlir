// RUN: xgpu-opt %s --one-shot-bufferize="bufferize-function-boundaries" --canonicalize | filecheck %s --match-full-lines

// Elements move by one: a copy onto itself would read what it has written (MLIR makes that copy).
// CHECK: module {
// CHECK-NEXT:   func.func @shifted(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:     linalg.fill ins(%arg1 : f32) outs(%alloc : memref<?xf32>)
// CHECK-NEXT:     %subview = memref.subview %arg0[1] [%arg2] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     memref.copy %alloc, %subview : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %arg0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @shifted(%t: tensor<?xf32> {bufferization.writable = true}, %f: f32, %n: index) -> tensor<?xf32> {
  %0 = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<?xf32>) {
    %1 = linalg.fill ins(%f : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[1] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}
