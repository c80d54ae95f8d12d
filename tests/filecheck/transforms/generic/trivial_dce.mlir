// RUN: xgpu-opt --trivial-dce %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @effect(i32)
func.func private @effect(i32)

// CHECK-NEXT:   func.func @chain(%arg0: i32, %arg1: memref<4xi32>, %arg2: index) {
// CHECK-NEXT:     %0 = arith.subi %arg0, %arg0 : i32
// CHECK-NEXT:     call @effect(%0) : (i32) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @chain(%x: i32, %m: memref<4xi32>, %i: index) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.muli %0, %0 : i32
  %2 = memref.load %m[%i] : memref<4xi32>
  %3 = arith.subi %x, %x : i32
  func.call @effect(%3) : (i32) -> ()
  return
}

// What is dead because of itself only stays.
// CHECK-NEXT:   func.func @loop(%arg0: index, %arg1: i1) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %dead = arith.addi %i, %i : index
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  scf.if %c {
    %dead = arith.addi %n, %n : index
    memref.alloc() : memref<4xf32>
  }
  return
}
