// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// Switches: what is known of the flag, cases that go where the default goes, blocks that branch on.

func.func @only_default(%f: i32, %a: i32) -> i32 {
  cf.switch %f : i32, [
    default: ^bb1(%a : i32)
  ]
^bb1(%x: i32):
  "test.use"(%x) : (i32) -> ()
  return %x : i32
}

func.func @cases_of_default(%f: i32, %a: i32, %b: i32) {
  cf.switch %f : i32, [
    default: ^bb1(%a : i32),
    10: ^bb1(%a : i32),
    20: ^bb1(%b : i32),
    30: ^bb2,
    40: ^bb1(%a : i32)
  ]
^bb1(%x: i32):
  "test.one"(%x) : (i32) -> ()
  return
^bb2:
  "test.two"() : () -> ()
  return
}

func.func @constant_flag(%a: i32, %b: i32) -> i32 {
  %c20 = arith.constant 20 : i32
  cf.switch %c20 : i32, [
    default: ^bb1(%a : i32),
    10: ^bb1(%a : i32),
    20: ^bb1(%b : i32)
  ]
^bb1(%x: i32):
  return %x : i32
}

func.func @constant_default(%a: i32, %b: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  cf.switch %c7 : i32, [
    default: ^bb1(%a : i32),
    20: ^bb1(%b : i32)
  ]
^bb1(%x: i32):
  return %x : i32
}

func.func @through(%f: i32, %a: i32, %b: i32) {
  cf.switch %f : i32, [
    default: ^bb1,
    10: ^bb2(%a : i32),
    20: ^bb3(%a : i32)
  ]
^bb1:
  cf.br ^bb4(%b, %a : i32, i32)
^bb2(%x: i32):
  cf.br ^bb4(%x, %b : i32, i32)
^bb3(%y: i32):
  "test.three"(%y) : (i32) -> ()
  return
^bb4(%v: i32, %w: i32):
  "test.four"(%v, %w) : (i32, i32) -> ()
  return
}

func.func @known_case(%f: i32) {
  cf.switch %f : i32, [
    default: ^bb1,
    42: ^bb2
  ]
^bb1:
  "test.one"() : () -> ()
  return
^bb2:
  "test.two"() : () -> ()
  cf.switch %f : i32, [
    default: ^bb1,
    41: ^bb1,
    42: ^bb3
  ]
^bb3:
  "test.three"() : () -> ()
  return
}

func.func @case_that_is_default(%f: i32) {
  cf.switch %f : i32, [
    default: ^bb1,
    42: ^bb2
  ]
^bb1:
  "test.one"() : () -> ()
  return
^bb2:
  "test.two"() : () -> ()
  cf.switch %f : i32, [
    default: ^bb1,
    43: ^bb3
  ]
^bb3:
  "test.three"() : () -> ()
  return
}

func.func @excluded(%f: i32) {
  cf.switch %f : i32, [
    default: ^bb1,
    42: ^bb2,
    43: ^bb2
  ]
^bb1:
  "test.one"() : () -> ()
  cf.switch %f : i32, [
    default: ^bb2,
    42: ^bb3,
    44: ^bb4,
    45: ^bb3
  ]
^bb2:
  "test.two"() : () -> ()
  return
^bb3:
  "test.three"() : () -> ()
  return
^bb4:
  "test.four"() : () -> ()
  return
}

func.func @other_flag(%f: i32, %g: i32) {
  cf.switch %f : i32, [
    default: ^bb1,
    42: ^bb2
  ]
^bb1:
  "test.one"() : () -> ()
  return
^bb2:
  "test.two"() : () -> ()
  cf.switch %g : i32, [
    default: ^bb1,
    42: ^bb3
  ]
^bb3:
  "test.three"() : () -> ()
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @only_default(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:     "test.use"(%arg1) : (i32) -> ()
// CHECK-NEXT:     return %arg1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @cases_of_default(%arg0: i32, %arg1: i32, %arg2: i32) {
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb1(%arg1 : i32),
// CHECK-NEXT:       20: ^bb1(%arg2 : i32),
// CHECK-NEXT:       30: ^bb2
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb0
// CHECK-NEXT:     "test.one"(%0) : (i32) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.two"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @constant_flag(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:     return %arg1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @constant_default(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @through(%arg0: i32, %arg1: i32, %arg2: i32) {
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb2(%arg2, %arg1 : i32, i32),
// CHECK-NEXT:       10: ^bb2(%arg1, %arg2 : i32, i32),
// CHECK-NEXT:       20: ^bb1(%arg1 : i32)
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1(%0: i32):  // pred: ^bb0
// CHECK-NEXT:     "test.three"(%0) : (i32) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   ^bb2(%1: i32, %2: i32):  // 2 preds: ^bb0, ^bb0
// CHECK-NEXT:     "test.four"(%1, %2) : (i32, i32) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @known_case(%arg0: i32) {
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb1,
// CHECK-NEXT:       42: ^bb2
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     "test.one"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.two"() : () -> ()
// CHECK-NEXT:     "test.three"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @case_that_is_default(%arg0: i32) {
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb1,
// CHECK-NEXT:       42: ^bb2
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     "test.one"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.two"() : () -> ()
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @excluded(%arg0: i32) {
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb1,
// CHECK-NEXT:       42: ^bb2,
// CHECK-NEXT:       43: ^bb2
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     "test.one"() : () -> ()
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb2,
// CHECK-NEXT:       44: ^bb4,
// CHECK-NEXT:       45: ^bb3
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb2:  // 3 preds: ^bb0, ^bb0, ^bb1
// CHECK-NEXT:     "test.two"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   ^bb3:  // pred: ^bb1
// CHECK-NEXT:     "test.three"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   ^bb4:  // pred: ^bb1
// CHECK-NEXT:     "test.four"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @other_flag(%arg0: i32, %arg1: i32) {
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb1,
// CHECK-NEXT:       42: ^bb2
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     "test.one"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.two"() : () -> ()
// CHECK-NEXT:     cf.switch %arg1 : i32, [
// CHECK-NEXT:       default: ^bb1,
// CHECK-NEXT:       42: ^bb3
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb3:  // pred: ^bb2
// CHECK-NEXT:     "test.three"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
