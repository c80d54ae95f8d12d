// RUN: xgpu-opt %s --ownership-based-buffer-deallocation="private-function-dynamic-ownership=true" | filecheck %s

// A private function says who owns what it returns.
// CHECK: func.func private @make(%{{.*}}: index) -> (memref<?xf32>, i1)
func.func private @make(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
// CHECK-LABEL: func.func @use
// CHECK: %[[M:.*]]:2 = call @make
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[M]]#0
// CHECK: bufferization.dealloc (%[[BASE]] : memref<f32>) if (%[[M]]#1)
func.func @use(%n: index, %x: f32, %i: index) {
  %m = func.call @make(%n) : (index) -> memref<?xf32>
  memref.store %x, %m[%i] : memref<?xf32>
  return
}
