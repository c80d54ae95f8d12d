// RUN: xgpu-opt %s --control-flow-sink | filecheck %s

// CHECK-LABEL: @branches
// CHECK-NEXT: %[[BOTH:.*]] = arith.addi
// CHECK-NEXT: scf.if
// CHECK-NEXT: arith.subi
// CHECK-NEXT: %[[ONE:.*]] = arith.muli
// CHECK-NEXT: arith.addi %[[BOTH]], %[[ONE]]
func.func @branches(%c: i1, %a: i32, %b: i32) -> i32 {
  %0 = arith.subi %a, %b : i32
  %1 = arith.muli %0, %b : i32
  %2 = arith.addi %a, %b : i32
  %r = scf.if %c -> i32 {
    %3 = arith.addi %2, %1 : i32
    scf.yield %3 : i32
  } else {
    scf.yield %2 : i32
  }
  return %r : i32
}

// What reads memory stays, and so does what a loop would repeat.
// CHECK-LABEL: @stays
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.addi
// CHECK-NEXT: scf.if
func.func @stays(%c: i1, %m: memref<4xi32>, %i: index, %a: i32) {
  %0 = memref.load %m[%i] : memref<4xi32>
  %1 = arith.addi %a, %a : i32
  scf.if %c {
    memref.store %0, %m[%i] : memref<4xi32>
  }
  scf.for %k = %i to %i step %i {
    memref.store %1, %m[%k] : memref<4xi32>
  }
  return
}
