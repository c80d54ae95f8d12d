// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// An integer as a float, compared with a constant: as an integer, where no integer is rounded.

// CHECK: module {
// CHECK-NEXT:   func.func @at_an_integer(%arg0: i8) -> (i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %c5_i8 = arith.constant 5 : i8
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg0, %c5_i8 : i8
// CHECK-NEXT:     %1 = arith.cmpi sgt, %arg0, %c5_i8 : i8
// CHECK-NEXT:     %2 = arith.cmpi sge, %arg0, %c5_i8 : i8
// CHECK-NEXT:     %3 = arith.cmpi slt, %arg0, %c5_i8 : i8
// CHECK-NEXT:     %4 = arith.cmpi sle, %arg0, %c5_i8 : i8
// CHECK-NEXT:     %5 = arith.cmpi ne, %arg0, %c5_i8 : i8
// CHECK-NEXT:     return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @at_an_integer(%x: i8) -> (i1, i1, i1, i1, i1, i1) {
  %c = arith.constant 5.0 : f32
  %f = arith.sitofp %x : i8 to f32
  %0 = arith.cmpf oeq, %f, %c : f32
  %1 = arith.cmpf ogt, %f, %c : f32
  %2 = arith.cmpf uge, %f, %c : f32
  %3 = arith.cmpf olt, %f, %c : f32
  %4 = arith.cmpf ule, %f, %c : f32
  %5 = arith.cmpf une, %f, %c : f32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @between_integers(%arg0: i8) -> (i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %c2_i8 = arith.constant 2 : i8
// CHECK-NEXT:     %0 = arith.cmpi sgt, %arg0, %c2_i8 : i8
// CHECK-NEXT:     %1 = arith.cmpi sgt, %arg0, %c2_i8 : i8
// CHECK-NEXT:     %2 = arith.cmpi sle, %arg0, %c2_i8 : i8
// CHECK-NEXT:     %3 = arith.cmpi sle, %arg0, %c2_i8 : i8
// CHECK-NEXT:     return %false, %0, %1, %2, %3, %true : i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @between_integers(%x: i8) -> (i1, i1, i1, i1, i1, i1) {
  %c = arith.constant 2.5 : f32
  %f = arith.sitofp %x : i8 to f32
  %0 = arith.cmpf oeq, %f, %c : f32
  %1 = arith.cmpf ogt, %f, %c : f32
  %2 = arith.cmpf oge, %f, %c : f32
  %3 = arith.cmpf olt, %f, %c : f32
  %4 = arith.cmpf ole, %f, %c : f32
  %5 = arith.cmpf one, %f, %c : f32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @between_negative_integers(%arg0: i8) -> (i1, i1, i1, i1) {
// CHECK-NEXT:     %c-2_i8 = arith.constant -2 : i8
// CHECK-NEXT:     %0 = arith.cmpi sge, %arg0, %c-2_i8 : i8
// CHECK-NEXT:     %1 = arith.cmpi sge, %arg0, %c-2_i8 : i8
// CHECK-NEXT:     %2 = arith.cmpi slt, %arg0, %c-2_i8 : i8
// CHECK-NEXT:     %3 = arith.cmpi slt, %arg0, %c-2_i8 : i8
// CHECK-NEXT:     return %0, %1, %2, %3 : i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @between_negative_integers(%x: i8) -> (i1, i1, i1, i1) {
  %c = arith.constant -2.5 : f32
  %f = arith.sitofp %x : i8 to f32
  %0 = arith.cmpf ogt, %f, %c : f32
  %1 = arith.cmpf oge, %f, %c : f32
  %2 = arith.cmpf olt, %f, %c : f32
  %3 = arith.cmpf ole, %f, %c : f32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @between_zero_and_minus_one(%arg0: i8, %arg1: i8) -> (i1, i1, i1) {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %c0_i8 = arith.constant 0 : i8
// CHECK-NEXT:     %0 = arith.cmpi sge, %arg0, %c0_i8 : i8
// CHECK-NEXT:     %1 = arith.cmpi slt, %arg0, %c0_i8 : i8
// CHECK-NEXT:     return %0, %1, %false : i1, i1, i1
// CHECK-NEXT:   }
func.func @between_zero_and_minus_one(%x: i8, %u: i8) -> (i1, i1, i1) {
  %c = arith.constant -0.5 : f32
  %f = arith.sitofp %x : i8 to f32
  %g = arith.uitofp %u : i8 to f32
  %0 = arith.cmpf ogt, %f, %c : f32
  %1 = arith.cmpf olt, %f, %c : f32
  %2 = arith.cmpf olt, %g, %c : f32
  return %0, %1, %2 : i1, i1, i1
}

// CHECK-NEXT:   func.func @unsigned(%arg0: i8) -> (i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %c-56_i8 = arith.constant -56 : i8
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg0, %c-56_i8 : i8
// CHECK-NEXT:     %1 = arith.cmpi ugt, %arg0, %c-56_i8 : i8
// CHECK-NEXT:     %2 = arith.cmpi uge, %arg0, %c-56_i8 : i8
// CHECK-NEXT:     %3 = arith.cmpi ule, %arg0, %c-56_i8 : i8
// CHECK-NEXT:     %4 = arith.cmpi ule, %arg0, %c-56_i8 : i8
// CHECK-NEXT:     %5 = arith.cmpi ugt, %arg0, %c-56_i8 : i8
// CHECK-NEXT:     return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @unsigned(%x: i8) -> (i1, i1, i1, i1, i1, i1) {
  %c = arith.constant 200.0 : f32
  %half = arith.constant 200.5 : f32
  %f = arith.uitofp %x : i8 to f32
  %0 = arith.cmpf ueq, %f, %c : f32
  %1 = arith.cmpf ugt, %f, %c : f32
  %2 = arith.cmpf oge, %f, %c : f32
  %3 = arith.cmpf ult, %f, %half : f32
  %4 = arith.cmpf ole, %f, %half : f32
  %5 = arith.cmpf ugt, %f, %half : f32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @out_of_range(%arg0: i8) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %true, %false, %true, %false, %false, %true, %true, %true : i1, i1, i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @out_of_range(%x: i8) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %high = arith.constant 128.0 : f32
  %low = arith.constant -129.0 : f32
  %f = arith.sitofp %x : i8 to f32
  %g = arith.uitofp %x : i8 to f32
  %0 = arith.cmpf olt, %f, %high : f32
  %1 = arith.cmpf ogt, %f, %high : f32
  %2 = arith.cmpf one, %f, %high : f32
  %3 = arith.cmpf oeq, %f, %high : f32
  %4 = arith.cmpf olt, %f, %low : f32
  %5 = arith.cmpf ogt, %f, %low : f32
  %6 = arith.cmpf une, %f, %low : f32
  %7 = arith.cmpf oge, %g, %low : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @orders(%arg0: i8) -> (i1, i1, i1) {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %true, %false, %false : i1, i1, i1
// CHECK-NEXT:   }
func.func @orders(%x: i8) -> (i1, i1, i1) {
  %c = arith.constant 5.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %f = arith.sitofp %x : i8 to f32
  %0 = arith.cmpf ord, %f, %c : f32
  %1 = arith.cmpf uno, %f, %c : f32
  %2 = arith.cmpf olt, %f, %nan : f32
  return %0, %1, %2 : i1, i1, i1
}

// CHECK-NEXT:   func.func @digits(%arg0: i32, %arg1: i25, %arg2: i24, %arg3: i9, %arg4: i12) -> (i1, i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %c5_i12 = arith.constant 5 : i12
// CHECK-NEXT:     %c5_i9 = arith.constant 5 : i9
// CHECK-NEXT:     %c5_i24 = arith.constant 5 : i24
// CHECK-NEXT:     %c5_i25 = arith.constant 5 : i25
// CHECK-NEXT:     %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:     %0 = arith.cmpi slt, %arg0, %c5_i32 : i32
// CHECK-NEXT:     %1 = arith.cmpi slt, %arg1, %c5_i25 : i25
// CHECK-NEXT:     %2 = arith.cmpi ult, %arg1, %c5_i25 : i25
// CHECK-NEXT:     %3 = arith.cmpi ult, %arg2, %c5_i24 : i24
// CHECK-NEXT:     %4 = arith.cmpi ult, %arg0, %c5_i32 : i32
// CHECK-NEXT:     %5 = arith.cmpi slt, %arg3, %c5_i9 : i9
// CHECK-NEXT:     %6 = arith.cmpi slt, %arg4, %c5_i12 : i12
// CHECK-NEXT:     return %0, %1, %2, %3, %4, %5, %6 : i1, i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @digits(%x: i32, %y: i25, %z: i24, %b: i9, %h: i12) -> (i1, i1, i1, i1, i1, i1, i1) {
  %c = arith.constant 5.0 : f32
  %d = arith.constant 5.0 : f64
  %e = arith.constant 5.0 : bf16
  %g = arith.constant 5.0 : f16
  %0 = arith.sitofp %x : i32 to f32
  %1 = arith.cmpf olt, %0, %c : f32
  %2 = arith.sitofp %y : i25 to f32
  %3 = arith.cmpf olt, %2, %c : f32
  %4 = arith.uitofp %y : i25 to f32
  %5 = arith.cmpf olt, %4, %c : f32
  %6 = arith.uitofp %z : i24 to f32
  %7 = arith.cmpf olt, %6, %c : f32
  %8 = arith.uitofp %x : i32 to f64
  %9 = arith.cmpf olt, %8, %d : f64
  %10 = arith.sitofp %b : i9 to bf16
  %11 = arith.cmpf olt, %10, %e : bf16
  %12 = arith.sitofp %h : i12 to f16
  %13 = arith.cmpf olt, %12, %g : f16
  return %1, %3, %5, %7, %9, %11, %13 : i1, i1, i1, i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @rounded(%arg0: i32, %arg1: i64, %arg2: i17, %arg3: i128) -> (i1, i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %c1024_i17 = arith.constant 1024 : i17
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %c16777215_i32 = arith.constant 16777215 : i32
// CHECK-NEXT:     %cst = arith.constant 0x4B800000 : f32
// CHECK-NEXT:     %cst_0 = arith.constant 4.2949673E+9 : f32
// CHECK-NEXT:     %cst_1 = arith.constant 0x7C00 : f16
// CHECK-NEXT:     %cst_2 = arith.constant 0x7F800000 : f32
// CHECK-NEXT:     %0 = arith.sitofp %arg0 : i32 to f32
// CHECK-NEXT:     %1 = arith.uitofp %arg1 : i64 to f32
// CHECK-NEXT:     %2 = arith.sitofp %arg2 : i17 to f16
// CHECK-NEXT:     %3 = arith.uitofp %arg3 : i128 to f32
// CHECK-NEXT:     %4 = arith.cmpf olt, %0, %cst : f32
// CHECK-NEXT:     %5 = arith.cmpi slt, %arg0, %c16777215_i32 : i32
// CHECK-NEXT:     %6 = arith.cmpf olt, %1, %cst_0 : f32
// CHECK-NEXT:     %7 = arith.cmpi slt, %arg2, %c1024_i17 : i17
// CHECK-NEXT:     %8 = arith.cmpf olt, %2, %cst_1 : f16
// CHECK-NEXT:     %9 = arith.cmpf one, %3, %cst_2 : f32
// CHECK-NEXT:     return %4, %5, %true, %6, %7, %8, %9 : i1, i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @rounded(%x: i32, %u: i64, %s: i17, %w: i128) -> (i1, i1, i1, i1, i1, i1, i1) {
  %large = arith.constant 16777216.0 : f32
  %below = arith.constant 16777215.0 : f32
  %huge = arith.constant 4294967296.0 : f32
  %half = arith.constant 1024.0 : f16
  %inf = arith.constant 0x7C00 : f16
  %infinite = arith.constant 0x7F800000 : f32
  %0 = arith.sitofp %x : i32 to f32
  %1 = arith.uitofp %u : i64 to f32
  %2 = arith.sitofp %s : i17 to f16
  %3 = arith.uitofp %w : i128 to f32
  %4 = arith.cmpf olt, %0, %large : f32
  %5 = arith.cmpf olt, %0, %below : f32
  %6 = arith.cmpf olt, %0, %huge : f32
  %7 = arith.cmpf olt, %1, %huge : f32
  %8 = arith.cmpf olt, %2, %half : f16
  %9 = arith.cmpf olt, %2, %inf : f16
  %10 = arith.cmpf one, %3, %infinite : f32
  return %4, %5, %6, %7, %8, %9, %10 : i1, i1, i1, i1, i1, i1, i1
}
