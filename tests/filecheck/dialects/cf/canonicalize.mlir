// RUN: xgpu-opt %s --canonicalize | filecheck %s

func.func @constant_condition(%x: i32, %y: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^a(%x : i32), ^b(%y : i32)
^a(%0: i32):
  return %0 : i32
^b(%1: i32):
  %2 = arith.addi %1, %1 : i32
  return %2 : i32
}

func.func @same_target(%p: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %p, ^a(%x : i32), ^a(%y : i32)
^a(%0: i32):
  return %0 : i32
}

func.func @through(%p: i1, %x: i32) -> i32 {
  cf.cond_br %p, ^a, ^b
^a:
  cf.br ^c(%x : i32)
^b:
  %0 = arith.muli %x, %x : i32
  cf.br ^c(%0 : i32)
^c(%1: i32):
  return %1 : i32
}

func.func @dead_argument(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, i32)
^head(%i: index, %dead: i32):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %c1 : index
  %other = arith.addi %dead, %dead : i32
  cf.br ^head(%next, %other : index, i32)
^exit:
  return
}

// CHECK-LABEL: func.func @constant_condition(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:      return %arg0 : i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @same_target(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
// CHECK-NEXT:      %0 = arith.select %arg0, %arg1, %arg2 : i32
// CHECK-NEXT:      return %0 : i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @through(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:      cf.cond_br %arg0, ^bb2(%arg1 : i32), ^bb1
// CHECK-NEXT:    ^bb1:  // pred: ^bb0
// CHECK-NEXT:      %0 = arith.muli %arg1, %arg1 : i32
// CHECK-NEXT:      cf.br ^bb2(%0 : i32)
// CHECK-NEXT:    ^bb2(%1: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:      return %1 : i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @dead_argument(%arg0: index, %arg1: i32) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      cf.br ^bb1(%c0 : index)
// CHECK-NEXT:    ^bb1(%0: index):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:      %1 = arith.cmpi ult, %0, %arg0 : index
// CHECK-NEXT:      cf.cond_br %1, ^bb2, ^bb3
// CHECK-NEXT:    ^bb2:  // pred: ^bb1
// CHECK-NEXT:      %2 = arith.addi %0, %c1 : index
// CHECK-NEXT:      cf.br ^bb1(%2 : index)
// CHECK-NEXT:    ^bb3:  // pred: ^bb1
// CHECK-NEXT:      return
// CHECK-NEXT:    }
