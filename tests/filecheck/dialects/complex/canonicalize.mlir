// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @inverses(%arg0: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
// CHECK-NEXT:     return %arg0, %arg0, %arg0, %arg0 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
// CHECK-NEXT:   }
func.func @inverses(%x: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %0 = complex.neg %x : complex<f32>
  %1 = complex.neg %0 : complex<f32>
  %2 = complex.conj %x : complex<f32>
  %3 = complex.conj %2 : complex<f32>
  %4 = complex.log %x : complex<f32>
  %5 = complex.exp %4 : complex<f32>
  %6 = complex.exp %x : complex<f32>
  %7 = complex.log %6 : complex<f32>
  return %1, %3, %5, %7 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
}

// CHECK-NEXT:   func.func @parts(%arg0: f32, %arg1: f32, %arg2: complex<f32>) -> (f32, f32, complex<f32>, f32, f32, f32, f32) {
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %cst_0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %0 = arith.negf %arg0 : f32
// CHECK-NEXT:     %1 = arith.negf %arg1 : f32
// CHECK-NEXT:     return %arg0, %arg1, %arg2, %cst, %cst_0, %0, %1 : f32, f32, complex<f32>, f32, f32, f32, f32
// CHECK-NEXT:   }
func.func @parts(%a: f32, %b: f32, %x: complex<f32>) -> (f32, f32, complex<f32>, f32, f32, f32, f32) {
  %0 = complex.create %a, %b : complex<f32>
  %1 = complex.re %0 : complex<f32>
  %2 = complex.im %0 : complex<f32>
  %3 = complex.re %x : complex<f32>
  %4 = complex.im %x : complex<f32>
  %5 = complex.create %3, %4 : complex<f32>
  %6 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %7 = complex.re %6 : complex<f32>
  %8 = complex.im %6 : complex<f32>
  %9 = complex.neg %0 : complex<f32>
  %10 = complex.re %9 fastmath<nnan> : complex<f32>
  %11 = complex.im %9 : complex<f32>
  return %1, %2, %5, %7, %8, %10, %11 : f32, f32, complex<f32>, f32, f32, f32, f32
}

// CHECK-NEXT:   func.func @sums(%arg0: complex<f32>, %arg1: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
// CHECK-NEXT:     return %arg0, %arg0, %arg0, %arg0, %arg0 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
// CHECK-NEXT:   }
func.func @sums(%x: complex<f32>, %y: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %0 = complex.sub %x, %y : complex<f32>
  %1 = complex.add %0, %y : complex<f32>
  %2 = complex.add %y, %0 : complex<f32>
  %3 = complex.add %x, %y : complex<f32>
  %4 = complex.sub %3, %y : complex<f32>
  %5 = complex.add %x, %zero : complex<f32>
  %6 = complex.sub %x, %zero : complex<f32>
  return %1, %2, %4, %5, %6 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
}

// CHECK-NEXT:   func.func @products(%arg0: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f32, 1.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %0 = complex.mul %arg0, %cst : complex<f32>
// CHECK-NEXT:     return %arg0, %arg0, %0 : complex<f32>, complex<f32>, complex<f32>
// CHECK-NEXT:   }
func.func @products(%x: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %i = complex.constant [1.0 : f32, 1.0 : f32] : complex<f32>
  %0 = complex.mul %x, %one : complex<f32>
  %1 = complex.div %x, %one : complex<f32>
  %2 = complex.mul %x, %i : complex<f32>
  return %0, %1, %2 : complex<f32>, complex<f32>, complex<f32>
}

// CHECK-NEXT:   func.func @negative_zero(%arg0: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
// CHECK-NEXT:     return %arg0, %arg0, %arg0 : complex<f32>, complex<f32>, complex<f32>
// CHECK-NEXT:   }
func.func @negative_zero(%x: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>) {
  %z = complex.constant [-0.0 : f32, -0.0 : f32] : complex<f32>
  %o = complex.constant [1.0 : f32, -0.0 : f32] : complex<f32>
  %0 = complex.add %x, %z : complex<f32>
  %1 = complex.mul %x, %o : complex<f32>
  %2 = complex.div %x, %o : complex<f32>
  return %0, %1, %2 : complex<f32>, complex<f32>, complex<f32>
}

// CHECK-NEXT:   func.func @bitcasts(%arg0: complex<f32>, %arg1: i64) -> (complex<f32>, i64, f64, f64) {
// CHECK-NEXT:     %0 = arith.bitcast %arg1 : i64 to f64
// CHECK-NEXT:     %1 = complex.bitcast %arg0 : complex<f32> to f64
// CHECK-NEXT:     return %arg0, %arg1, %0, %1 : complex<f32>, i64, f64, f64
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @bitcasts(%x: complex<f32>, %l: i64) -> (complex<f32>, i64, f64, f64) {
  %0 = complex.bitcast %x : complex<f32> to i64
  %1 = complex.bitcast %0 : i64 to complex<f32>
  %2 = complex.bitcast %l : i64 to complex<f32>
  %3 = complex.bitcast %2 : complex<f32> to i64
  %4 = complex.bitcast %2 : complex<f32> to f64
  %5 = arith.bitcast %0 : i64 to f64
  return %1, %3, %4, %5 : complex<f32>, i64, f64, f64
}
