// RUN: xgpu-opt %s --arith-unsigned-when-equivalent | filecheck %s --match-full-lines

// What is known of a value is known of what takes its place (docs/reference/deviations.md).
// CHECK: module {
// CHECK-NEXT:   func.func @chain(%arg0: index, %arg1: memref<?xindex>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     scf.for %arg2 = %c0 to %arg0 step %c1 {
// CHECK-NEXT:       %0 = arith.ceildivui %arg2, %c9 : index
// CHECK-NEXT:       %1 = arith.divui %0, %c9 : index
// CHECK-NEXT:       memref.store %1, %arg1[%0] : memref<?xindex>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @chain(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.ceildivsi %i, %c9 : index
    %y = arith.floordivsi %x, %c9 : index
    memref.store %y, %m[%x] : memref<?xindex>
  }
  return
}
