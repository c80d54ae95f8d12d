// A buffer seen in another shape is described by sizes and strides.
// RUN: xgpu-opt %s --memref-expand | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf32>, %arg1: memref<2xindex>) -> memref<?x?xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = memref.load %arg1[%c1] : memref<2xindex>
// CHECK-NEXT:     %c1_0 = arith.constant 1 : index
// CHECK-NEXT:     %1 = arith.muli %c1_0, %0 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %2 = memref.load %arg1[%c0] : memref<2xindex>
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%2, %0], strides: [%1, 1] : memref<?xf32> to memref<?x?xf32>
// CHECK-NEXT:     return %reinterpret_cast : memref<?x?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<?xf32>, %shape: memref<2xindex>) -> memref<?x?xf32> {
  %0 = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  return %0 : memref<?x?xf32>
}
