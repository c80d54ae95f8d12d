// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Loops whose bodies do nothing, conditions that are known.

// CHECK: #set = affine_set<()[s0] : (s0 - 1 >= 0)>
// CHECK-NEXT: #set1 = affine_set<()[s0] : (s0 >= 0, 0 == 0)>
// CHECK-NEXT: #set2 = affine_set<() : (1 >= 0)>
// CHECK-NEXT: #set3 = affine_set<()[s0] : (s0 == 0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @empty_loops(%arg0: index, %arg1: f32, %arg2: f32) -> (f32, f32, f32, f32, f32) {
// CHECK-NEXT:     return %arg1, %arg2, %arg1, %arg2, %arg1 : f32, f32, f32, f32, f32
// CHECK-NEXT:   }
func.func @empty_loops(%n: index, %a: f32, %b: f32) -> (f32, f32, f32, f32, f32) {
  affine.for %i = 0 to %n {
  }
  %0 = affine.for %i = 0 to 0 iter_args(%x = %a) -> (f32) {
    affine.yield %b : f32
  }
  %1 = affine.for %i = 0 to 4 iter_args(%x = %a) -> (f32) {
    affine.yield %b : f32
  }
  %2 = affine.for %i = 0 to %n iter_args(%x = %a) -> (f32) {
    affine.yield %x : f32
  }
  %3:2 = affine.for %i = 0 to 1 iter_args(%x = %a, %y = %b) -> (f32, f32) {
    affine.yield %y, %x : f32, f32
  }
  return %0, %1, %2, %3#0, %3#1 : f32, f32, f32, f32, f32
}

// CHECK-NEXT:   func.func @loops_that_stay(%arg0: index, %arg1: f32, %arg2: f32) -> (f32, f32, f32, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = affine.for %arg3 = 0 to %arg0 iter_args(%arg4 = %arg1) -> (f32) {
// CHECK-NEXT:       affine.yield %arg2 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %1:2 = affine.for %arg3 = 0 to 4 iter_args(%arg4 = %arg1, %arg5 = %arg2) -> (f32, f32) {
// CHECK-NEXT:       affine.yield %arg5, %arg4 : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = affine.for %arg3 = 0 to 4 iter_args(%arg4 = %c0) -> (index) {
// CHECK-NEXT:       affine.yield %arg3 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %1#0, %1#1, %2 : f32, f32, f32, index
// CHECK-NEXT:   }
func.func @loops_that_stay(%n: index, %a: f32, %b: f32) -> (f32, f32, f32, index) {
  // It may run never.
  %0 = affine.for %i = 0 to %n iter_args(%x = %a) -> (f32) {
    affine.yield %b : f32
  }
  // Four times: who comes out where depends on how often.
  %1:2 = affine.for %i = 0 to 4 iter_args(%x = %a, %y = %b) -> (f32, f32) {
    affine.yield %y, %x : f32, f32
  }
  %c0 = arith.constant 0 : index
  %2 = affine.for %i = 0 to 4 iter_args(%x = %c0) -> (index) {
    affine.yield %i : index
  }
  return %0, %1#0, %1#1, %2 : f32, f32, f32, index
}

// CHECK-NEXT:   func.func @loop_with_a_body(%arg0: index, %arg1: memref<8xf32>, %arg2: f32) {
// CHECK-NEXT:     affine.for %arg3 = 0 to 8 {
// CHECK-NEXT:       affine.store %arg2, %arg1[%arg3] : memref<8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @loop_with_a_body(%n: index, %m: memref<8xf32>, %a: f32) {
  affine.for %i = 0 to 8 {
    affine.store %a, %m[%i] : memref<8xf32>
  }
  return
}

// CHECK-NEXT:   func.func @dead_else(%arg0: index, %arg1: memref<8xf32>, %arg2: f32) {
// CHECK-NEXT:     affine.if #set()[%arg0] {
// CHECK-NEXT:       affine.store %arg2, %arg1[symbol(%arg0)] : memref<8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @dead_else(%i: index, %m: memref<8xf32>, %a: f32) {
  affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
    affine.store %a, %m[%i] : memref<8xf32>
  } else {
  }
  return
}

// CHECK-NEXT:   func.func @known(%arg0: index, %arg1: memref<8xf32>, %arg2: f32, %arg3: f32) -> (f32, f32) {
// CHECK-NEXT:     affine.store %arg3, %arg1[symbol(%arg0)] : memref<8xf32>
// CHECK-NEXT:     return %arg2, %arg3 : f32, f32
// CHECK-NEXT:   }
func.func @known(%i: index, %m: memref<8xf32>, %a: f32, %b: f32) -> (f32, f32) {
  %c3 = arith.constant 3 : index
  %0 = affine.if affine_set<(d0) : (d0 - 3 == 0)>(%c3) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  %1 = affine.if affine_set<(d0) : (1 == 0)>(%i) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  affine.if affine_set<() : (1 == 0)>() {
    affine.store %a, %m[%i] : memref<8xf32>
  }
  affine.if affine_set<() : (0 == 0)>() {
    affine.store %b, %m[%i] : memref<8xf32>
  }
  return %0, %1 : f32, f32
}

// Sets that hold or not, but are not yet simplified.
// CHECK-NEXT:   func.func @not_yet_known(%arg0: index, %arg1: f32, %arg2: f32) -> (f32, f32, f32) {
// CHECK-NEXT:     %0 = affine.if #set1()[%arg0] -> f32 {
// CHECK-NEXT:       affine.yield %arg1 : f32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       affine.yield %arg2 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = affine.if #set2() -> f32 {
// CHECK-NEXT:       affine.yield %arg1 : f32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       affine.yield %arg2 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = affine.if #set3()[%arg0] -> f32 {
// CHECK-NEXT:       affine.yield %arg1 : f32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       affine.yield %arg2 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %1, %2 : f32, f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @not_yet_known(%i: index, %a: f32, %b: f32) -> (f32, f32, f32) {
  %c2 = arith.constant 2 : index
  %0 = affine.if affine_set<(d0, d1) : (d0 >= 0, d1 - 2 == 0)>(%i, %c2) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  %1 = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%c2) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  %2 = affine.if affine_set<(d0) : (d0 == 0)>(%i) -> f32 {
    affine.yield %a : f32
  } else {
    affine.yield %b : f32
  }
  return %0, %1, %2 : f32, f32, f32
}
