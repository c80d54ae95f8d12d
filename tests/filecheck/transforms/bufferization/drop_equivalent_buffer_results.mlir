// RUN: xgpu-opt --drop-equivalent-buffer-results %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @first(%arg0: memref<?xf32>, %arg1: memref<?xf32>) -> (index, memref<?xf32>) {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %alloc = memref.alloc(%c3) : memref<?xf32>
// CHECK-NEXT:     return %c3, %alloc : index, memref<?xf32>
// CHECK-NEXT:   }
func.func private @first(%m: memref<?xf32>, %n: memref<?xf32>) -> (memref<?xf32, strided<[?], offset: ?>>, index, memref<?xf32>) {
  %c = arith.constant 3 : index
  %d = memref.cast %m : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %a = memref.alloc(%c) : memref<?xf32>
  return %d, %c, %a : memref<?xf32, strided<[?], offset: ?>>, index, memref<?xf32>
}

// CHECK-NEXT:   func.func @public(%arg0: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:     %0:2 = call @first(%arg0, %arg0) : (memref<?xf32>, memref<?xf32>) -> (index, memref<?xf32>)
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %cast_0 = memref.cast %cast : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// CHECK-NEXT:     memref.copy %0#1, %cast_0 : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:     return %arg0 : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @public(%m: memref<?xf32>) -> memref<?xf32> {
  %r:3 = call @first(%m, %m) : (memref<?xf32>, memref<?xf32>) -> (memref<?xf32, strided<[?], offset: ?>>, index, memref<?xf32>)
  %c = memref.cast %r#0 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
  memref.copy %r#2, %c : memref<?xf32> to memref<?xf32>
  return %m : memref<?xf32>
}
