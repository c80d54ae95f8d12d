// Of two barriers without an access between them one is enough.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(gpu-eliminate-barriers))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf32>, %arg1: index, %arg2: f32) attributes {gpu.kernel} {
// CHECK-NEXT:     memref.store %arg2, %arg0[%arg1] : memref<?xf32>
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     %0 = memref.load %arg0[%arg1] : memref<?xf32>
// CHECK-NEXT:     memref.store %0, %arg0[%arg1] : memref<?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<?xf32>, %i: index, %x: f32) attributes {gpu.kernel} {
  memref.store %x, %m[%i] : memref<?xf32>
  gpu.barrier
  gpu.barrier
  %0 = memref.load %m[%i] : memref<?xf32>
  memref.store %0, %m[%i] : memref<?xf32>
  return
}
