// RUN: xgpu-opt %s --drop-equivalent-buffer-results="modify-public-functions=1" | filecheck %s

// CHECK: module {
// CHECK-NEXT:   func.func @given(%arg0: memref<4xf32>, %arg1: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:     return %alloc : memref<4xf32>
// CHECK-NEXT:   }
func.func @given(%a: memref<4xf32>, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %own = memref.alloc() : memref<4xf32>
  memref.copy %a, %own : memref<4xf32> to memref<4xf32>
  return %own, %b : memref<4xf32>, memref<4xf32>
}

// CHECK-NEXT:   func.func @calls(%arg0: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:     %0 = call @given(%arg0, %arg0) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:     return %0 : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @calls(%a: memref<4xf32>) -> memref<4xf32> {
  %0:2 = call @given(%a, %a) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return %0#0 : memref<4xf32>
}
