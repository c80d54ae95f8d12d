// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// Arguments of the bodies are called after what they are elements of.

// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: memref<4xf32>, %arg3: memref<f32>, %arg4: tensor<4xf32>, %arg5: tensor<4xf32>) {
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : memref<4xf32>, memref<4xf32>) outs(%arg2 : memref<4xf32>) {
// CHECK-NEXT:     ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:       %0 = arith.addf %in, %in_0 : f32
// CHECK-NEXT:       linalg.yield %0 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} outs(%arg0, %arg2 : memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:     ^bb0(%out: f32, %out_0: f32):
// CHECK-NEXT:       linalg.yield %out, %out_0 : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %mapped = linalg.map ins(%arg4, %arg5 : tensor<4xf32>, tensor<4xf32>) outs(%arg4 : tensor<4xf32>)
// CHECK-NEXT:       (%in: f32, %in_0: f32, %init: f32) {
// CHECK-NEXT:         linalg.yield %in : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     linalg.reduce ins(%arg0 : memref<4xf32>) outs(%arg3 : memref<f32>) dimensions = [0]
// CHECK-NEXT:       (%in: f32, %init: f32) {
// CHECK-NEXT:         linalg.yield %in : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     %transposed = linalg.transpose ins(%arg4 : tensor<4xf32>) outs(%arg5 : tensor<4xf32>) permutation = [0]
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %r: memref<f32>, %ta: tensor<4xf32>, %tb: tensor<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a, %c : memref<4xf32>, memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x, %y : f32, f32
  }
  %m = linalg.map ins(%ta, %tb : tensor<4xf32>, tensor<4xf32>) outs(%ta : tensor<4xf32>) (%x: f32, %y: f32, %o: f32) { linalg.yield %x : f32 }
  linalg.reduce ins(%a : memref<4xf32>) outs(%r : memref<f32>) dimensions = [0] (%x: f32, %y: f32) { linalg.yield %x : f32 }
  linalg.transpose ins(%ta : tensor<4xf32>) outs(%tb : tensor<4xf32>) permutation = [0]
  return
}
