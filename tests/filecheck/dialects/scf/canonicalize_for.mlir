// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// Loops that run never or once, and values that they carry for nothing.

// CHECK: module {
// CHECK-NEXT:   func.func @never_or_once(%arg0: f32, %arg1: index) -> (f32, f32, f32, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %0 = "test.use"(%c0, %arg0) : (index, f32) -> f32
// CHECK-NEXT:     %1 = scf.for %arg2 = %c0 to %c5 step %c4 iter_args(%arg3 = %arg0) -> (f32) {
// CHECK-NEXT:       %2 = "test.use"(%arg2, %arg3) : (index, f32) -> f32
// CHECK-NEXT:       scf.yield %2 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg0, %0, %arg0, %1 : f32, f32, f32, f32
// CHECK-NEXT:   }
func.func @never_or_once(%a: f32, %n: index) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c4 to %c0 step %c4 iter_args(%x = %a) -> (f32) {
    %s = "test.use"(%i, %x) : (index, f32) -> f32
    scf.yield %s : f32
  }
  %1 = scf.for %i = %c0 to %c4 step %c5 iter_args(%x = %a) -> (f32) {
    %s = "test.use"(%i, %x) : (index, f32) -> f32
    scf.yield %s : f32
  }
  %2 = scf.for %i = %n to %n step %c4 iter_args(%x = %a) -> (f32) {
    %s = "test.use"(%i, %x) : (index, f32) -> f32
    scf.yield %s : f32
  }
  %3 = scf.for %i = %c0 to %c5 step %c4 iter_args(%x = %a) -> (f32) {
    %s = "test.use"(%i, %x) : (index, f32) -> f32
    scf.yield %s : f32
  }
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-NEXT:   func.func @unsigned(%arg0: f32) -> (f32, f32) {
// CHECK-NEXT:     %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT:     %0 = "test.use"(%c-1_i32, %arg0) : (i32, f32) -> f32
// CHECK-NEXT:     return %arg0, %0 : f32, f32
// CHECK-NEXT:   }
func.func @unsigned(%a: f32) -> (f32, f32) {
  %minus = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %0 = scf.for unsigned %i = %minus to %zero step %one iter_args(%x = %a) -> (f32) : i32 {
    %s = "test.use"(%i, %x) : (i32, f32) -> f32
    scf.yield %s : f32
  }
  %1 = scf.for %i = %minus to %zero step %two iter_args(%x = %a) -> (f32) : i32 {
    %s = "test.use"(%i, %x) : (i32, f32) -> f32
    scf.yield %s : f32
  }
  return %0, %1 : f32, f32
}

// CHECK-NEXT:   func.func @by_distance(%arg0: f32, %arg1: index) -> (f32, f32, f32, f32) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = arith.addi %arg1, %c4 overflow<nsw> : index
// CHECK-NEXT:     %1 = arith.addi %arg1, %c4 : index
// CHECK-NEXT:     %2 = "test.use"(%arg1, %arg0) : (index, f32) -> f32
// CHECK-NEXT:     %3 = scf.for %arg2 = %arg1 to %0 step %c1 iter_args(%arg3 = %arg0) -> (f32) {
// CHECK-NEXT:       %5 = "test.use"(%arg2, %arg3) : (index, f32) -> f32
// CHECK-NEXT:       scf.yield %5 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %4 = scf.for %arg2 = %arg1 to %1 step %c4 iter_args(%arg3 = %arg0) -> (f32) {
// CHECK-NEXT:       %5 = "test.use"(%arg2, %arg3) : (index, f32) -> f32
// CHECK-NEXT:       scf.yield %5 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %2, %3, %arg0, %4 : f32, f32, f32, f32
// CHECK-NEXT:   }
func.func @by_distance(%a: f32, %n: index) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m4 = arith.constant -4 : index
  %end = arith.addi %n, %c4 overflow<nsw> : index
  %other = arith.addi %c4, %n overflow<nsw> : index
  %before = arith.addi %n, %m4 overflow<nsw> : index
  %wraps = arith.addi %n, %c4 : index
  %0 = scf.for %i = %n to %end step %c4 iter_args(%x = %a) -> (f32) {
    %s = "test.use"(%i, %x) : (index, f32) -> f32
    scf.yield %s : f32
  }
  %1 = scf.for %i = %n to %other step %c1 iter_args(%x = %a) -> (f32) {
    %s = "test.use"(%i, %x) : (index, f32) -> f32
    scf.yield %s : f32
  }
  %2 = scf.for %i = %n to %before step %c4 iter_args(%x = %a) -> (f32) {
    %s = "test.use"(%i, %x) : (index, f32) -> f32
    scf.yield %s : f32
  }
  %3 = scf.for %i = %n to %wraps step %c4 iter_args(%x = %a) -> (f32) {
    %s = "test.use"(%i, %x) : (index, f32) -> f32
    scf.yield %s : f32
  }
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-NEXT:   func.func @of_nothing(%arg0: f32, %arg1: f32, %arg2: index) -> (f32, f32, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (f32) {
// CHECK-NEXT:       scf.yield %arg1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %1:2 = scf.for %arg3 = %c0 to %c4 step %c1 iter_args(%arg4 = %arg0, %arg5 = %arg1) -> (f32, f32) {
// CHECK-NEXT:       scf.yield %arg5, %arg4 : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg1, %0, %1#0 : f32, f32, f32
// CHECK-NEXT:   }
func.func @of_nothing(%a: f32, %b: f32, %n: index) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> (f32) {
    scf.yield %b : f32
  }
  // It may run never.
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (f32) {
    scf.yield %b : f32
  }
  %2:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a, %y = %b) -> (f32, f32) {
    scf.yield %y, %x : f32, f32
  }
  return %0, %1, %2#0 : f32, f32, f32
}

// CHECK-NEXT:   func.func @unchanging(%arg0: f32, %arg1: f32, %arg2: index, %arg3: index) -> (f32, f32, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = scf.for %arg4 = %c0 to %arg2 step %arg3 iter_args(%arg5 = %arg1) -> (f32) {
// CHECK-NEXT:       %1 = "test.use"(%arg0, %arg5, %arg0) : (f32, f32, f32) -> f32
// CHECK-NEXT:       scf.yield %1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg0, %0, %arg0 : f32, f32, f32
// CHECK-NEXT:   }
func.func @unchanging(%a: f32, %b: f32, %n: index, %step: index) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %0:4 = scf.for %i = %c0 to %n step %step iter_args(%same = %a, %x = %b, %init = %a, %unused = %b) -> (f32, f32, f32, f32) {
    %s = "test.use"(%same, %x, %init) : (f32, f32, f32) -> f32
    scf.yield %same, %s, %a, %s : f32, f32, f32, f32
  }
  return %0#0, %0#1, %0#2 : f32, f32, f32
}

// CHECK-NEXT:   func.func @carried_twice(%arg0: f32, %arg1: index, %arg2: index) -> (f32, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %arg1 step %arg2 iter_args(%arg4 = %arg0) -> (f32) {
// CHECK-NEXT:       %1 = "test.use"(%arg4, %arg4) : (f32, f32) -> f32
// CHECK-NEXT:       scf.yield %1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %0 : f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @carried_twice(%a: f32, %n: index, %step: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %0:2 = scf.for %i = %c0 to %n step %step iter_args(%x = %a, %y = %a) -> (f32, f32) {
    %s = "test.use"(%x, %y) : (f32, f32) -> f32
    scf.yield %s, %s : f32, f32
  }
  return %0#0, %0#1 : f32, f32
}
