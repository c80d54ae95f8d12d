// RUN: xgpu-opt %s --memref-expand | filecheck %s

func.func @reshape(%m: memref<?xf32>, %shape: memref<2xindex>) -> memref<?x8xf32> {
  %0 = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x8xf32>
  return %0 : memref<?x8xf32>
}

// CHECK-LABEL: @reshape
// CHECK: [[SIZE:%.*]] = memref.load %{{.*}}[%{{.*}}] : memref<2xindex>
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [[[SIZE]], 8], strides: [8, 1] : memref<?xf32> to memref<?x8xf32>
