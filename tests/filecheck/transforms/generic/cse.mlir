// RUN: xgpu-opt %s --cse | filecheck %s

func.func @commutes(%x: i32, %y: i32) -> (i32, i32) {
  %0 = arith.addi %x, %y : i32
  %1 = arith.addi %y, %x : i32
  return %0, %1 : i32, i32
}

func.func @nested_sees_outer(%p: i1, %x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  %1 = scf.if %p -> (i32) {
    %2 = arith.muli %x, %x : i32
    scf.yield %2 : i32
  } else {
    scf.yield %x : i32
  }
  %3 = arith.addi %0, %1 : i32
  return %3 : i32
}

func.func @outer_does_not_see_nested(%p: i1, %x: i32) -> (i32, i32) {
  %0 = scf.if %p -> (i32) {
    %1 = arith.muli %x, %x : i32
    %2 = arith.subi %1, %x : i32
    scf.yield %2 : i32
  } else {
    scf.yield %x : i32
  }
  %3 = arith.muli %x, %x : i32
  return %0, %3 : i32, i32
}

func.func @loads(%m: memref<8xf32>, %i: index, %x: f32) -> (f32, f32, f32) {
  %0 = memref.load %m[%i] : memref<8xf32>
  %1 = memref.load %m[%i] : memref<8xf32>
  memref.store %x, %m[%i] : memref<8xf32>
  %2 = memref.load %m[%i] : memref<8xf32>
  return %0, %1, %2 : f32, f32, f32
}

func.func @dominance(%p: i1, %x: i32) -> i32 {
  cf.cond_br %p, ^a, ^b
^a:
  %0 = arith.muli %x, %x : i32
  cf.br ^c(%0 : i32)
^b:
  %1 = arith.muli %x, %x : i32
  cf.br ^c(%1 : i32)
^c(%2: i32):
  %3 = arith.muli %x, %x : i32
  %4 = arith.addi %2, %3 : i32
  return %4 : i32
}

// CHECK-LABEL: func.func @commutes(%arg0: i32, %arg1: i32) -> (i32, i32) {
// CHECK-NEXT:      %0 = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT:      return %0, %0 : i32, i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @nested_sees_outer(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:      %0 = arith.muli %arg1, %arg1 : i32
// CHECK-NEXT:      %1 = scf.if %arg0 -> (i32) {
// CHECK-NEXT:        scf.yield %0 : i32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %arg1 : i32
// CHECK-NEXT:      }
// CHECK-NEXT:      %2 = arith.addi %0, %1 : i32
// CHECK-NEXT:      return %2 : i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @outer_does_not_see_nested(%arg0: i1, %arg1: i32) -> (i32, i32) {
// CHECK-NEXT:      %0 = scf.if %arg0 -> (i32) {
// CHECK-NEXT:        %2 = arith.muli %arg1, %arg1 : i32
// CHECK-NEXT:        %3 = arith.subi %2, %arg1 : i32
// CHECK-NEXT:        scf.yield %3 : i32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %arg1 : i32
// CHECK-NEXT:      }
// CHECK-NEXT:      %1 = arith.muli %arg1, %arg1 : i32
// CHECK-NEXT:      return %0, %1 : i32, i32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @loads(%arg0: memref<8xf32>, %arg1: index, %arg2: f32) -> (f32, f32, f32) {
// CHECK-NEXT:      %0 = memref.load %arg0[%arg1] : memref<8xf32>
// CHECK-NEXT:      memref.store %arg2, %arg0[%arg1] : memref<8xf32>
// CHECK-NEXT:      %1 = memref.load %arg0[%arg1] : memref<8xf32>
// CHECK-NEXT:      return %0, %0, %1 : f32, f32, f32
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @dominance(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT:      cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:  // pred: ^bb0
// CHECK-NEXT:      %0 = arith.muli %arg1, %arg1 : i32
// CHECK-NEXT:      cf.br ^bb3(%0 : i32)
// CHECK-NEXT:    ^bb2:  // pred: ^bb0
// CHECK-NEXT:      %1 = arith.muli %arg1, %arg1 : i32
// CHECK-NEXT:      cf.br ^bb3(%1 : i32)
// CHECK-NEXT:    ^bb3(%2: i32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:      %3 = arith.muli %arg1, %arg1 : i32
// CHECK-NEXT:      %4 = arith.addi %2, %3 : i32
// CHECK-NEXT:      return %4 : i32
// CHECK-NEXT:    }
