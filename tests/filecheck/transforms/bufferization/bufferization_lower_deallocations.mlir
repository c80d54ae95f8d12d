// RUN: xgpu-opt %s --bufferization-lower-deallocations | filecheck %s

// CHECK-LABEL: @one
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: memref.dealloc
func.func @one(%m: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<2xf32>) if (%c)
  return
}
// CHECK-LABEL: @retained
// CHECK: %[[M:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: %[[R:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[M]], %[[R]]
// CHECK: %[[FREE:.*]] = arith.andi %[[OTHER]], %{{.*}}
// CHECK: scf.if %[[FREE]]
// CHECK: %[[SAME:.*]] = arith.xori %[[OTHER]]
// CHECK: %[[OWNED:.*]] = arith.andi %[[SAME]]
// CHECK: return %[[OWNED]]
func.func @retained(%m: memref<2xf32>, %r: memref<?xf32>, %c: i1) -> i1 {
  %0 = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%r : memref<?xf32>)
  return %0 : i1
}
