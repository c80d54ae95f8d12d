// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// execute_region and index_switch give way to their content.

func.func @one_block(%a: i32) -> i32 {
  %0 = scf.execute_region -> i32 {
    %v = "test.value"(%a) : (i32) -> i32
    scf.yield %v : i32
  }
  return %0 : i32
}

func.func @several_blocks(%p: i1, %a: i32) -> i32 {
  "test.before"() : () -> ()
  %0 = scf.execute_region -> i32 {
    cf.cond_br %p, ^bb1, ^bb2
  ^bb1:
    %v = "test.value"(%a) : (i32) -> i32
    scf.yield %v : i32
  ^bb2:
    "test.other"() : () -> ()
    scf.yield %a : i32
  }
  "test.use"(%0) : (i32) -> ()
  return %0 : i32
}

func.func @not_inlined(%p: i1, %a: i32) -> i32 {
  %0 = scf.execute_region -> i32 no_inline {
    %v = "test.value"(%a) : (i32) -> i32
    scf.yield %v : i32
  }
  scf.if %p {
    scf.execute_region {
      cf.cond_br %p, ^bb1, ^bb2
    ^bb1:
      "test.one"() : () -> ()
      scf.yield
    ^bb2:
      "test.other"() : () -> ()
      scf.yield
    }
  }
  return %0 : i32
}

func.func @switch(%i: index, %a: i32) -> (i32, i32) {
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %0 = scf.index_switch %c2 -> i32
  case 1 {
    %v = "test.one"() : () -> i32
    scf.yield %v : i32
  }
  case 2 {
    %v = "test.two"() : () -> i32
    scf.yield %v : i32
  }
  default {
    %v = "test.default"() : () -> i32
    scf.yield %v : i32
  }
  %1 = scf.index_switch %c7 -> i32
  case 1 {
    %v = "test.one"() : () -> i32
    scf.yield %v : i32
  }
  default {
    %v = "test.default"() : () -> i32
    scf.yield %v : i32
  }
  scf.index_switch %i
  case 1 {
    "test.use"() : () -> ()
    scf.yield
  }
  default {
  }
  return %0, %1 : i32, i32
}

// CHECK: module {
// CHECK-NEXT:   func.func @one_block(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = "test.value"(%arg0) : (i32) -> i32
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @several_blocks(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:     "test.before"() : () -> ()
// CHECK-NEXT:     cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %0 = "test.value"(%arg1) : (i32) -> i32
// CHECK-NEXT:     cf.br ^bb3(%0 : i32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.other"() : () -> ()
// CHECK-NEXT:     cf.br ^bb3(%arg1 : i32)
// CHECK-NEXT:   ^bb3(%1: i32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     "test.use"(%1) : (i32) -> ()
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @not_inlined(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = scf.execute_region -> i32 no_inline {
// CHECK-NEXT:       %1 = "test.value"(%arg1) : (i32) -> i32
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       "test.one"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @switch(%arg0: index, %arg1: i32) -> (i32, i32) {
// CHECK-NEXT:     %0 = "test.two"() : () -> i32
// CHECK-NEXT:     %1 = "test.default"() : () -> i32
// CHECK-NEXT:     scf.index_switch %arg0
// CHECK-NEXT:     case 1 {
// CHECK-NEXT:       "test.use"() : () -> ()
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     default {
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %1 : i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
