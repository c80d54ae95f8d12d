// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Extensions and truncations that cancel, move, or go.

// CHECK: module {
// CHECK-NEXT:   func.func @of_extensions(%arg0: i8) -> (i32, i32, i16, i16, i8) {
// CHECK-NEXT:     %0 = arith.extui %arg0 : i8 to i32
// CHECK-NEXT:     %1 = arith.extsi %arg0 : i8 to i32
// CHECK-NEXT:     %2 = arith.extsi %arg0 : i8 to i16
// CHECK-NEXT:     %3 = arith.extui %arg0 : i8 to i16
// CHECK-NEXT:     return %0, %1, %2, %3, %arg0 : i32, i32, i16, i16, i8
// CHECK-NEXT:   }
func.func @of_extensions(%x: i8) -> (i32, i32, i16, i16, i8) {
  %0 = arith.extui %x : i8 to i16
  %1 = arith.extsi %0 : i16 to i32
  %2 = arith.extsi %x : i8 to i16
  %3 = arith.extsi %2 : i16 to i32
  %4 = arith.extsi %x : i8 to i32
  %5 = arith.trunci %4 : i32 to i16
  %6 = arith.extui %x : i8 to i32
  %7 = arith.trunci %6 : i32 to i16
  %8 = arith.trunci %6 : i32 to i8
  return %1, %3, %5, %7, %8 : i32, i32, i16, i16, i8
}

// CHECK-NEXT:   func.func @shifted(%arg0: i32) -> (i8, i8, i8) {
// CHECK-NEXT:     %c24_i32 = arith.constant 24 : i32
// CHECK-NEXT:     %c8_i32 = arith.constant 8 : i32
// CHECK-NEXT:     %c25_i32 = arith.constant 25 : i32
// CHECK-NEXT:     %0 = arith.shrsi %arg0, %c8_i32 : i32
// CHECK-NEXT:     %1 = arith.trunci %0 : i32 to i8
// CHECK-NEXT:     %2 = arith.shrui %arg0, %c24_i32 : i32
// CHECK-NEXT:     %3 = arith.trunci %2 : i32 to i8
// CHECK-NEXT:     %4 = arith.shrsi %arg0, %c25_i32 : i32
// CHECK-NEXT:     %5 = arith.trunci %4 : i32 to i8
// CHECK-NEXT:     return %1, %3, %5 : i8, i8, i8
// CHECK-NEXT:   }
func.func @shifted(%x: i32) -> (i8, i8, i8) {
  %c8 = arith.constant 8 : i32
  %c24 = arith.constant 24 : i32
  %c25 = arith.constant 25 : i32
  %0 = arith.shrsi %x, %c8 : i32
  %1 = arith.trunci %0 : i32 to i8
  %2 = arith.shrsi %x, %c24 : i32
  %3 = arith.trunci %2 : i32 to i8
  // A copy of the sign remains.
  %4 = arith.shrsi %x, %c25 : i32
  %5 = arith.trunci %4 : i32 to i8
  return %1, %3, %5 : i8, i8, i8
}

// CHECK-NEXT:   func.func @shifted_by_a_value(%arg0: i32, %arg1: i32) -> i8 {
// CHECK-NEXT:     %0 = arith.shrsi %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = arith.trunci %0 : i32 to i8
// CHECK-NEXT:     return %1 : i8
// CHECK-NEXT:   }
func.func @shifted_by_a_value(%x: i32, %n: i32) -> i8 {
  %0 = arith.shrsi %x, %n : i32
  %1 = arith.trunci %0 : i32 to i8
  return %1 : i8
}

// CHECK-NEXT:   func.func @high_products(%arg0: i32, %arg1: i32, %arg2: i16) -> (i32, i32, i32, i32) {
// CHECK-NEXT:     %c32_i64 = arith.constant 32 : i64
// CHECK-NEXT:     %c31_i64 = arith.constant 31 : i64
// CHECK-NEXT:     %0 = arith.extsi %arg0 : i32 to i64
// CHECK-NEXT:     %1 = arith.extsi %arg1 : i32 to i64
// CHECK-NEXT:     %2 = arith.muli %0, %1 : i64
// CHECK-NEXT:     %3 = arith.shrui %2, %c32_i64 : i64
// CHECK-NEXT:     %4 = arith.trunci %3 : i64 to i32
// CHECK-NEXT:     %5 = arith.extui %arg0 : i32 to i64
// CHECK-NEXT:     %6 = arith.extui %arg1 : i32 to i64
// CHECK-NEXT:     %7 = arith.muli %5, %6 : i64
// CHECK-NEXT:     %8 = arith.shrui %7, %c32_i64 : i64
// CHECK-NEXT:     %9 = arith.trunci %8 : i64 to i32
// CHECK-NEXT:     %10 = arith.muli %0, %6 : i64
// CHECK-NEXT:     %11 = arith.shrui %10, %c32_i64 : i64
// CHECK-NEXT:     %12 = arith.trunci %11 : i64 to i32
// CHECK-NEXT:     %13 = arith.shrui %7, %c31_i64 : i64
// CHECK-NEXT:     %14 = arith.trunci %13 : i64 to i32
// CHECK-NEXT:     return %4, %9, %12, %14 : i32, i32, i32, i32
// CHECK-NEXT:   }
func.func @high_products(%a: i32, %b: i32, %h: i16) -> (i32, i32, i32, i32) {
  %c32 = arith.constant 32 : i64
  %c31 = arith.constant 31 : i64
  %0 = arith.extsi %a : i32 to i64
  %1 = arith.extsi %b : i32 to i64
  %2 = arith.muli %0, %1 : i64
  %3 = arith.shrui %2, %c32 : i64
  %4 = arith.trunci %3 : i64 to i32
  %5 = arith.extui %a : i32 to i64
  %6 = arith.extui %b : i32 to i64
  %7 = arith.muli %5, %6 : i64
  %8 = arith.shrui %7, %c32 : i64
  %9 = arith.trunci %8 : i64 to i32
  // Of two kinds, and shifted by less.
  %10 = arith.muli %0, %6 : i64
  %11 = arith.shrui %10, %c32 : i64
  %12 = arith.trunci %11 : i64 to i32
  %13 = arith.shrui %7, %c31 : i64
  %14 = arith.trunci %13 : i64 to i32
  return %4, %9, %12, %14 : i32, i32, i32, i32
}

// CHECK-NEXT:   func.func @other_high_products(%arg0: i64, %arg1: i16) -> (i32, i32) {
// CHECK-NEXT:     %c32_i64 = arith.constant 32 : i64
// CHECK-NEXT:     %0 = arith.muli %arg0, %arg0 : i64
// CHECK-NEXT:     %1 = arith.shrui %0, %c32_i64 : i64
// CHECK-NEXT:     %2 = arith.trunci %1 : i64 to i32
// CHECK-NEXT:     %3 = arith.extsi %arg1 : i16 to i64
// CHECK-NEXT:     %4 = arith.muli %3, %3 : i64
// CHECK-NEXT:     %5 = arith.shrui %4, %c32_i64 : i64
// CHECK-NEXT:     %6 = arith.trunci %5 : i64 to i32
// CHECK-NEXT:     return %2, %6 : i32, i32
// CHECK-NEXT:   }
func.func @other_high_products(%a: i64, %b: i16) -> (i32, i32) {
  %c32 = arith.constant 32 : i64
  %0 = arith.muli %a, %a : i64
  %1 = arith.shrui %0, %c32 : i64
  %2 = arith.trunci %1 : i64 to i32
  %3 = arith.extsi %b : i16 to i64
  %4 = arith.muli %3, %3 : i64
  %5 = arith.shrui %4, %c32 : i64
  %6 = arith.trunci %5 : i64 to i32
  return %2, %6 : i32, i32
}

// CHECK-NEXT:   func.func @bitwise(%arg0: i8, %arg1: i8, %arg2: i16) -> (i32, i32, i32, i32, i32) {
// CHECK-NEXT:     %0 = arith.extui %arg0 : i8 to i32
// CHECK-NEXT:     %1 = arith.andi %arg0, %arg1 : i8
// CHECK-NEXT:     %2 = arith.extui %1 : i8 to i32
// CHECK-NEXT:     %3 = arith.ori %arg0, %arg1 : i8
// CHECK-NEXT:     %4 = arith.extui %3 : i8 to i32
// CHECK-NEXT:     %5 = arith.extsi %arg1 : i8 to i32
// CHECK-NEXT:     %6 = arith.xori %arg0, %arg1 : i8
// CHECK-NEXT:     %7 = arith.extsi %6 : i8 to i32
// CHECK-NEXT:     %8 = arith.andi %0, %5 : i32
// CHECK-NEXT:     %9 = arith.extui %arg2 : i16 to i32
// CHECK-NEXT:     %10 = arith.ori %0, %9 : i32
// CHECK-NEXT:     return %2, %4, %7, %8, %10 : i32, i32, i32, i32, i32
// CHECK-NEXT:   }
func.func @bitwise(%a: i8, %b: i8, %c: i16) -> (i32, i32, i32, i32, i32) {
  %0 = arith.extui %a : i8 to i32
  %1 = arith.extui %b : i8 to i32
  %2 = arith.andi %0, %1 : i32
  %3 = arith.ori %0, %1 : i32
  %4 = arith.extsi %a : i8 to i32
  %5 = arith.extsi %b : i8 to i32
  %6 = arith.xori %4, %5 : i32
  %7 = arith.andi %0, %5 : i32
  %8 = arith.extui %c : i16 to i32
  %9 = arith.ori %0, %8 : i32
  return %2, %3, %6, %7, %9 : i32, i32, i32, i32, i32
}

// CHECK-NEXT:   func.func @compared(%arg0: i8, %arg1: i8, %arg2: i16) -> (i1, i1, i1, i1) {
// CHECK-NEXT:     %0 = arith.extui %arg0 : i8 to i32
// CHECK-NEXT:     %1 = arith.cmpi eq, %arg0, %arg1 : i8
// CHECK-NEXT:     %2 = arith.extsi %arg0 : i8 to i32
// CHECK-NEXT:     %3 = arith.extsi %arg1 : i8 to i32
// CHECK-NEXT:     %4 = arith.cmpi ne, %arg0, %arg1 : i8
// CHECK-NEXT:     %5 = arith.cmpi slt, %2, %3 : i32
// CHECK-NEXT:     %6 = arith.extui %arg2 : i16 to i32
// CHECK-NEXT:     %7 = arith.cmpi eq, %0, %6 : i32
// CHECK-NEXT:     return %1, %4, %5, %7 : i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @compared(%a: i8, %b: i8, %c: i16) -> (i1, i1, i1, i1) {
  %0 = arith.extui %a : i8 to i32
  %1 = arith.extui %b : i8 to i32
  %2 = arith.cmpi eq, %0, %1 : i32
  %3 = arith.extsi %a : i8 to i32
  %4 = arith.extsi %b : i8 to i32
  %5 = arith.cmpi ne, %3, %4 : i32
  %6 = arith.cmpi slt, %3, %4 : i32
  %7 = arith.extui %c : i16 to i32
  %8 = arith.cmpi eq, %0, %7 : i32
  return %2, %5, %6, %8 : i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @index_casts(%arg0: index, %arg1: i32, %arg2: i8) -> (index, i32, index, index, i64, i32) {
// CHECK-NEXT:     %0 = arith.index_cast %arg1 : i32 to index
// CHECK-NEXT:     %1 = arith.index_cast %arg2 : i8 to index
// CHECK-NEXT:     %2 = arith.index_castui %arg2 : i8 to index
// CHECK-NEXT:     %3 = arith.index_cast %0 : index to i64
// CHECK-NEXT:     %4 = arith.index_castui %0 : index to i32
// CHECK-NEXT:     return %arg0, %arg1, %1, %2, %3, %4 : index, i32, index, index, i64, i32
// CHECK-NEXT:   }
func.func @index_casts(%i: index, %x: i32, %b: i8) -> (index, i32, index, index, i64, i32) {
  %0 = arith.index_cast %i : index to i64
  %1 = arith.index_cast %0 : i64 to index
  %2 = arith.index_cast %x : i32 to index
  %3 = arith.index_cast %2 : index to i32
  %4 = arith.extsi %b : i8 to i32
  %5 = arith.index_cast %4 : i32 to index
  %6 = arith.extui %b : i8 to i32
  %7 = arith.index_castui %6 : i32 to index
  // Another type, and another kind of extension.
  %8 = arith.index_cast %2 : index to i64
  %9 = arith.index_castui %2 : index to i32
  return %1, %3, %5, %7, %8, %9 : index, i32, index, index, i64, i32
}

// CHECK-NEXT:   func.func @floats(%arg0: i32, %arg1: f32) -> (f16, f16, f16) {
// CHECK-NEXT:     %0 = arith.sitofp %arg0 : i32 to f32
// CHECK-NEXT:     %1 = arith.sitofp %arg0 : i32 to f16
// CHECK-NEXT:     %2 = arith.uitofp %arg0 : i32 to f16
// CHECK-NEXT:     %3 = arith.truncf %0 upward : f32 to f16
// CHECK-NEXT:     return %1, %2, %3 : f16, f16, f16
// CHECK-NEXT:   }
func.func @floats(%x: i32, %f: f32) -> (f16, f16, f16) {
  %0 = arith.sitofp %x : i32 to f32
  %1 = arith.truncf %0 : f32 to f16
  %2 = arith.uitofp %x : i32 to f32
  %3 = arith.truncf %2 : f32 to f16
  %4 = arith.truncf %0 upward : f32 to f16
  return %1, %3, %4 : f16, f16, f16
}

// CHECK-NEXT:   func.func @bitcasts(%arg0: i32, %arg1: complex<f32>) -> (i32, vector<2xi32>, i64) {
// CHECK-NEXT:     %cst = arith.constant dense<[1065353216, 1073741824]> : vector<2xi32>
// CHECK-NEXT:     %0 = complex.bitcast %arg1 : complex<f32> to i64
// CHECK-NEXT:     return %arg0, %cst, %0 : i32, vector<2xi32>, i64
// CHECK-NEXT:   }
func.func @bitcasts(%x: i32, %z: complex<f32>) -> (i32, vector<2xi32>, i64) {
  %0 = arith.bitcast %x : i32 to f32
  %1 = arith.bitcast %0 : f32 to i32
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %2 = arith.bitcast %v : vector<2xf32> to vector<2xi32>
  %3 = complex.bitcast %z : complex<f32> to f64
  %4 = arith.bitcast %3 : f64 to i64
  return %1, %2, %4 : i32, vector<2xi32>, i64
}

// CHECK-NEXT:   func.func @negations(%arg0: f32, %arg1: f32) -> (f32, f32, f32) {
// CHECK-NEXT:     %0 = arith.negf %arg0 : f32
// CHECK-NEXT:     %1 = arith.mulf %arg0, %arg1 fastmath<nnan> : f32
// CHECK-NEXT:     %2 = arith.divf %arg0, %arg1 : f32
// CHECK-NEXT:     %3 = arith.mulf %0, %arg1 : f32
// CHECK-NEXT:     return %1, %2, %3 : f32, f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @negations(%a: f32, %b: f32) -> (f32, f32, f32) {
  %0 = arith.negf %a : f32
  %1 = arith.negf %b : f32
  %2 = arith.mulf %0, %1 fastmath<nnan> : f32
  %3 = arith.divf %0, %1 : f32
  %4 = arith.mulf %0, %b : f32
  return %2, %3, %4 : f32, f32, f32
}
