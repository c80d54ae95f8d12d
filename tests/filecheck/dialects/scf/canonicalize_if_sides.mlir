// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// What the sides of an if yield, know of their condition, and have in common with other ifs.

// CHECK: module {
// CHECK-NEXT:   func.func @results_from_outside(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
// CHECK-NEXT:     %0 = arith.select %arg0, %arg1, %arg2 : i32
// CHECK-NEXT:     %1 = scf.if %arg0 -> (i32) {
// CHECK-NEXT:       %2 = "test.value"() : () -> i32
// CHECK-NEXT:       scf.yield %2 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %2 = "test.other"() : () -> i32
// CHECK-NEXT:       scf.yield %2 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %1, %arg1 : i32, i32, i32
// CHECK-NEXT:   }
func.func @results_from_outside(%p: i1, %a: i32, %b: i32) -> (i32, i32, i32) {
  %0:3 = scf.if %p -> (i32, i32, i32) {
    %v = "test.value"() : () -> i32
    scf.yield %a, %v, %a : i32, i32, i32
  } else {
    %v = "test.other"() : () -> i32
    scf.yield %b, %v, %a : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// CHECK-NEXT:   func.func @unused_results(%arg0: i1) -> i32 {
// CHECK-NEXT:     %0 = scf.if %arg0 -> (i32) {
// CHECK-NEXT:       %1 = "test.value"() : () -> i32
// CHECK-NEXT:       %2 = "test.value"() : () -> i64
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %1 = "test.other"() : () -> i32
// CHECK-NEXT:       %2 = "test.other"() : () -> i64
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
func.func @unused_results(%p: i1) -> i32 {
  %0:2 = scf.if %p -> (i32, i64) {
    %v = "test.value"() : () -> i32
    %w = "test.value"() : () -> i64
    scf.yield %v, %w : i32, i64
  } else {
    %v = "test.other"() : () -> i32
    %w = "test.other"() : () -> i64
    scf.yield %v, %w : i32, i64
  }
  return %0#0 : i32
}

// CHECK-NEXT:   func.func @condition_is_known(%arg0: i1) {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.use"(%true) : (i1) -> ()
// CHECK-NEXT:       "test.region"() ({
// CHECK-NEXT:         "test.use"(%true) : (i1) -> ()
// CHECK-NEXT:         "test.end"() : () -> ()
// CHECK-NEXT:       }) : () -> ()
// CHECK-NEXT:     } else {
// CHECK-NEXT:       "test.other"(%false) : (i1) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     "test.use"(%arg0) : (i1) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @condition_is_known(%p: i1) {
  scf.if %p {
    "test.use"(%p) : (i1) -> ()
    "test.region"() ({
      "test.use"(%p) : (i1) -> ()
      "test.end"() : () -> ()
    }) : () -> ()
  } else {
    "test.other"(%p) : (i1) -> ()
  }
  "test.use"(%p) : (i1) -> ()
  return
}

// CHECK-NEXT:   func.func @condition_yielded(%arg0: i1) -> (i1, i1, i1, i1) {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %0 = arith.xori %arg0, %true : i1
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.use"() : () -> ()
// CHECK-NEXT:     } else {
// CHECK-NEXT:       "test.other"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg0, %0, %true, %false : i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @condition_yielded(%p: i1) -> (i1, i1, i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0:4 = scf.if %p -> (i1, i1, i1, i1) {
    "test.use"() : () -> ()
    scf.yield %true, %false, %true, %false : i1, i1, i1, i1
  } else {
    "test.other"() : () -> ()
    scf.yield %false, %true, %true, %false : i1, i1, i1, i1
  }
  return %0#0, %0#1, %0#2, %0#3 : i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @static(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = "test.other"() : () -> i32
// CHECK-NEXT:     "test.always"() : () -> ()
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
func.func @static(%a: i32) -> i32 {
  %true = arith.constant true
  %false = arith.constant false
  %0 = scf.if %false -> i32 {
    %v = "test.value"() : () -> i32
    scf.yield %v : i32
  } else {
    %v = "test.other"() : () -> i32
    scf.yield %v : i32
  }
  scf.if %false {
    "test.never"() : () -> ()
  }
  scf.if %true {
    "test.always"() : () -> ()
  }
  return %0 : i32
}

// CHECK-NEXT:   func.func @empty_else(%arg0: i1) {
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.use"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @empty_else(%p: i1) {
  scf.if %p {
    "test.use"() : () -> ()
  } else {
  }
  return
}
