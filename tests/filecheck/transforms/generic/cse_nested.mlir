// RUN: xgpu-opt %s --cse | filecheck %s --match-full-lines

// What is dead inside of what is dead goes first.

// CHECK: module {
// CHECK-NEXT:   func.func @loops(%arg0: memref<?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @loops(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
  }
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    %x = arith.addi %i, %i : index
  }
  return
}
