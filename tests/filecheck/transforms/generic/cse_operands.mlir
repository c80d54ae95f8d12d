// RUN: xgpu-opt %s --cse --allow-unregistered-dialect | filecheck %s --match-full-lines

// Operations are the same where their operands are, in any order only if they commute; what writes is
// never the same as what wrote before.

// CHECK: module {
// CHECK-NEXT:   func.func @order(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32) {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:     %2 = arith.subi %arg1, %arg0 : i32
// CHECK-NEXT:     %3 = arith.cmpi slt, %arg0, %arg1 : i32
// CHECK-NEXT:     %4 = arith.cmpi slt, %arg1, %arg0 : i32
// CHECK-NEXT:     %5 = arith.divf %arg2, %arg3 : f32
// CHECK-NEXT:     %6 = arith.divf %arg3, %arg2 : f32
// CHECK-NEXT:     "test.use"(%0, %0, %1, %2, %1, %3, %4, %5, %6) : (i32, i32, i32, i32, i32, i1, i1, f32, f32) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @order(%a: i32, %b: i32, %x: f32, %y: f32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  %2 = arith.subi %a, %b : i32
  %3 = arith.subi %b, %a : i32
  %4 = arith.subi %a, %b : i32
  %5 = arith.cmpi slt, %a, %b : i32
  %6 = arith.cmpi slt, %b, %a : i32
  %7 = arith.divf %x, %y : f32
  %8 = arith.divf %y, %x : f32
  "test.use"(%0, %1, %2, %3, %4, %5, %6, %7, %8) : (i32, i32, i32, i32, i32, i1, i1, f32, f32) -> ()
  return
}

// CHECK-NEXT:   func.func @writers(%arg0: memref<8xi32>, %arg1: index, %arg2: i32) -> (i32, i32, i32, i32, i32) {
// CHECK-NEXT:     %0 = memref.atomic_rmw addi %arg2, %arg0[%arg1] : (i32, memref<8xi32>) -> i32
// CHECK-NEXT:     %1 = memref.atomic_rmw addi %arg2, %arg0[%arg1] : (i32, memref<8xi32>) -> i32
// CHECK-NEXT:     %2 = memref.load %arg0[%arg1] : memref<8xi32>
// CHECK-NEXT:     memref.store %arg2, %arg0[%arg1] : memref<8xi32>
// CHECK-NEXT:     %3 = memref.load %arg0[%arg1] : memref<8xi32>
// CHECK-NEXT:     return %0, %1, %2, %2, %3 : i32, i32, i32, i32, i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @writers(%m: memref<8xi32>, %i: index, %x: i32) -> (i32, i32, i32, i32, i32) {
  %0 = memref.atomic_rmw addi %x, %m[%i] : (i32, memref<8xi32>) -> i32
  %1 = memref.atomic_rmw addi %x, %m[%i] : (i32, memref<8xi32>) -> i32
  %2 = memref.load %m[%i] : memref<8xi32>
  %3 = memref.load %m[%i] : memref<8xi32>
  memref.store %x, %m[%i] : memref<8xi32>
  %4 = memref.load %m[%i] : memref<8xi32>
  return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}
