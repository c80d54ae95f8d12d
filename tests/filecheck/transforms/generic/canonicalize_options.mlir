// RUN: xgpu-opt --allow-unregistered-dialect --canonicalize="top-down=false" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --allow-unregistered-dialect --canonicalize="max-iterations=1 max-num-rewrites=1" %s | filecheck %s --match-full-lines --check-prefix=ONCE
// RUN: xgpu-opt --allow-unregistered-dialect --canonicalize="region-simplify=aggressive" %s | filecheck %s --match-full-lines --check-prefix=MERGED
// RUN: xgpu-opt --allow-unregistered-dialect --canonicalize="region-simplify=disabled" %s | filecheck %s --match-full-lines --check-prefix=PLAIN
// RUN: xgpu-opt --allow-unregistered-dialect --canonicalize="test-convergence=true" %s | filecheck %s --match-full-lines

// MERGED: module {
// MERGED-NEXT:   func.func @f(%arg0: i32, %arg1: i1) -> i32 {
// MERGED-NEXT:     "test.effect"(%arg0) : (i32) -> ()
// MERGED-NEXT:     return %arg0 : i32
// MERGED-NEXT:   }
// MERGED-NEXT: }
func.func @f(%x: i32, %c: i1) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  %1 = arith.addi %0, %c0 : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "test.effect"(%1) : (i32) -> ()
  return %1 : i32
^bb2:
  "test.effect"(%1) : (i32) -> ()
  return %1 : i32
^bb3:
  return %x : i32
}




// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i32, %arg1: i1) -> i32 {
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     "test.effect"(%arg0) : (i32) -> ()
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     "test.effect"(%arg0) : (i32) -> ()
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }

// ONCE: module {
// ONCE-NEXT:   func.func @f(%arg0: i32, %arg1: i1) -> i32 {
// ONCE-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2
// ONCE-NEXT:   ^bb1:  // pred: ^bb0
// ONCE-NEXT:     "test.effect"(%arg0) : (i32) -> ()
// ONCE-NEXT:     return %arg0 : i32
// ONCE-NEXT:   ^bb2:  // pred: ^bb0
// ONCE-NEXT:     "test.effect"(%arg0) : (i32) -> ()
// ONCE-NEXT:     return %arg0 : i32
// ONCE-NEXT:   }
// ONCE-NEXT: }

// PLAIN: module {
// PLAIN-NEXT:   func.func @f(%arg0: i32, %arg1: i1) -> i32 {
// PLAIN-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2
// PLAIN-NEXT:   ^bb1:  // pred: ^bb0
// PLAIN-NEXT:     "test.effect"(%arg0) : (i32) -> ()
// PLAIN-NEXT:     return %arg0 : i32
// PLAIN-NEXT:   ^bb2:  // pred: ^bb0
// PLAIN-NEXT:     "test.effect"(%arg0) : (i32) -> ()
// PLAIN-NEXT:     return %arg0 : i32
// PLAIN-NEXT:   }
// PLAIN-NEXT: }
