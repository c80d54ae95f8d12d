// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Results that are known, given twice, or not used; values that loops only carry around.

// CHECK: module {
// CHECK-NEXT:   func.func private @make(i32) -> i32
func.func private @make(i32) -> i32
// CHECK-NEXT:   func.func private @see(i32)
func.func private @see(i32)

// CHECK-NEXT:   func.func @switch(%arg0: index, %arg1: i32, %arg2: i32) -> (i32, i32, i32, i32) {
// CHECK-NEXT:     %0:2 = scf.index_switch %arg0 -> i32, i32
// CHECK-NEXT:     case 4 {
// CHECK-NEXT:       %1 = func.call @make(%arg1) : (i32) -> i32
// CHECK-NEXT:       scf.yield %1, %arg1 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     default {
// CHECK-NEXT:       %1 = func.call @make(%arg2) : (i32) -> i32
// CHECK-NEXT:       scf.yield %1, %arg2 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg1, %0#0, %0#1, %0#0 : i32, i32, i32, i32
// CHECK-NEXT:   }
func.func @switch(%i: index, %x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %0:5 = scf.index_switch %i -> i32, i32, i32, i32, i32
  case 4 {
    %1 = func.call @make(%x) : (i32) -> i32
    scf.yield %x, %1, %x, %y, %1 : i32, i32, i32, i32, i32
  }
  default {
    %1 = func.call @make(%y) : (i32) -> i32
    scf.yield %x, %1, %y, %x, %1 : i32, i32, i32, i32, i32
  }
  return %0#0, %0#1, %0#2, %0#4 : i32, i32, i32, i32
}

// CHECK-NEXT:   func.func @region(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
// CHECK-NEXT:     %0 = scf.execute_region -> i32 no_inline {
// CHECK-NEXT:       %1 = func.call @make(%arg1) : (i32) -> i32
// CHECK-NEXT:       cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       func.call @see(%arg2) : (i32) -> ()
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     ^bb2:  // pred: ^bb0
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg1, %0, %0 : i32, i32, i32
// CHECK-NEXT:   }
func.func @region(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32) {
  %0:4 = scf.execute_region -> (i32, i32, i32, i32) no_inline {
    %1 = func.call @make(%x) : (i32) -> i32
    cf.cond_br %c, ^a, ^b
  ^a:
    func.call @see(%y) : (i32) -> ()
    scf.yield %x, %1, %1, %y : i32, i32, i32, i32
  ^b:
    scf.yield %x, %1, %1, %1 : i32, i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// CHECK-NEXT:   func.func @if(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
// CHECK-NEXT:     %0 = scf.if %arg0 -> (i32) {
// CHECK-NEXT:       %1 = func.call @make(%arg1) : (i32) -> i32
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %1 = func.call @make(%arg2) : (i32) -> i32
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %0 : i32, i32
// CHECK-NEXT:   }
func.func @if(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    %1 = func.call @make(%x) : (i32) -> i32
    scf.yield %1, %1 : i32, i32
  } else {
    %1 = func.call @make(%y) : (i32) -> i32
    scf.yield %1, %1 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

// CHECK-NEXT:   func.func @carried_around(%arg0: index, %arg1: i32, %arg2: i32) -> (i32, i32, i32, i32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2) -> (i32) {
// CHECK-NEXT:       func.call @see(%arg1) : (i32) -> ()
// CHECK-NEXT:       func.call @see(%arg4) : (i32) -> ()
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg1, %arg1, %0, %arg1 : i32, i32, i32, i32
// CHECK-NEXT:   }
func.func @carried_around(%n: index, %x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %y, %d = %x) -> (i32, i32, i32, i32) {
    func.call @see(%a) : (i32) -> ()
    func.call @see(%c) : (i32) -> ()
    scf.yield %b, %a, %d, %b : i32, i32, i32, i32
  }
  return %0#0, %0#1, %0#2, %0#3 : i32, i32, i32, i32
}

// CHECK-NEXT:   func.func @exchanged(%arg0: index, %arg1: i32, %arg2: i32) -> (i32, i32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0:2 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg1, %arg5 = %arg2) -> (i32, i32) {
// CHECK-NEXT:       func.call @see(%arg4) : (i32) -> ()
// CHECK-NEXT:       scf.yield %arg5, %arg4 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @exchanged(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    func.call @see(%a) : (i32) -> ()
    scf.yield %b, %a : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
