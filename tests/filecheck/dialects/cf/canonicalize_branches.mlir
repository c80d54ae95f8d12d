// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// Branches through blocks that branch on, on conditions that are known, to one place.

func.func @through(%a: i32, %p: i1) -> i32 {
  cf.cond_br %p, ^bb1, ^bb2(%a : i32)
^bb1:
  "test.one"() : () -> ()
  cf.br ^bb3(%a : i32)
^bb2(%x: i32):
  cf.br ^bb4(%x, %x : i32, i32)
^bb3(%y: i32):
  cf.br ^bb4(%y, %a : i32, i32)
^bb4(%v: i32, %w: i32):
  %0 = "test.use"(%v, %w) : (i32, i32) -> i32
  return %0 : i32
}

func.func @with_weights(%a: i32, %p: i1) -> i32 {
  cf.cond_br %p weights([3, 5]), ^bb1, ^bb2(%a : i32)
^bb1:
  cf.br ^bb2(%a : i32)
^bb2(%x: i32):
  "test.two"() : () -> ()
  return %x : i32
}

func.func @used_elsewhere(%a: i32, %p: i1) -> i32 {
  cf.cond_br %p, ^bb1(%a : i32), ^bb2
^bb1(%x: i32):
  cf.br ^bb3
^bb2:
  "test.two"() : () -> ()
  return %a : i32
^bb3:
  %0 = "test.use"(%x) : (i32) -> i32
  return %0 : i32
}

func.func @endless(%p: i1) {
  cf.cond_br %p, ^bb1, ^bb3
^bb1:
  cf.br ^bb2
^bb2:
  cf.br ^bb1
^bb3:
  return
}

func.func @endless_alone(%p: i1) {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  cf.br ^bb1
^bb2:
  return
}

func.func @same_successor(%p: i1, %a: i32, %b: i32) -> (i32, i32) {
  cf.cond_br %p, ^bb1(%a, %b : i32, i32), ^bb1(%b, %b : i32, i32)
^bb1(%x: i32, %y: i32):
  "test.use"(%x) : (i32) -> ()
  return %x, %y : i32, i32
}

func.func @same_successor_of_several(%p: i1, %q: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %q, ^bb1, ^bb2(%a : i32)
^bb1:
  "test.one"() : () -> ()
  cf.cond_br %p, ^bb2(%a : i32), ^bb2(%b : i32)
^bb2(%x: i32):
  "test.two"(%x) : (i32) -> ()
  return %x : i32
}

func.func @same_operands(%p: i1, %q: i1, %a: i32) -> i32 {
  cf.cond_br %q, ^bb1, ^bb2(%a : i32)
^bb1:
  "test.one"() : () -> ()
  cf.cond_br %p, ^bb2(%a : i32), ^bb2(%a : i32)
^bb2(%x: i32):
  "test.two"(%x) : (i32) -> ()
  return %x : i32
}

func.func @same_condition(%p: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  "test.one"() : () -> ()
  cf.cond_br %p, ^bb3(%a : i32), ^bb3(%b : i32)
^bb2:
  "test.two"(%p) : (i1) -> ()
  cf.cond_br %p, ^bb3(%a : i32), ^bb4
^bb3(%x: i32):
  "test.three"(%x) : (i32) -> ()
  return %x : i32
^bb4:
  "test.four"(%p) : (i1) -> ()
  return %a : i32
}

func.func @known_condition(%p: i1) -> i1 {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  "test.one"(%p) : (i1) -> ()
  return %p : i1
^bb2:
  "test.two"(%p) : (i1) -> ()
  return %p : i1
}

func.func @unreachable(%p: i1, %a: i32) -> i32 {
  cf.cond_br %p, ^bb1, ^bb2(%a : i32)
^bb1:
  ub.unreachable
^bb2(%x: i32):
  "test.two"(%x) : (i32) -> ()
  return %x : i32
}

func.func @assertions(%p: i1) {
  %true = arith.constant true
  %false = arith.constant false
  cf.assert %true, "goes"
  cf.assert %p, "stays"
  cf.assert %false, "stays too"
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @through(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2(%arg0, %arg0 : i32, i32)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     "test.one"() : () -> ()
// CHECK-NEXT:     cf.br ^bb2(%arg0, %arg0 : i32, i32)
// CHECK-NEXT:   ^bb2(%0: i32, %1: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     %2 = "test.use"(%0, %1) : (i32, i32) -> i32
// CHECK-NEXT:     return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @with_weights(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT:     "test.two"() : () -> ()
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @used_elsewhere(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1(%arg0 : i32), ^bb2
// CHECK-NEXT:   ^bb1(%0: i32):  // pred: ^bb0
// CHECK-NEXT:     %1 = "test.use"(%0) : (i32) -> i32
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.two"() : () -> ()
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @endless(%arg0: i1) {
// CHECK-NEXT:     cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @endless_alone(%arg0: i1) {
// CHECK-NEXT:     cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @same_successor(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
// CHECK-NEXT:     %0 = arith.select %arg0, %arg1, %arg2 : i32
// CHECK-NEXT:     "test.use"(%0) : (i32) -> ()
// CHECK-NEXT:     return %0, %arg2 : i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @same_successor_of_several(%arg0: i1, %arg1: i1, %arg2: i32, %arg3: i32) -> i32 {
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2(%arg2 : i32)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     "test.one"() : () -> ()
// CHECK-NEXT:     cf.cond_br %arg0, ^bb2(%arg2 : i32), ^bb2(%arg3 : i32)
// CHECK-NEXT:   ^bb2(%0: i32):  // 3 preds: ^bb0, ^bb1, ^bb1
// CHECK-NEXT:     "test.two"(%0) : (i32) -> ()
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @same_operands(%arg0: i1, %arg1: i1, %arg2: i32) -> i32 {
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2(%arg2 : i32)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     "test.one"() : () -> ()
// CHECK-NEXT:     cf.br ^bb2(%arg2 : i32)
// CHECK-NEXT:   ^bb2(%0: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     "test.two"(%0) : (i32) -> ()
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @same_condition(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     "test.one"() : () -> ()
// CHECK-NEXT:     "test.three"(%arg1) : (i32) -> ()
// CHECK-NEXT:     return %arg1 : i32
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.two"(%false) : (i1) -> ()
// CHECK-NEXT:     "test.four"(%false) : (i1) -> ()
// CHECK-NEXT:     return %arg1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @known_condition(%arg0: i1) -> i1 {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     "test.one"(%true) : (i1) -> ()
// CHECK-NEXT:     return %true : i1
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.two"(%false) : (i1) -> ()
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @unreachable(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:     "test.two"(%arg1) : (i32) -> ()
// CHECK-NEXT:     return %arg1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @assertions(%arg0: i1) {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     cf.assert %arg0, "stays"
// CHECK-NEXT:     cf.assert %false, "stays too"
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
