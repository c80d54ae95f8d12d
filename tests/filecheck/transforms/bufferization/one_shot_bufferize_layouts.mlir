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
// CHECK-NEXT: }
func.func private @map(%t: tensor<?xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0 + 3)>}, %i: index) -> f32 {
  %0 = tensor.extract %t[%i] : tensor<?xf32>
  return %0 : f32
}
