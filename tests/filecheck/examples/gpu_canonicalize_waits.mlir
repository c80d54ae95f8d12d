// Waits that order nothing disappear.
// RUN: xgpu-opt %s --gpu-canonicalize-waits | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<8xf32>, %arg1: memref<8xf32>) {
// CHECK-NEXT:     %0 = gpu.memcpy async %arg0, %arg1 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     gpu.wait [%0]
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  %fresh = gpu.wait async
  %unused = gpu.wait async [%fresh]
  %t = gpu.memcpy async [%fresh] %a, %b : memref<8xf32>, memref<8xf32>
  %u = gpu.wait async [%t, %fresh]
  gpu.wait [%u]
  return
}
