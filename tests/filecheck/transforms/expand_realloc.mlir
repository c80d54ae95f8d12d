// RUN: xgpu-opt %s --expand-realloc | filecheck %s
// RUN: xgpu-opt %s --expand-realloc="emit-deallocs=false" | filecheck %s --check-prefix=KEEP

// CHECK-LABEL: @grow
// CHECK: %[[OLD:.*]] = memref.dim
// CHECK: %[[GROWS:.*]] = arith.cmpi ult, %[[OLD]], %{{.*}} : index
// CHECK: scf.if %[[GROWS]] -> (memref<?xf32>) {
// CHECK: %[[NEW:.*]] = memref.alloc(%{{.*}}) {alignment = 8 : i64} : memref<?xf32>
// CHECK: memref.subview %[[NEW]][0] [%[[OLD]]] [1]
// CHECK: memref.copy
// CHECK: memref.dealloc
// CHECK: } else {
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%{{.*}}], strides: [1]
// KEEP-LABEL: @grow
// KEEP-NOT: memref.dealloc
func.func @grow(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.realloc %m(%n) {alignment = 8} : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}
