// Two parallel loops with the same bounds become one: what the second reads, the same iteration has written.
// RUN: xgpu-opt %s --scf-parallel-loop-fusion | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %alloc = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       memref.store %arg1, %alloc[%arg2] : memref<16xf32>
// CHECK-NEXT:       %0 = memref.load %alloc[%arg2] : memref<16xf32>
// CHECK-NEXT:       memref.store %0, %arg0[%arg2] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = memref.alloc() : memref<16xf32>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %x, %m[%i] : memref<16xf32>
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %y = memref.load %m[%i] : memref<16xf32>
    memref.store %y, %a[%i] : memref<16xf32>
  }
  return
}
