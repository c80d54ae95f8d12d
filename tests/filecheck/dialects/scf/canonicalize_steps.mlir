// RUN: xgpu-opt --canonicalize --split-input-file --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// A step has to be positive: what has none never runs.

// CHECK: module {
// CHECK-NEXT:   func.func @zero(%arg0: i32, %arg1: index) -> (i32, i32, i32) {
// CHECK-NEXT:     return %arg0, %arg0, %arg0 : i32, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @zero(%a: i32, %n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m1 = arith.constant -1 : index
  %r0 = scf.for %i = %c0 to %c4 step %c0 iter_args(%x = %a) -> (i32) {
    %y = "some.use"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  %r1 = scf.for %i = %c0 to %c4 step %m1 iter_args(%x = %a) -> (i32) {
    %y = "some.use"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  %r2 = scf.for %i = %c4 to %c0 step %m1 iter_args(%x = %a) -> (i32) {
    %y = "some.use"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  return %r0, %r1, %r2 : i32, i32, i32
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @same(%arg0: i32, %arg1: index) -> (i32, i32) {
// CHECK-NEXT:     return %arg0, %arg0 : i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @same(%a: i32, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %r0 = scf.for %i = %n to %n step %c0 iter_args(%x = %a) -> (i32) {
    %y = "some.use"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  %r1 = scf.for %i = %n to %n step %m1 iter_args(%x = %a) -> (i32) {
    %y = "some.use"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  return %r0, %r1 : i32, i32
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @one(%arg0: i32) -> (i32, i32) {
// CHECK-NEXT:     return %arg0, %arg0 : i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @one(%a: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : index
  %m8 = arith.constant -8 : index
  %r0 = scf.for %i = %c1 to %c0 step %m8 iter_args(%x = %a) -> (i32) {
    %y = "some.use"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  %r1 = scf.for %i = %c0 to %c1 step %m8 iter_args(%x = %a) -> (i32) {
    %y = "some.use"(%x) : (i32) -> i32
    scf.yield %y : i32
  }
  return %r0, %r1 : i32, i32
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @passes(%arg0: i32, %arg1: index) -> i32 {
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @passes(%a: i32, %n: index) -> i32 {
  %m1 = arith.constant -1 : index
  %r0 = scf.for %i = %n to %m1 step %m1 iter_args(%x = %a) -> (i32) {
    scf.yield %x : i32
  }
  return %r0 : i32
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @unknown(%arg0: index, %arg1: memref<?xf32>) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unknown(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  scf.for %i = %n to %c0 step %m1 {
    scf.for %j = %c0 to %n step %i {
      "some.use"(%j) : (index) -> ()
    }
  }
  return
}
