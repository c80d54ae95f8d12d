// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// Parallel loops: dimensions of one iteration, loops of none, loops in loops.

// CHECK: module {
// CHECK-NEXT:   func.func @one_iteration(%arg0: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.parallel (%arg1) = (%c0) to (%arg0) step (%c1) {
// CHECK-NEXT:       "test.use"(%c1, %arg1, %c0) : (index, index, index) -> ()
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @one_iteration(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i, %j, %k) = (%c1, %c0, %c0) to (%c4, %n, %c1) step (%c4, %c1, %c1) {
    "test.use"(%i, %j, %k) : (index, index, index) -> ()
    scf.reduce
  }
  return
}

// CHECK-NEXT:   func.func @all_once(%arg0: f32, %arg1: f32) -> (f32, f32) {
// CHECK-NEXT:     return %arg0, %arg1 : f32, f32
// CHECK-NEXT:   }
func.func @all_once(%a: f32, %b: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%c1, %c1) step (%c1, %c1) init (%a, %b) -> (f32, f32) {
    %v = "test.value"(%i, %j) : (index, index) -> f32
    scf.reduce(%v, %v : f32, f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%x: f32, %y: f32):
      %s = arith.mulf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  return %0#0, %0#1 : f32, f32
}

// CHECK-NEXT:   func.func @once_with_reductions(%arg0: f32, %arg1: f32) -> (f32, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = "test.value"(%c0) : (index) -> f32
// CHECK-NEXT:     %1 = arith.addf %arg0, %0 : f32
// CHECK-NEXT:     %2 = arith.mulf %arg1, %0 : f32
// CHECK-NEXT:     return %1, %2 : f32, f32
// CHECK-NEXT:   }
func.func @once_with_reductions(%a: f32, %b: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%a, %b) -> (f32, f32) {
    %v = "test.value"(%i) : (index) -> f32
    scf.reduce(%v, %v : f32, f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%x: f32, %y: f32):
      %s = arith.mulf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  return %0#0, %0#1 : f32, f32
}

// CHECK-NEXT:   func.func @with_a_reduction(%arg0: f32, %arg1: index) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = scf.parallel (%arg2) = (%c0) to (%arg1) step (%c1) init (%arg0) -> f32 {
// CHECK-NEXT:       %1 = "test.value"(%c0, %arg2) : (index, index) -> f32
// CHECK-NEXT:       scf.reduce(%1 : f32) {
// CHECK-NEXT:       ^bb0(%arg3: f32, %arg4: f32):
// CHECK-NEXT:         %2 = arith.addf %arg3, %arg4 : f32
// CHECK-NEXT:         scf.reduce.return %2 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @with_a_reduction(%a: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1) init (%a) -> f32 {
    %v = "test.value"(%i, %j) : (index, index) -> f32
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  return %0 : f32
}

// CHECK-NEXT:   func.func @none(%arg0: index) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @none(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c1) to (%n, %c0) step (%c1, %c1) {
    "test.use"(%i, %j) : (index, index) -> ()
    scf.reduce
  }
  scf.parallel (%i) = (%n) to (%n) step (%c1) {
    "test.other"(%i) : (index) -> ()
    scf.reduce
  }
  return
}

// CHECK-NEXT:   func.func @unknown(%arg0: index, %arg1: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%c4) step (%arg1) {
// CHECK-NEXT:       "test.use"(%arg2) : (index) -> ()
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @unknown(%n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%step) {
    "test.use"(%i) : (index) -> ()
    scf.reduce
  }
  return
}

// CHECK-NEXT:   func.func @nested(%arg0: index, %arg1: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     scf.parallel (%arg2, %arg3, %arg4) = (%c0, %c0, %c2) to (%arg0, %arg1, %arg0) step (%c2, %c2, %c2) {
// CHECK-NEXT:       "test.use"(%arg2, %arg3, %arg4) : (index, index, index) -> ()
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @nested(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c2) {
    scf.parallel (%j, %k) = (%c0, %c2) to (%m, %n) step (%c2, %c2) {
      "test.use"(%i, %j, %k) : (index, index, index) -> ()
      scf.reduce
    }
    scf.reduce
  }
  return
}

// CHECK-NEXT:   func.func @nested_that_stay(%arg0: index, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%arg0) step (%c2) {
// CHECK-NEXT:       scf.parallel (%arg3) = (%c0) to (%arg2) step (%c2) {
// CHECK-NEXT:         "test.use"(%arg2, %arg3) : (index, index) -> ()
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%arg0) step (%c2) {
// CHECK-NEXT:       "test.before"() : () -> ()
// CHECK-NEXT:       scf.parallel (%arg3) = (%c0) to (%arg0) step (%c2) {
// CHECK-NEXT:         "test.use"(%arg2, %arg3) : (index, index) -> ()
// CHECK-NEXT:         scf.reduce
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.parallel (%arg2) = (%c0) to (%arg0) step (%c2) {
// CHECK-NEXT:       %0 = scf.parallel (%arg3) = (%c0) to (%arg0) step (%c2) init (%arg1) -> f32 {
// CHECK-NEXT:         %1 = "test.value"(%arg2, %arg3) : (index, index) -> f32
// CHECK-NEXT:         scf.reduce(%1 : f32) {
// CHECK-NEXT:         ^bb0(%arg4: f32, %arg5: f32):
// CHECK-NEXT:           %2 = arith.addf %arg4, %arg5 : f32
// CHECK-NEXT:           scf.reduce.return %2 : f32
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @nested_that_stay(%n: index, %a: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // The inner bound is the outer variable.
  scf.parallel (%i) = (%c0) to (%n) step (%c2) {
    scf.parallel (%j) = (%c0) to (%i) step (%c2) {
      "test.use"(%i, %j) : (index, index) -> ()
      scf.reduce
    }
    scf.reduce
  }
  // More than a loop, and a reduction.
  scf.parallel (%i) = (%c0) to (%n) step (%c2) {
    "test.before"() : () -> ()
    scf.parallel (%j) = (%c0) to (%n) step (%c2) {
      "test.use"(%i, %j) : (index, index) -> ()
      scf.reduce
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c2) {
    %0 = scf.parallel (%j) = (%c0) to (%n) step (%c2) init (%a) -> f32 {
      %v = "test.value"(%i, %j) : (index, index) -> f32
      scf.reduce(%v : f32) {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %y : f32
        scf.reduce.return %s : f32
      }
    }
    scf.reduce
  }
  return
}
