// RUN: xgpu-opt %s --inline | filecheck %s

// CHECK-NOT: @square
func.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[X:.*]]: i32, %[[C:.*]]: i1)
// CHECK: cf.cond_br %[[C]]
// CHECK: arith.muli %[[X]], %[[X]]
func.func @blocks(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^same, ^other
^same:
  return %x : i32
^other:
  %r = func.call @square(%x) : (i32) -> i32
  return %r : i32
}

// Several blocks go where several blocks may be, and recursion stays.
// CHECK-LABEL: func.func @main(
func.func @main(%x: i32, %c: i1, %n: index, %l: index, %s: index) -> i32 {
  // CHECK: cf.cond_br
  %0 = func.call @blocks(%x, %c) : (i32, i1) -> i32
  // CHECK: scf.for
  // CHECK: func.call @blocks
  // CHECK: func.call @again
  scf.for %i = %l to %n step %s {
    %1 = func.call @blocks(%x, %c) : (i32, i1) -> i32
    %2 = func.call @again(%1) : (i32) -> i32
  }
  return %0 : i32
}

// CHECK-LABEL: func.func @again(
// CHECK: call @again
func.func @again(%x: i32) -> i32 {
  %0 = func.call @again(%x) : (i32) -> i32
  return %0 : i32
}
