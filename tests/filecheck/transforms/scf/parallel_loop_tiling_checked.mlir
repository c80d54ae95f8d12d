// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,2 no-min-max-bounds=true}))" | filecheck %s --match-full-lines

// The index itself is compared, and as a signed number (docs/reference/deviations.md).
// CHECK: module {
// CHECK-NEXT:   func.func @checked(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = arith.muli %arg2, %c4 : index
// CHECK-NEXT:     %1 = arith.muli %arg2, %c2 : index
// CHECK-NEXT:     scf.parallel (%arg4, %arg5) = (%arg0, %arg0) to (%arg1, %arg1) step (%0, %1) {
// CHECK-NEXT:       scf.parallel (%arg6, %arg7) = (%c0, %c0) to (%0, %1) step (%arg2, %arg2) {
// CHECK-NEXT:         %2 = arith.addi %arg6, %arg4 : index
// CHECK-NEXT:         %3 = arith.addi %arg7, %arg5 : index
// CHECK-NEXT:         %true = arith.constant true
// CHECK-NEXT:         %4 = arith.cmpi slt, %2, %arg1 : index
// CHECK-NEXT:         %5 = arith.andi %true, %4 : i1
// CHECK-NEXT:         %6 = arith.cmpi slt, %3, %arg1 : index
// CHECK-NEXT:         %7 = arith.andi %5, %6 : i1
// CHECK-NEXT:         scf.if %7 {
// CHECK-NEXT:           %8 = memref.load %arg3[%2] : memref<?xf32>
// CHECK-NEXT:           memref.store %8, %arg3[%3] : memref<?xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @checked(%a: index, %b: index, %s: index, %m: memref<?xf32>) {
  scf.parallel (%i, %j) = (%a, %a) to (%b, %b) step (%s, %s) {
    %v = memref.load %m[%i] : memref<?xf32>
    memref.store %v, %m[%j] : memref<?xf32>
  }
  return
}

// CHECK-NEXT:   func.func @full_tiles(%arg0: memref<?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = arith.muli %c1, %c4 : index
// CHECK-NEXT:     scf.parallel (%arg1) = (%c0) to (%c8) step (%0) {
// CHECK-NEXT:       scf.parallel (%arg2) = (%c0_0) to (%0) step (%c1) {
// CHECK-NEXT:         %1 = arith.addi %arg2, %arg1 : index
// CHECK-NEXT:         %2 = memref.load %arg0[%1] : memref<?xf32>
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @full_tiles(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %m[%i] : memref<?xf32>
  }
  return
}
