// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// Ifs after one another on one condition, and ifs in ifs.

// CHECK: module {
// CHECK-NEXT:   func.func @adjacent(%arg0: i1) -> (i32, i32) {
// CHECK-NEXT:     %0:2 = scf.if %arg0 -> (i32, i32) {
// CHECK-NEXT:       %1 = "test.first"() : () -> i32
// CHECK-NEXT:       %2 = "test.third"(%1) : (i32) -> i32
// CHECK-NEXT:       scf.yield %1, %2 : i32, i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %1 = "test.second"() : () -> i32
// CHECK-NEXT:       %2 = "test.fourth"(%1) : (i32) -> i32
// CHECK-NEXT:       scf.yield %1, %2 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : i32, i32
// CHECK-NEXT:   }
func.func @adjacent(%p: i1) -> (i32, i32) {
  %0 = scf.if %p -> i32 {
    %v = "test.first"() : () -> i32
    scf.yield %v : i32
  } else {
    %v = "test.second"() : () -> i32
    scf.yield %v : i32
  }
  %1 = scf.if %p -> i32 {
    %v = "test.third"(%0) : (i32) -> i32
    scf.yield %v : i32
  } else {
    %v = "test.fourth"(%0) : (i32) -> i32
    scf.yield %v : i32
  }
  return %0, %1 : i32, i32
}

// CHECK-NEXT:   func.func @one_has_an_else(%arg0: i1) {
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.first"() : () -> ()
// CHECK-NEXT:       "test.second"() : () -> ()
// CHECK-NEXT:     } else {
// CHECK-NEXT:       "test.third"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @one_has_an_else(%p: i1) {
  scf.if %p {
    "test.first"() : () -> ()
  }
  scf.if %p {
    "test.second"() : () -> ()
  } else {
    "test.third"() : () -> ()
  }
  return
}

// CHECK-NEXT:   func.func @inverse(%arg0: i1) {
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.first"() : () -> ()
// CHECK-NEXT:       "test.third"() : () -> ()
// CHECK-NEXT:     } else {
// CHECK-NEXT:       "test.second"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @inverse(%p: i1) {
  %true = arith.constant true
  %not = arith.xori %p, %true : i1
  scf.if %p {
    "test.first"() : () -> ()
  }
  scf.if %not {
    "test.second"() : () -> ()
  } else {
    "test.third"() : () -> ()
  }
  return
}

// CHECK-NEXT:   func.func @inverse_first(%arg0: i1) {
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.second"() : () -> ()
// CHECK-NEXT:       "test.third"() : () -> ()
// CHECK-NEXT:     } else {
// CHECK-NEXT:       "test.first"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @inverse_first(%p: i1) {
  %true = arith.constant true
  %not = arith.xori %p, %true : i1
  scf.if %not {
    "test.first"() : () -> ()
  } else {
    "test.second"() : () -> ()
  }
  scf.if %p {
    "test.third"() : () -> ()
  }
  return
}

// CHECK-NEXT:   func.func @by_yielded_constants(%arg0: i1) {
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       %0 = "test.first"() : () -> i32
// CHECK-NEXT:       "test.third"(%0) : (i32) -> ()
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %0 = "test.second"() : () -> i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @by_yielded_constants(%p: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0:2 = scf.if %p -> (i1, i32) {
    %v = "test.first"() : () -> i32
    scf.yield %true, %v : i1, i32
  } else {
    %v = "test.second"() : () -> i32
    scf.yield %false, %v : i1, i32
  }
  scf.if %0#0 {
    "test.third"(%0#1) : (i32) -> ()
  }
  return
}

// CHECK-NEXT:   func.func @apart(%arg0: i1, %arg1: i1) {
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.first"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     "test.between"() : () -> ()
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.second"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.if %arg1 {
// CHECK-NEXT:       "test.third"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @apart(%p: i1, %q: i1) {
  scf.if %p {
    "test.first"() : () -> ()
  }
  "test.between"() : () -> ()
  scf.if %p {
    "test.second"() : () -> ()
  }
  scf.if %q {
    "test.third"() : () -> ()
  }
  return
}

// CHECK-NEXT:   func.func @nested(%arg0: i1, %arg1: i1) {
// CHECK-NEXT:     %0 = arith.andi %arg0, %arg1 : i1
// CHECK-NEXT:     scf.if %0 {
// CHECK-NEXT:       "test.use"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @nested(%p: i1, %q: i1) {
  scf.if %p {
    scf.if %q {
      "test.use"() : () -> ()
    }
  }
  return
}

// CHECK-NEXT:   func.func @nested_with_results(%arg0: i1, %arg1: i1, %arg2: i32, %arg3: i32, %arg4: i32) -> (i32, i32) {
// CHECK-NEXT:     %0 = arith.andi %arg0, %arg1 : i1
// CHECK-NEXT:     %1 = arith.select %arg0, %arg2, %arg4 : i32
// CHECK-NEXT:     %2 = scf.if %0 -> (i32) {
// CHECK-NEXT:       %3 = "test.value"() : () -> i32
// CHECK-NEXT:       scf.yield %3 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %arg3 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %2, %1 : i32, i32
// CHECK-NEXT:   }
func.func @nested_with_results(%p: i1, %q: i1, %a: i32, %b: i32, %c: i32) -> (i32, i32) {
  %0:2 = scf.if %p -> (i32, i32) {
    %1 = scf.if %q -> i32 {
      %v = "test.value"() : () -> i32
      scf.yield %v : i32
    } else {
      scf.yield %b : i32
    }
    scf.yield %1, %a : i32, i32
  } else {
    scf.yield %b, %c : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

// CHECK-NEXT:   func.func @nested_that_stay(%arg0: i1, %arg1: i1, %arg2: i32, %arg3: i32) -> i32 {
// CHECK-NEXT:     %0 = scf.if %arg0 -> (i32) {
// CHECK-NEXT:       %1 = scf.if %arg1 -> (i32) {
// CHECK-NEXT:         %2 = "test.value"() : () -> i32
// CHECK-NEXT:         "test.use"() : () -> ()
// CHECK-NEXT:         "test.use"() : () -> ()
// CHECK-NEXT:         scf.yield %2 : i32
// CHECK-NEXT:       } else {
// CHECK-NEXT:         "test.other"() : () -> ()
// CHECK-NEXT:         scf.yield %arg2 : i32
// CHECK-NEXT:       }
// CHECK-NEXT:       "test.before"() : () -> ()
// CHECK-NEXT:       scf.if %arg1 {
// CHECK-NEXT:         "test.use"() : () -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       "test.other"() : () -> ()
// CHECK-NEXT:       scf.yield %arg3 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @nested_that_stay(%p: i1, %q: i1, %a: i32, %b: i32) -> i32 {
  // What the else sides give differs.
  %0 = scf.if %p -> i32 {
    %1 = scf.if %q -> i32 {
      %v = "test.value"() : () -> i32
      scf.yield %v : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %1 : i32
  } else {
    scf.yield %b : i32
  }
  // An else does something.
  scf.if %p {
    scf.if %q {
      "test.use"() : () -> ()
    } else {
      "test.other"() : () -> ()
    }
  }
  scf.if %p {
    scf.if %q {
      "test.use"() : () -> ()
    }
  } else {
    "test.other"() : () -> ()
  }
  // More than an if.
  scf.if %p {
    "test.before"() : () -> ()
    scf.if %q {
      "test.use"() : () -> ()
    }
  }
  return %0 : i32
}
