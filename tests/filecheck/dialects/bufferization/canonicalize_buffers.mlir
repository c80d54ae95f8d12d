// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @a(%arg0: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:     return %arg0 : memref<?xf32>
// CHECK-NEXT:   }
func.func @a(%m: memref<?xf32>) -> memref<?xf32> {
  %t = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  return %b : memref<?xf32>
}
// CHECK-NEXT:   func.func @b(%arg0: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:     return %arg0 : tensor<?xf32>
// CHECK-NEXT:   }
func.func @b(%t: tensor<?xf32>) -> tensor<?xf32> {
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %u = bufferization.to_tensor %b restrict : memref<?xf32> to tensor<?xf32>
  return %u : tensor<?xf32>
}
// CHECK-NEXT:   func.func @c(%arg0: memref<?xf32, strided<[1], offset: 3>>) -> memref<?xf32, strided<[1], offset: ?>> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<?xf32, strided<[1], offset: 3>> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     return %cast : memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:   }
func.func @c(%m: memref<?xf32, strided<[1], offset: 3>>) -> memref<?xf32, strided<[1], offset: ?>> {
  %t = bufferization.to_tensor %m restrict : memref<?xf32, strided<[1], offset: 3>> to tensor<?xf32>
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %b : memref<?xf32, strided<[1], offset: ?>>
}
// CHECK-NEXT:   func.func @d(%arg0: memref<?xf32, strided<[1], offset: ?>>) -> memref<?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) : memref<?xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32>
// CHECK-NEXT:     return %alloc : memref<?xf32>
// CHECK-NEXT:   }
func.func @d(%m: memref<?xf32, strided<[1], offset: ?>>) -> memref<?xf32> {
  %t = bufferization.to_tensor %m restrict : memref<?xf32, strided<[1], offset: ?>> to tensor<?xf32>
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  return %b : memref<?xf32>
}
// CHECK-NEXT:   func.func @e(%arg0: tensor<?xf32>, %arg1: index) -> f32 {
// CHECK-NEXT:     %extracted = tensor.extract %arg0[%arg1] : tensor<?xf32>
// CHECK-NEXT:     return %extracted : f32
// CHECK-NEXT:   }
func.func @e(%t: tensor<?xf32>, %i: index) -> f32 {
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %u = memref.load %b[%i] : memref<?xf32>
  return %u : f32
}
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf32>) -> index {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:     return %dim : index
// CHECK-NEXT:   }
func.func @f(%m: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  return %d : index
}
// CHECK-NEXT:   func.func @g(%arg0: tensor<4xf32>) -> memref<?xf32> {
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:     %cast = memref.cast %0 : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:     return %cast : memref<?xf32>
// CHECK-NEXT:   }
func.func @g(%t: tensor<4xf32>) -> memref<?xf32> {
  %u = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %b = bufferization.to_buffer %u : tensor<?xf32> to memref<?xf32>
  return %b : memref<?xf32>
}
// CHECK-NEXT:   func.func @h(%arg0: tensor<4xf32>) -> memref<*xf32> {
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:     %cast = memref.cast %0 : memref<4xf32> to memref<*xf32>
// CHECK-NEXT:     return %cast : memref<*xf32>
// CHECK-NEXT:   }
func.func @h(%t: tensor<4xf32>) -> memref<*xf32> {
  %u = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  %b = bufferization.to_buffer %u : tensor<*xf32> to memref<*xf32>
  return %b : memref<*xf32>
}
// CHECK-NEXT:   func.func @i(%arg0: memref<4xf32>) -> memref<?xf32> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:     return %cast : memref<?xf32>
// CHECK-NEXT:   }
func.func @i(%m: memref<4xf32>) -> memref<?xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %u = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %b = bufferization.to_buffer %u : tensor<?xf32> to memref<?xf32>
  return %b : memref<?xf32>
}
// CHECK-NEXT:   func.func @j(%arg0: memref<?xf32, 1>) -> memref<?xf32, 2> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, 1>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) : memref<?xf32, 2>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, 1> to memref<?xf32, 2>
// CHECK-NEXT:     return %alloc : memref<?xf32, 2>
// CHECK-NEXT:   }
func.func @j(%m: memref<?xf32, 1>) -> memref<?xf32, 2> {
  %t = bufferization.to_tensor %m restrict : memref<?xf32, 1> to tensor<?xf32>
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, 2>
  return %b : memref<?xf32, 2>
}
// CHECK-NEXT:   func.func @k(%arg0: tensor<?xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:     %cast = memref.cast %0 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %cast : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
func.func @k(%t: tensor<?xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %c = memref.cast %b : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %c : memref<?xf32, strided<[?], offset: ?>>
}
// CHECK-NEXT:   func.func @l(%arg0: index) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK-NEXT:     return %0 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @l(%n: index) -> tensor<4xf32> {
  %c4 = arith.constant 4 : index
  %a = bufferization.alloc_tensor(%c4) : tensor<?xf32>
  %c = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  return %c : tensor<4xf32>
}
// CHECK-NEXT:   func.func @m(%arg0: index) -> index {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor(%arg0) : tensor<?xf32>
// CHECK-NEXT:     return %arg0 : index
// CHECK-NEXT:   }
func.func @m(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  return %d : index
}
// CHECK-NEXT:   func.func @n(%arg0: tensor<3xf32>) {
// CHECK-NEXT:     %0 = bufferization.alloc_tensor() copy(%arg0) : tensor<3xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @n(%t: tensor<3xf32>) {
  %a = bufferization.alloc_tensor() copy(%t) : tensor<3xf32>
  return
}
// CHECK-NEXT:   func.func @o(%arg0: tensor<?xf32>) -> index {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT:     return %dim : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @o(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %d = memref.dim %b, %c0 : memref<?xf32>
  return %d : index
}
