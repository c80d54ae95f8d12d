// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,2}))" | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @unknown_bounds(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = arith.muli %arg2, %c4 : index
// CHECK-NEXT:     %1 = arith.muli %arg2, %c2 : index
// CHECK-NEXT:     %2 = arith.muli %arg2, %c1 : index
// CHECK-NEXT:     scf.parallel (%arg4, %arg5, %arg6) = (%arg0, %arg0, %arg0) to (%arg1, %arg1, %arg1) step (%0, %1, %2) {
// CHECK-NEXT:       %3 = affine.min #map(%0, %arg1, %arg4)
// CHECK-NEXT:       %4 = affine.min #map(%1, %arg1, %arg5)
// CHECK-NEXT:       %5 = affine.min #map(%2, %arg1, %arg6)
// CHECK-NEXT:       scf.parallel (%arg7, %arg8, %arg9) = (%c0, %c0, %c0) to (%3, %4, %5) step (%arg2, %arg2, %arg2) {
// CHECK-NEXT:         %6 = arith.addi %arg7, %arg4 : index
// CHECK-NEXT:         %7 = arith.addi %arg8, %arg5 : index
// CHECK-NEXT:         %8 = arith.addi %arg9, %arg6 : index
// CHECK-NEXT:         %9 = memref.load %arg3[%6] : memref<?xf32>
// CHECK-NEXT:         memref.store %9, %arg3[%7] : memref<?xf32>
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @unknown_bounds(%a: index, %b: index, %s: index, %m: memref<?xf32>) {
  scf.parallel (%i, %j, %k) = (%a, %a, %a) to (%b, %b, %b) step (%s, %s, %s) {
    %v = memref.load %m[%i] : memref<?xf32>
    memref.store %v, %m[%j] : memref<?xf32>
  }
  return
}

// Tiles that fill the loop need no minimum.
// CHECK-NEXT:   func.func @known_bounds(%arg0: memref<?xf32>) {
// CHECK-NEXT:     %c-8 = arith.constant -8 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c10 = arith.constant 10 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = arith.muli %c1, %c4 : index
// CHECK-NEXT:     %1 = arith.muli %c3, %c2 : index
// CHECK-NEXT:     scf.parallel (%arg1, %arg2) = (%c-8, %c0) to (%c0, %c10) step (%0, %1) {
// CHECK-NEXT:       scf.parallel (%arg3, %arg4) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c3) {
// CHECK-NEXT:         %3 = arith.addi %arg3, %arg1 : index
// CHECK-NEXT:         %4 = arith.addi %arg4, %arg2 : index
// CHECK-NEXT:         %5 = memref.load %arg0[%3] : memref<?xf32>
// CHECK-NEXT:         memref.store %5, %arg0[%4] : memref<?xf32>
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %c4_2 = arith.constant 4 : index
// CHECK-NEXT:     %2 = arith.muli %c1, %c4_2 : index
// CHECK-NEXT:     scf.parallel (%arg1) = (%c0) to (%c10) step (%2) {
// CHECK-NEXT:       %3 = affine.min #map(%2, %c10, %arg1)
// CHECK-NEXT:       scf.parallel (%arg2) = (%c0_1) to (%3) step (%c1) {
// CHECK-NEXT:         %4 = arith.addi %arg2, %arg1 : index
// CHECK-NEXT:         %5 = memref.load %arg0[%4] : memref<?xf32>
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @known_bounds(%m: memref<?xf32>) {
  %c-8 = arith.constant -8 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i, %j) = (%c-8, %c0) to (%c0, %c10) step (%c1, %c3) {
    %v = memref.load %m[%i] : memref<?xf32>
    memref.store %v, %m[%j] : memref<?xf32>
  }
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    %v = memref.load %m[%i] : memref<?xf32>
  }
  return
}

// CHECK-NEXT:   func.func @innermost(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?xf32>) {
// CHECK-NEXT:     scf.parallel (%arg4) = (%arg0) to (%arg1) step (%arg2) {
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c4 = arith.constant 4 : index
// CHECK-NEXT:       %0 = arith.muli %arg2, %c4 : index
// CHECK-NEXT:       scf.parallel (%arg5) = (%arg4) to (%arg1) step (%0) {
// CHECK-NEXT:         %1 = affine.min #map(%0, %arg1, %arg5)
// CHECK-NEXT:         scf.parallel (%arg6) = (%c0) to (%1) step (%arg2) {
// CHECK-NEXT:           %2 = arith.addi %arg6, %arg5 : index
// CHECK-NEXT:           %3 = memref.load %arg3[%arg4] : memref<?xf32>
// CHECK-NEXT:           memref.store %3, %arg3[%2] : memref<?xf32>
// CHECK-NEXT:           scf.reduce
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @innermost(%a: index, %b: index, %s: index, %m: memref<?xf32>) {
  scf.parallel (%i) = (%a) to (%b) step (%s) {
    scf.parallel (%j) = (%i) to (%b) step (%s) {
      %v = memref.load %m[%i] : memref<?xf32>
      memref.store %v, %m[%j] : memref<?xf32>
    }
  }
  return
}

// CHECK-NEXT:   func.func @reduction_stays(%arg0: index, %arg1: index, %arg2: index, %arg3: f32) -> f32 {
// CHECK-NEXT:     %0 = scf.parallel (%arg4) = (%arg0) to (%arg1) step (%arg2) init (%arg3) -> f32 {
// CHECK-NEXT:       scf.reduce(%arg3 : f32) {
// CHECK-NEXT:       ^bb0(%arg5: f32, %arg6: f32):
// CHECK-NEXT:         %1 = arith.addf %arg5, %arg6 : f32
// CHECK-NEXT:         scf.reduce.return %1 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @reduction_stays(%a: index, %b: index, %s: index, %f: f32) -> f32 {
  %0 = scf.parallel (%i) = (%a) to (%b) step (%s) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %r = arith.addf %x, %y : f32
      scf.reduce.return %r : f32
    }
  }
  return %0 : f32
}
