// RUN: xgpu-opt %s --arith-unsigned-when-equivalent | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @never_negative(%arg0: i32) -> (i32, i32, i32, i32, i32, i32, i64) {
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     %0 = arith.minui %arg0, %c7_i32 : i32
// CHECK-NEXT:     %1 = arith.ceildivui %0, %c7_i32 : i32
// CHECK-NEXT:     %2 = arith.divui %0, %c7_i32 exact {kept} : i32
// CHECK-NEXT:     %3 = arith.divui %0, %c7_i32 : i32
// CHECK-NEXT:     %4 = arith.remui %0, %c7_i32 : i32
// CHECK-NEXT:     %5 = arith.minui %0, %c7_i32 : i32
// CHECK-NEXT:     %6 = arith.maxui %0, %c7_i32 : i32
// CHECK-NEXT:     %7 = arith.extui %0 : i32 to i64
// CHECK-NEXT:     return %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i64
// CHECK-NEXT:   }
func.func @never_negative(%x: i32) -> (i32, i32, i32, i32, i32, i32, i64) {
  %c7 = arith.constant 7 : i32
  %a = arith.minui %x, %c7 : i32
  %0 = arith.ceildivsi %a, %c7 : i32
  %1 = arith.divsi %a, %c7 exact {kept} : i32
  %2 = arith.floordivsi %a, %c7 : i32
  %3 = arith.remsi %a, %c7 : i32
  %4 = arith.minsi %a, %c7 : i32
  %5 = arith.maxsi %a, %c7 : i32
  %6 = arith.extsi %a : i32 to i64
  return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i32, i64
}

// CHECK-NEXT:   func.func @comparisons(%arg0: i32) -> (i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     %0 = arith.minui %arg0, %c7_i32 : i32
// CHECK-NEXT:     %1 = arith.cmpi ult, %0, %c7_i32 : i32
// CHECK-NEXT:     %2 = arith.cmpi ule, %0, %c7_i32 : i32
// CHECK-NEXT:     %3 = arith.cmpi ugt, %0, %c7_i32 : i32
// CHECK-NEXT:     %4 = arith.cmpi uge, %0, %c7_i32 : i32
// CHECK-NEXT:     %5 = arith.cmpi eq, %0, %c7_i32 : i32
// CHECK-NEXT:     %6 = arith.cmpi ult, %0, %c7_i32 : i32
// CHECK-NEXT:     return %1, %2, %3, %4, %5, %6 : i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @comparisons(%x: i32) -> (i1, i1, i1, i1, i1, i1) {
  %c7 = arith.constant 7 : i32
  %a = arith.minui %x, %c7 : i32
  %0 = arith.cmpi slt, %a, %c7 : i32
  %1 = arith.cmpi sle, %a, %c7 : i32
  %2 = arith.cmpi sgt, %a, %c7 : i32
  %3 = arith.cmpi sge, %a, %c7 : i32
  %4 = arith.cmpi eq, %a, %c7 : i32
  %5 = arith.cmpi ult, %a, %c7 : i32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @may_be_negative(%arg0: i32, %arg1: i1) -> (i32, i1, i32) {
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     %0 = arith.divsi %arg0, %c7_i32 : i32
// CHECK-NEXT:     %1 = arith.cmpi slt, %c7_i32, %arg0 : i32
// CHECK-NEXT:     %2 = arith.extsi %arg1 : i1 to i32
// CHECK-NEXT:     return %0, %1, %2 : i32, i1, i32
// CHECK-NEXT:   }
func.func @may_be_negative(%x: i32, %b: i1) -> (i32, i1, i32) {
  %c7 = arith.constant 7 : i32
  %0 = arith.divsi %x, %c7 : i32
  %1 = arith.cmpi slt, %c7, %x : i32
  %2 = arith.extsi %b : i1 to i32
  return %0, %1, %2 : i32, i1, i32
}

// CHECK-NEXT:   func.func @vectors(%arg0: vector<4xi32>) -> vector<4xi32> {
// CHECK-NEXT:     %cst = arith.constant dense<7> : vector<4xi32>
// CHECK-NEXT:     %0 = arith.minui %arg0, %cst : vector<4xi32>
// CHECK-NEXT:     %1 = arith.remui %0, %cst : vector<4xi32>
// CHECK-NEXT:     return %1 : vector<4xi32>
// CHECK-NEXT:   }
func.func @vectors(%x: vector<4xi32>) -> vector<4xi32> {
  %c7 = arith.constant dense<7> : vector<4xi32>
  %0 = arith.minui %x, %c7 : vector<4xi32>
  %1 = arith.remsi %0, %c7 : vector<4xi32>
  return %1 : vector<4xi32>
}

// CHECK-NEXT:   func.func @loop(%arg0: memref<?xindex>, %arg1: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     scf.for %arg2 = %c0 to %arg1 step %c1 {
// CHECK-NEXT:       %0 = arith.divui %arg2, %c9 : index
// CHECK-NEXT:       memref.store %0, %arg0[%arg2] : memref<?xindex>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @loop(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.floordivsi %i, %c9 : index
    memref.store %x, %m[%i] : memref<?xindex>
  }
  return
}
