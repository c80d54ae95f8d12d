// RUN: xgpu-opt --one-shot-bufferize="use-encoding-for-memory-space=true bufferize-function-boundaries=true" %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @encoded(%arg0: memref<8xf32, strided<[?], offset: ?>, 3 : i32>, %arg1: f32) -> memref<8xf32, 3 : i32> {
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32, 3 : i32>
// CHECK-NEXT:     linalg.fill ins(%arg1 : f32) outs(%alloc : memref<8xf32, 3 : i32>)
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<8xf32, 3 : i32> to memref<8xf32, strided<[?], offset: ?>, 3 : i32>
// CHECK-NEXT:     return %alloc : memref<8xf32, 3 : i32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @encoded(%t: tensor<8xf32, 3 : i32>, %x: f32) -> tensor<8xf32, 3 : i32> {
  %e = tensor.empty() : tensor<8xf32, 3 : i32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32, 3 : i32>) -> tensor<8xf32, 3 : i32>
  return %f : tensor<8xf32, 3 : i32>
}
