// RUN: xgpu-opt %s --split-input-file --remove-dead-values=canonicalize=0 --allow-unregistered-dialect | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --split-input-file --remove-dead-values --allow-unregistered-dialect | filecheck %s --match-full-lines --check-prefix=CANONICAL

// An argument of a private function goes with the operands of its calls, a result with what only
// serves it.
// CHECK: module {
// CHECK-NEXT:   func.func private @callee(%arg0: i32, %arg1: memref<i32>) -> i32 {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT:     memref.store %arg0, %arg1[] : memref<i32>
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CANONICAL: module {
// CANONICAL-NEXT:   func.func private @callee(%arg0: i32, %arg1: memref<i32>) -> i32 {
// CANONICAL-NEXT:     %0 = arith.addi %arg0, %arg0 : i32
// CANONICAL-NEXT:     memref.store %arg0, %arg1[] : memref<i32>
// CANONICAL-NEXT:     return %0 : i32
// CANONICAL-NEXT:   }
func.func private @callee(%a: i32, %b: i32, %m: memref<i32>) -> (i32, i32) {
  %0 = arith.addi %b, %b : i32
  memref.store %b, %m[] : memref<i32>
  return %a, %0 : i32, i32
}
// CHECK-NEXT:   func.func @caller(%arg0: i32, %arg1: memref<i32>) -> i32 {
// CHECK-NEXT:     %0 = call @callee(%arg0, %arg1) : (i32, memref<i32>) -> i32
// CHECK-NEXT:     %1 = call @callee(%arg0, %arg1) : (i32, memref<i32>) -> i32
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CANONICAL-NEXT:   func.func @caller(%arg0: i32, %arg1: memref<i32>) -> i32 {
// CANONICAL-NEXT:     %0 = call @callee(%arg0, %arg1) : (i32, memref<i32>) -> i32
// CANONICAL-NEXT:     %1 = call @callee(%arg0, %arg1) : (i32, memref<i32>) -> i32
// CANONICAL-NEXT:     return %1 : i32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }
func.func @caller(%a: i32, %m: memref<i32>) -> i32 {
  %0 = arith.muli %a, %a : i32
  %1:2 = call @callee(%0, %a, %m) : (i32, i32, memref<i32>) -> (i32, i32)
  %2:2 = call @callee(%0, %a, %m) : (i32, i32, memref<i32>) -> (i32, i32)
  return %2#1 : i32
}

// -----

// The address of a function says what its arguments are.
// CHECK: module {
// CHECK-NEXT:   func.func private @taken(%arg0: i32) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CANONICAL: module {
// CANONICAL-NEXT:   func.func private @taken(%arg0: i32) {
// CANONICAL-NEXT:     return
// CANONICAL-NEXT:   }
func.func private @taken(%a: i32) {
  return
}
// CHECK-NEXT:   func.func @address() -> ((i32) -> ()) {
// CHECK-NEXT:     %f = constant @taken : (i32) -> ()
// CHECK-NEXT:     return %f : (i32) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CANONICAL-NEXT:   func.func @address() -> ((i32) -> ()) {
// CANONICAL-NEXT:     %f = constant @taken : (i32) -> ()
// CANONICAL-NEXT:     return %f : (i32) -> ()
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }
func.func @address() -> ((i32) -> ()) {
  %0 = func.constant @taken : (i32) -> ()
  return %0 : (i32) -> ()
}

// -----

// CHECK: module {
// CHECK-NEXT:   llvm.func internal @inner(%arg0: i64, %arg1: !llvm.ptr) attributes {sym_visibility = "private"} {
// CHECK-NEXT:     llvm.store %arg0, %arg1 : i64, !llvm.ptr
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CANONICAL: module {
// CANONICAL-NEXT:   llvm.func internal @inner(%arg0: i64, %arg1: !llvm.ptr) attributes {sym_visibility = "private"} {
// CANONICAL-NEXT:     llvm.store %arg0, %arg1 : i64, !llvm.ptr
// CANONICAL-NEXT:     llvm.return
// CANONICAL-NEXT:   }
llvm.func internal @inner(%a: i64, %p: !llvm.ptr) -> i64 attributes {sym_visibility = "private"} {
  llvm.store %a, %p : i64, !llvm.ptr
  llvm.return %a : i64
}
// CHECK-NEXT:   llvm.func @outer(%arg0: i64, %arg1: !llvm.ptr) {
// CHECK-NEXT:     llvm.call @inner(%arg0, %arg1) : (i64, !llvm.ptr) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CANONICAL-NEXT:   llvm.func @outer(%arg0: i64, %arg1: !llvm.ptr) {
// CANONICAL-NEXT:     llvm.call @inner(%arg0, %arg1) : (i64, !llvm.ptr) -> ()
// CANONICAL-NEXT:     llvm.return
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }
llvm.func @outer(%a: i64, %p: !llvm.ptr) {
  %0 = llvm.call @inner(%a, %p) : (i64, !llvm.ptr) -> i64
  llvm.return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @loop(%arg0: index, %arg1: f32, %arg2: memref<?xf32>) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = ub.poison : f32
// CHECK-NEXT:     %2:3 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg1, %arg5 = %0, %arg6 = %1) -> (f32, f32, f32) {
// CHECK-NEXT:       %3 = arith.addf %arg4, %arg4 : f32
// CHECK-NEXT:       memref.store %3, %arg2[%arg3] : memref<?xf32>
// CHECK-NEXT:       %4 = ub.poison : f32
// CHECK-NEXT:       %5 = ub.poison : f32
// CHECK-NEXT:       scf.yield %3, %4, %5 : f32, f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %2#0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CANONICAL: module {
// CANONICAL-NEXT:   func.func @loop(%arg0: index, %arg1: f32, %arg2: memref<?xf32>) -> f32 {
// CANONICAL-NEXT:     %c0 = arith.constant 0 : index
// CANONICAL-NEXT:     %c1 = arith.constant 1 : index
// CANONICAL-NEXT:     %0 = ub.poison : f32
// CANONICAL-NEXT:     %1 = ub.poison : f32
// CANONICAL-NEXT:     %2 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg1) -> (f32) {
// CANONICAL-NEXT:       %3 = arith.addf %arg4, %arg4 : f32
// CANONICAL-NEXT:       memref.store %3, %arg2[%arg3] : memref<?xf32>
// CANONICAL-NEXT:       scf.yield %3 : f32
// CANONICAL-NEXT:     }
// CANONICAL-NEXT:     return %2 : f32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }
func.func @loop(%n: index, %a: f32, %m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a, %z = %a) -> (f32, f32, f32) {
    %0 = arith.addf %x, %x : f32
    %1 = arith.mulf %y, %z : f32
    memref.store %0, %m[%i] : memref<?xf32>
    scf.yield %0, %1, %x : f32, f32, f32
  }
  return %r#0 : f32
}

// -----

func.func @blocks(%c: i1, %a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  cf.br ^bb1(%a, %0 : i32, i32)
^bb1(%x: i32, %y: i32):
  %1 = arith.addi %y, %y : i32
  cf.cond_br %c, ^bb1(%x, %1 : i32, i32), ^bb2(%x, %y : i32, i32)
^bb2(%z: i32, %w: i32):
  return %z : i32
}

// CHECK: module {
// CHECK-NEXT:   func.func @blocks(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
// CHECK-NEXT:     cf.br ^bb1(%arg1 : i32)
// CHECK-NEXT:   ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     cf.cond_br %arg0, ^bb1(%0 : i32), ^bb2(%0 : i32)
// CHECK-NEXT:   ^bb2(%1: i32):  // pred: ^bb1
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CANONICAL: module {
// CANONICAL-NEXT:   func.func @blocks(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
// CANONICAL-NEXT:     cf.br ^bb1(%arg1 : i32)
// CANONICAL-NEXT:   ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb1
// CANONICAL-NEXT:     cf.cond_br %arg0, ^bb1(%0 : i32), ^bb2(%0 : i32)
// CANONICAL-NEXT:   ^bb2(%1: i32):  // pred: ^bb1
// CANONICAL-NEXT:     return %1 : i32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }

// -----

// What cannot run counts for nothing.
func.func @never(%m: memref<i32>, %a: i32) -> i32 {
  %false = arith.constant false
  cf.cond_br %false, ^bb1, ^bb2
^bb1:
  %0 = arith.addi %a, %a : i32
  memref.store %0, %m[] : memref<i32>
  cf.br ^bb2
^bb2:
  return %a : i32
}

// CHECK: module {
// CHECK-NEXT:   func.func @never(%arg0: memref<i32>, %arg1: i32) -> i32 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     cf.cond_br %false, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     cf.br ^bb2
// CHECK-NEXT:   ^bb2:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     return %arg1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CANONICAL: module {
// CANONICAL-NEXT:   func.func @never(%arg0: memref<i32>, %arg1: i32) -> i32 {
// CANONICAL-NEXT:     %false = arith.constant false
// CANONICAL-NEXT:     cf.cond_br %false, ^bb1, ^bb2
// CANONICAL-NEXT:   ^bb1:  // pred: ^bb0
// CANONICAL-NEXT:     cf.br ^bb2
// CANONICAL-NEXT:   ^bb2:  // 2 preds: ^bb0, ^bb1
// CANONICAL-NEXT:     return %arg1 : i32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @while(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = ub.poison : i32
// CHECK-NEXT:     %1:2 = scf.while (%arg2 = %arg1, %arg3 = %0) : (i32, i32) -> (i32, i32) {
// CHECK-NEXT:       %2 = "test.op"(%arg2) : (i32) -> i32
// CHECK-NEXT:       %3 = ub.poison : i32
// CHECK-NEXT:       scf.condition(%arg0) %2, %3 : i32, i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg2: i32, %arg3: i32):
// CHECK-NEXT:       %2 = ub.poison : i32
// CHECK-NEXT:       scf.yield %arg2, %2 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1#0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CANONICAL: module {
// CANONICAL-NEXT:   func.func @while(%arg0: i1, %arg1: i32) -> i32 {
// CANONICAL-NEXT:     %0 = ub.poison : i32
// CANONICAL-NEXT:     %1 = scf.while (%arg2 = %arg1) : (i32) -> i32 {
// CANONICAL-NEXT:       %2 = "test.op"(%arg2) : (i32) -> i32
// CANONICAL-NEXT:       scf.condition(%arg0) %2 : i32
// CANONICAL-NEXT:     } do {
// CANONICAL-NEXT:     ^bb0(%arg2: i32):
// CANONICAL-NEXT:       scf.yield %arg2 : i32
// CANONICAL-NEXT:     }
// CANONICAL-NEXT:     return %1 : i32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }
func.func @while(%c: i1, %a: i32) -> i32 {
  %0:2 = scf.while (%x = %a, %y = %a) : (i32, i32) -> (i32, i32) {
    %1 = "test.op"(%x) : (i32) -> i32
    %2 = arith.addi %y, %y : i32
    scf.condition(%c) %1, %2 : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    scf.yield %x, %y : i32, i32
  }
  return %0#0 : i32
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @branches(%arg0: i1, %arg1: i32, %arg2: memref<i32>) -> i32 {
// CHECK-NEXT:     %0:2 = scf.if %arg0 -> (i32, i32) {
// CHECK-NEXT:       memref.store %arg1, %arg2[] : memref<i32>
// CHECK-NEXT:       %1 = ub.poison : i32
// CHECK-NEXT:       scf.yield %arg1, %1 : i32, i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %1 = ub.poison : i32
// CHECK-NEXT:       scf.yield %arg1, %1 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CANONICAL: module {
// CANONICAL-NEXT:   func.func @branches(%arg0: i1, %arg1: i32, %arg2: memref<i32>) -> i32 {
// CANONICAL-NEXT:     scf.if %arg0 {
// CANONICAL-NEXT:       memref.store %arg1, %arg2[] : memref<i32>
// CANONICAL-NEXT:     }
// CANONICAL-NEXT:     return %arg1 : i32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }
func.func @branches(%c: i1, %a: i32, %m: memref<i32>) -> i32 {
  %0:2 = scf.if %c -> (i32, i32) {
    %1 = arith.addi %a, %a : i32
    memref.store %a, %m[] : memref<i32>
    scf.yield %a, %1 : i32, i32
  } else {
    scf.yield %a, %a : i32, i32
  }
  %2 = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    scf.yield %a : i32
  }
  return %0#0 : i32
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @affine(%arg0: f32, %arg1: memref<8xf32>) -> f32 {
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1:2 = affine.for %arg2 = 0 to 8 iter_args(%arg3 = %arg0, %arg4 = %0) -> (f32, f32) {
// CHECK-NEXT:       affine.store %arg3, %arg1[%arg2] : memref<8xf32>
// CHECK-NEXT:       %2 = ub.poison : f32
// CHECK-NEXT:       affine.yield %arg3, %2 : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1#0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CANONICAL: module {
// CANONICAL-NEXT:   func.func @affine(%arg0: f32, %arg1: memref<8xf32>) -> f32 {
// CANONICAL-NEXT:     %0 = ub.poison : f32
// CANONICAL-NEXT:     %1:2 = affine.for %arg2 = 0 to 8 iter_args(%arg3 = %arg0, %arg4 = %0) -> (f32, f32) {
// CANONICAL-NEXT:       affine.store %arg3, %arg1[%arg2] : memref<8xf32>
// CANONICAL-NEXT:       %2 = ub.poison : f32
// CANONICAL-NEXT:       affine.yield %arg3, %2 : f32, f32
// CANONICAL-NEXT:     }
// CANONICAL-NEXT:     return %1#0 : f32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }
func.func @affine(%a: f32, %m: memref<8xf32>) -> f32 {
  %r:2 = affine.for %i = 0 to 8 iter_args(%x = %a, %y = %a) -> (f32, f32) {
    affine.store %x, %m[%i] : memref<8xf32>
    %0 = arith.addf %y, %x : f32
    affine.yield %x, %0 : f32, f32
  }
  return %r#0 : f32
}

// -----

// What a loop passes on comes from above: the loop has no results that are used, and goes.

// CANONICAL: module {
// CANONICAL-NEXT:   func.func @invariant(%arg0: f32, %arg1: i32, %arg2: f32) -> (f32, i32) {
// CANONICAL-NEXT:     return %arg0, %arg1 : f32, i32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }
func.func @invariant(%a: f32, %b: i32, %c: f32) -> (f32, i32) {
  %0:2 = scf.while (%x = %a, %y = %b) : (f32, i32) -> (f32, i32) {
    %1 = arith.cmpf olt, %x, %c : f32
    scf.condition(%1) %x, %y : f32, i32
  } do {
  ^bb0(%x: f32, %y: i32):
    scf.yield %x, %y : f32, i32
  }
  return %0#0, %0#1 : f32, i32
}
