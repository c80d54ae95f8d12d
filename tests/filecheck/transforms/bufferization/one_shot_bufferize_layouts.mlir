// RUN: xgpu-opt --one-shot-bufferize=bufferize-function-boundaries --cse %s | filecheck %s --match-full-lines

// An argument states its buffer's layout, as strides or as a map.

// CHECK: #map = affine_map<(d0) -> (d0 + 3)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func private @strides(%arg0: memref<?xf32, strided<[2], offset: 5>>) -> memref<?xf32, strided<[2], offset: 5>> {
// CHECK-NEXT:     return %arg0 : memref<?xf32, strided<[2], offset: 5>>
// CHECK-NEXT:   }
func.func private @strides(%t: tensor<?xf32> {bufferization.buffer_layout = strided<[2], offset: 5>}) -> tensor<?xf32> {
  return %t : tensor<?xf32>
}

// CHECK-NEXT:   func.func private @map(%arg0: memref<?xf32, #map>, %arg1: index) -> f32 {
// CHECK-NEXT:     %0 = memref.load %arg0[%arg1] : memref<?xf32, #map>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func private @map(%t: tensor<?xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0 + 3)>}, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<?xf32>
  return %0 : f32
}

// A layout that is the identity map is none.
// CHECK-NEXT:   func.func private @identity(%arg0: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:     return %arg0 : memref<?xf32>
// CHECK-NEXT:   }
func.func private @identity(%t: tensor<?xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>}) -> tensor<?xf32> {
  return %t : tensor<?xf32>
}

// A result gets the layout of what is returned, and keeps the sizes that its type hides.
// CHECK-NEXT:   func.func private @hidden_size() -> memref<?xf32> {
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<10xf32>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<10xf32> to memref<?xf32>
// CHECK-NEXT:     return %cast : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func private @hidden_size() -> tensor<?xf32> {
  %0 = tensor.empty() : tensor<10xf32>
  %1 = tensor.cast %0 : tensor<10xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
