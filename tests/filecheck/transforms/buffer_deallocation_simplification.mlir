// RUN: xgpu-opt %s --buffer-deallocation-simplification | filecheck %s

// Two allocations are two: each is freed by itself, and only one is what is retained.
// CHECK-LABEL: @two
// CHECK: %[[A:.*]] = memref.alloc() : memref<2xf32>
// CHECK: %[[B:.*]] = memref.alloc() : memref<2xf32>
// CHECK: bufferization.dealloc (%[[B]] : memref<2xf32>) if (%{{.*}})
// CHECK-NOT: retain
// CHECK: return %[[A]], %{{.*}} : memref<2xf32>, i1
func.func @two(%c: i1, %d: i1, %x: f32, %i: index) -> (memref<2xf32>, i1) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.store %x, %b[%i] : memref<2xf32>
  %0 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%a : memref<2xf32>)
  return %a, %0 : memref<2xf32>, i1
}
