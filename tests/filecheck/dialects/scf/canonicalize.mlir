// RUN: xgpu-opt %s --canonicalize | filecheck %s

func.func @trivial_loops(%m: memref<8xf32>, %x: f32, %lb: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %never = scf.for %i = %lb to %lb step %c1 iter_args(%a = %x) -> (f32) {
    %0 = arith.addf %a, %a : f32
    scf.yield %0 : f32
  }
  %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (f32) {
    %0 = memref.load %m[%i] : memref<8xf32>
    %1 = arith.addf %a, %0 : f32
    scf.yield %1 : f32
  }
  return %never, %once : f32, f32
}

func.func @unchanging_argument(%m: memref<8xf32>, %x: f32, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (f32, f32) {
    %0 = memref.load %m[%i] : memref<8xf32>
    %1 = arith.addf %a, %0 : f32
    scf.yield %1, %b : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

func.func @if_to_select(%p: i1, %x: i32, %y: i32) -> i32 {
  %0 = scf.if %p -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %0 : i32
}

func.func @known_condition(%p: i1, %m: memref<1xi1>, %i: index) {
  scf.if %p {
    memref.store %p, %m[%i] : memref<1xi1>
  }
  return
}

func.func @nested_parallel(%m: memref<4x4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<4x4xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @trivial_loops(%arg0: memref<8xf32>, %arg1: f32, %arg2: index) -> (f32, f32) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %0 = memref.load %arg0[%c0] : memref<8xf32>
// CHECK-NEXT:      %1 = arith.addf %arg1, %0 : f32
// CHECK-NEXT:      return %arg1, %1 : f32, f32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @unchanging_argument(%arg0: memref<8xf32>, %arg1: f32, %arg2: index) -> (f32, f32) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg1) -> (f32) {
// CHECK-NEXT:        %1 = memref.load %arg0[%arg3] : memref<8xf32>
// CHECK-NEXT:        %2 = arith.addf %arg4, %1 : f32
// CHECK-NEXT:        scf.yield %2 : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      return %0, %arg1 : f32, f32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @if_to_select(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
// CHECK-NEXT:      %0 = arith.select %arg0, %arg1, %arg2 : i32
// CHECK-NEXT:      return %0 : i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @known_condition(%arg0: i1, %arg1: memref<1xi1>, %arg2: index) {
// CHECK-NEXT:      %true = arith.constant true
// CHECK-NEXT:      scf.if %arg0 {
// CHECK-NEXT:        memref.store %true, %arg1[%arg2] : memref<1xi1>
// CHECK-NEXT:      }
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @nested_parallel(%arg0: memref<4x4xf32>, %arg1: f32) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %c4 = arith.constant 4 : index
// CHECK-NEXT:      scf.parallel (%arg2, %arg3) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
// CHECK-NEXT:        memref.store %arg1, %arg0[%arg2, %arg3] : memref<4x4xf32>
// CHECK-NEXT:        scf.reduce
// CHECK-NEXT:      }
// CHECK-NEXT:      return
// CHECK-NEXT:    }
