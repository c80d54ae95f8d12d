// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// What a while passes on: values that never change, are not used, are the same, or are known.

// CHECK: module {
// CHECK-NEXT:   func.func @condition_is_true() -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0 = scf.while : () -> i1 {
// CHECK-NEXT:       %1 = "test.condition"() : () -> i1
// CHECK-NEXT:       scf.condition(%1) %1 : i1
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg0: i1):
// CHECK-NEXT:       "test.use"(%true) : (i1) -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i1
// CHECK-NEXT:   }
func.func @condition_is_true() -> i1 {
  %0 = scf.while : () -> i1 {
    %c = "test.condition"() : () -> i1
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%c: i1):
    "test.use"(%c) : (i1) -> ()
    scf.yield
  }
  return %0 : i1
}

// CHECK-NEXT:   func.func @compared(%arg0: i32) -> i32 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0 = scf.while : () -> i32 {
// CHECK-NEXT:       %1 = "test.value"() : () -> i32
// CHECK-NEXT:       %2 = arith.cmpi ne, %1, %arg0 : i32
// CHECK-NEXT:       scf.condition(%2) %1 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg1: i32):
// CHECK-NEXT:       %1 = arith.cmpi slt, %arg1, %arg0 : i32
// CHECK-NEXT:       "test.use"(%true, %false, %1) : (i1, i1, i1) -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
func.func @compared(%n: i32) -> i32 {
  %0 = scf.while : () -> i32 {
    %v = "test.value"() : () -> i32
    %c = arith.cmpi ne, %v, %n : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    %differs = arith.cmpi ne, %v, %n : i32
    %equals = arith.cmpi eq, %v, %n : i32
    %less = arith.cmpi slt, %v, %n : i32
    "test.use"(%differs, %equals, %less) : (i1, i1, i1) -> ()
    scf.yield
  }
  return %0 : i32
}

// CHECK-NEXT:   func.func @compared_with_the_second(%arg0: i32) -> i32 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %0 = scf.while : () -> i32 {
// CHECK-NEXT:       %1 = "test.value"() : () -> i32
// CHECK-NEXT:       %2 = arith.cmpi sgt, %arg0, %1 : i32
// CHECK-NEXT:       scf.condition(%2) %1 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg1: i32):
// CHECK-NEXT:       %1 = arith.cmpi slt, %arg1, %arg0 : i32
// CHECK-NEXT:       "test.use"(%true, %false, %1) : (i1, i1, i1) -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
func.func @compared_with_the_second(%n: i32) -> i32 {
  %0 = scf.while : () -> i32 {
    %v = "test.value"() : () -> i32
    %c = arith.cmpi sgt, %n, %v : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    %greater = arith.cmpi sgt, %n, %v : i32
    %not = arith.cmpi sle, %n, %v : i32
    %turned = arith.cmpi slt, %v, %n : i32
    "test.use"(%greater, %not, %turned) : (i1, i1, i1) -> ()
    scf.yield
  }
  return %0 : i32
}

// CHECK-NEXT:   func.func @unused_results() -> i32 {
// CHECK-NEXT:     %0:2 = scf.while : () -> (i32, i64) {
// CHECK-NEXT:       %1 = "test.condition"() : () -> i1
// CHECK-NEXT:       %2 = "test.value"() : () -> i32
// CHECK-NEXT:       %3 = "test.value"() : () -> i64
// CHECK-NEXT:       %4 = "test.value"() : () -> f32
// CHECK-NEXT:       scf.condition(%1) %2, %3 : i32, i64
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg0: i32, %arg1: i64):
// CHECK-NEXT:       "test.use"(%arg1) : (i64) -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0 : i32
// CHECK-NEXT:   }
func.func @unused_results() -> i32 {
  %0:3 = scf.while : () -> (i32, i64, f32) {
    %c = "test.condition"() : () -> i1
    %a = "test.value"() : () -> i32
    %b = "test.value"() : () -> i64
    %d = "test.value"() : () -> f32
    scf.condition(%c) %a, %b, %d : i32, i64, f32
  } do {
  ^bb0(%a: i32, %b: i64, %d: f32):
    "test.use"(%b) : (i64) -> ()
    scf.yield
  }
  return %0#0 : i32
}

// CHECK-NEXT:   func.func @duplicated() -> (i32, i32) {
// CHECK-NEXT:     %0 = scf.while : () -> i32 {
// CHECK-NEXT:       %1 = "test.condition"() : () -> i1
// CHECK-NEXT:       %2 = "test.value"() : () -> i32
// CHECK-NEXT:       scf.condition(%1) %2 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg0: i32):
// CHECK-NEXT:       "test.use"(%arg0, %arg0) : (i32, i32) -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %0 : i32, i32
// CHECK-NEXT:   }
func.func @duplicated() -> (i32, i32) {
  %0:2 = scf.while : () -> (i32, i32) {
    %c = "test.condition"() : () -> i1
    %a = "test.value"() : () -> i32
    scf.condition(%c) %a, %a : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    "test.use"(%a, %b) : (i32, i32) -> ()
    scf.yield
  }
  return %0#0, %0#1 : i32, i32
}

// CHECK-NEXT:   func.func @invariant(%arg0: i32, %arg1: i32) -> (i32, i32) {
// CHECK-NEXT:     %0 = scf.while (%arg2 = %arg1) : (i32) -> i32 {
// CHECK-NEXT:       %1 = "test.condition"(%arg0, %arg2) : (i32, i32) -> i1
// CHECK-NEXT:       scf.condition(%1) %arg2 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg2: i32):
// CHECK-NEXT:       %1 = "test.next"(%arg2) : (i32) -> i32
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg0, %0 : i32, i32
// CHECK-NEXT:   }
func.func @invariant(%a: i32, %b: i32) -> (i32, i32) {
  %0:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %c = "test.condition"(%x, %y) : (i32, i32) -> i1
    scf.condition(%c) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %next = "test.next"(%y) : (i32) -> i32
    scf.yield %x, %next : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

// CHECK-NEXT:   func.func @set_to_the_same(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = scf.while : () -> i32 {
// CHECK-NEXT:       %1 = "test.condition"(%arg0) : (i32) -> i1
// CHECK-NEXT:       %2 = "test.value"() : () -> i32
// CHECK-NEXT:       scf.condition(%1) %2 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg1: i32):
// CHECK-NEXT:       "test.use"(%arg1) : (i32) -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
func.func @set_to_the_same(%a: i32) -> i32 {
  %0 = scf.while (%x = %a) : (i32) -> i32 {
    %c = "test.condition"(%x) : (i32) -> i1
    %v = "test.value"() : () -> i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    "test.use"(%v) : (i32) -> ()
    scf.yield %a : i32
  }
  return %0 : i32
}

// CHECK-NEXT:   func.func @from_outside(%arg0: i32) -> i32 {
// CHECK-NEXT:     scf.while : () -> () {
// CHECK-NEXT:       %0 = "test.condition"() : () -> i1
// CHECK-NEXT:       scf.condition(%0)
// CHECK-NEXT:     } do {
// CHECK-NEXT:       "test.use"(%arg0) : (i32) -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   }
func.func @from_outside(%a: i32) -> i32 {
  %0 = scf.while : () -> i32 {
    %c = "test.condition"() : () -> i1
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%v: i32):
    "test.use"(%v) : (i32) -> ()
    scf.yield
  }
  return %0 : i32
}

// CHECK-NEXT:   func.func @unused_argument(%arg0: i32, %arg1: i64) -> i32 {
// CHECK-NEXT:     %0 = scf.while (%arg2 = %arg1) : (i64) -> i32 {
// CHECK-NEXT:       %1 = "test.condition"(%arg2) : (i64) -> i1
// CHECK-NEXT:       %2 = "test.value"() : () -> i32
// CHECK-NEXT:       scf.condition(%1) %2 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg2: i32):
// CHECK-NEXT:       %1 = "test.next"() : () -> i64
// CHECK-NEXT:       scf.yield %1 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unused_argument(%a: i32, %b: i64) -> i32 {
  %0 = scf.while (%x = %a, %y = %b) : (i32, i64) -> i32 {
    %c = "test.condition"(%y) : (i64) -> i1
    %v = "test.value"() : () -> i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    %next = "test.next"() : () -> i64
    scf.yield %v, %next : i32, i64
  }
  return %0 : i32
}
