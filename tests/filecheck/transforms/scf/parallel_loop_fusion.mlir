// RUN: xgpu-opt %s --scf-parallel-loop-fusion | filecheck %s --match-full-lines

// Reductions are those of both; the result of the first is used behind the second alone.
// CHECK: module {
// CHECK-NEXT:   func.func @reductions(%arg0: memref<16xf32>, %arg1: f32) -> (f32, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %0:2 = scf.parallel (%arg2) = (%c0) to (%c16) step (%c1) init (%arg1, %arg1) -> (f32, f32) {
// CHECK-NEXT:       %1 = memref.load %arg0[%arg2] : memref<16xf32>
// CHECK-NEXT:       %2 = memref.load %arg0[%arg2] : memref<16xf32>
// CHECK-NEXT:       scf.reduce(%1, %2 : f32, f32) {
// CHECK-NEXT:       ^bb0(%arg3: f32, %arg4: f32):
// CHECK-NEXT:         %3 = arith.addf %arg3, %arg4 : f32
// CHECK-NEXT:         scf.reduce.return %3 : f32
// CHECK-NEXT:       }, {
// CHECK-NEXT:       ^bb0(%arg3: f32, %arg4: f32):
// CHECK-NEXT:         %3 = arith.maximumf %arg3, %arg4 : f32
// CHECK-NEXT:         scf.reduce.return %3 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : f32, f32
// CHECK-NEXT:   }
func.func @reductions(%a: memref<16xf32>, %zero: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %s = scf.parallel (%i) = (%c0) to (%c16) step (%c1) init (%zero) -> f32 {
    %y = memref.load %a[%i] : memref<16xf32>
    scf.reduce(%y : f32) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      scf.reduce.return %r : f32
    }
  }
  %t = scf.parallel (%i) = (%c0) to (%c16) step (%c1) init (%zero) -> f32 {
    %y = memref.load %a[%i] : memref<16xf32>
    scf.reduce(%y : f32) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.maximumf %p, %q : f32
      scf.reduce.return %r : f32
    }
  }
  return %s, %t : f32, f32
}

// The second reads what other iterations of the first write.
// CHECK-NEXT:   func.func @other_index(%arg0: memref<17xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %alloc = memref.alloc() : memref<16xf32>
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       memref.store %arg1, %arg0[%arg2] : memref<17xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       %0 = arith.addi %arg2, %c1 : index
// CHECK-NEXT:       %1 = memref.load %arg0[%0] : memref<17xf32>
// CHECK-NEXT:       memref.store %1, %alloc[%arg2] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @other_index(%a: memref<17xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %b = memref.alloc() : memref<16xf32>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %x, %a[%i] : memref<17xf32>
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %j = arith.addi %i, %c1 : index
    %y = memref.load %a[%j] : memref<17xf32>
    memref.store %y, %b[%i] : memref<16xf32>
  }
  return
}

// Arguments may be the same memory.
// CHECK-NEXT:   func.func @arguments(%arg0: memref<16xf32>, %arg1: memref<16xf32>, %arg2: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     scf.parallel (%arg3) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       memref.store %arg2, %arg0[%arg3] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.parallel (%arg3) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       %0 = memref.load %arg1[%arg3] : memref<16xf32>
// CHECK-NEXT:       memref.store %0, %arg0[%arg3] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @arguments(%a: memref<16xf32>, %b: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %x, %a[%i] : memref<16xf32>
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %y = memref.load %b[%i] : memref<16xf32>
    memref.store %y, %a[%i] : memref<16xf32>
  }
  return
}

// The host writes between the two; then bounds differ.
// CHECK-NEXT:   func.func @between(%arg0: memref<16xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       memref.store %arg1, %arg0[%arg2] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.store %arg1, %arg0[%c0] : memref<16xf32>
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       memref.store %arg1, %arg0[%arg2] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%c8) step (%c1) {
// CHECK-NEXT:       memref.store %arg1, %arg0[%arg2] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @between(%a: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %x, %a[%i] : memref<16xf32>
  }
  memref.store %x, %a[%c0] : memref<16xf32>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %x, %a[%i] : memref<16xf32>
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %x, %a[%i] : memref<16xf32>
  }
  return
}

// Both write one buffer, at other indices: the later value has to win.
// CHECK-NEXT:   func.func @both_write(%arg0: memref<16xf32>, %arg1: f32, %arg2: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c15 = arith.constant 15 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     scf.parallel (%arg3) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       %0 = arith.subi %c15, %arg3 : index
// CHECK-NEXT:       memref.store %arg1, %arg0[%0] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.parallel (%arg3) = (%c0) to (%c16) step (%c1) {
// CHECK-NEXT:       memref.store %arg2, %arg0[%arg3] : memref<16xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @both_write(%a: memref<16xf32>, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %j = arith.subi %c15, %i : index
    memref.store %x, %a[%j] : memref<16xf32>
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %y, %a[%i] : memref<16xf32>
  }
  return
}
