// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every operation, with and without fast-math flags.

// CHECK: module {
// CHECK-NEXT:   func.func @unary(%arg0: complex<f32>) {
// CHECK-NEXT:     %0 = complex.abs %arg0 : complex<f32>
// CHECK-NEXT:     %1 = complex.abs %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %2 = complex.angle %arg0 : complex<f32>
// CHECK-NEXT:     %3 = complex.angle %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %4 = complex.conj %arg0 : complex<f32>
// CHECK-NEXT:     %5 = complex.conj %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %6 = complex.cos %arg0 : complex<f32>
// CHECK-NEXT:     %7 = complex.cos %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %8 = complex.exp %arg0 : complex<f32>
// CHECK-NEXT:     %9 = complex.exp %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %10 = complex.expm1 %arg0 : complex<f32>
// CHECK-NEXT:     %11 = complex.expm1 %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %12 = complex.im %arg0 : complex<f32>
// CHECK-NEXT:     %13 = complex.im %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %14 = complex.log %arg0 : complex<f32>
// CHECK-NEXT:     %15 = complex.log %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %16 = complex.log1p %arg0 : complex<f32>
// CHECK-NEXT:     %17 = complex.log1p %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %18 = complex.neg %arg0 : complex<f32>
// CHECK-NEXT:     %19 = complex.neg %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %20 = complex.re %arg0 : complex<f32>
// CHECK-NEXT:     %21 = complex.re %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %22 = complex.rsqrt %arg0 : complex<f32>
// CHECK-NEXT:     %23 = complex.rsqrt %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %24 = complex.sign %arg0 : complex<f32>
// CHECK-NEXT:     %25 = complex.sign %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %26 = complex.sin %arg0 : complex<f32>
// CHECK-NEXT:     %27 = complex.sin %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %28 = complex.sqrt %arg0 : complex<f32>
// CHECK-NEXT:     %29 = complex.sqrt %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %30 = complex.tan %arg0 : complex<f32>
// CHECK-NEXT:     %31 = complex.tan %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     %32 = complex.tanh %arg0 : complex<f32>
// CHECK-NEXT:     %33 = complex.tanh %arg0 fastmath<fast> : complex<f32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @unary(%z: complex<f32>) {
  %0 = complex.abs %z : complex<f32>
  %1 = complex.abs %z fastmath<fast> : complex<f32>
  %2 = complex.angle %z : complex<f32>
  %3 = complex.angle %z fastmath<fast> : complex<f32>
  %4 = complex.conj %z : complex<f32>
  %5 = complex.conj %z fastmath<fast> : complex<f32>
  %6 = complex.cos %z : complex<f32>
  %7 = complex.cos %z fastmath<fast> : complex<f32>
  %8 = complex.exp %z : complex<f32>
  %9 = complex.exp %z fastmath<fast> : complex<f32>
  %10 = complex.expm1 %z : complex<f32>
  %11 = complex.expm1 %z fastmath<fast> : complex<f32>
  %12 = complex.im %z : complex<f32>
  %13 = complex.im %z fastmath<fast> : complex<f32>
  %14 = complex.log %z : complex<f32>
  %15 = complex.log %z fastmath<fast> : complex<f32>
  %16 = complex.log1p %z : complex<f32>
  %17 = complex.log1p %z fastmath<fast> : complex<f32>
  %18 = complex.neg %z : complex<f32>
  %19 = complex.neg %z fastmath<fast> : complex<f32>
  %20 = complex.re %z : complex<f32>
  %21 = complex.re %z fastmath<fast> : complex<f32>
  %22 = complex.rsqrt %z : complex<f32>
  %23 = complex.rsqrt %z fastmath<fast> : complex<f32>
  %24 = complex.sign %z : complex<f32>
  %25 = complex.sign %z fastmath<fast> : complex<f32>
  %26 = complex.sin %z : complex<f32>
  %27 = complex.sin %z fastmath<fast> : complex<f32>
  %28 = complex.sqrt %z : complex<f32>
  %29 = complex.sqrt %z fastmath<fast> : complex<f32>
  %30 = complex.tan %z : complex<f32>
  %31 = complex.tan %z fastmath<fast> : complex<f32>
  %32 = complex.tanh %z : complex<f32>
  %33 = complex.tanh %z fastmath<fast> : complex<f32>
  return
}

// CHECK-NEXT:   func.func @others(%arg0: complex<f32>, %arg1: i32, %arg2: f32, %arg3: i64) {
// CHECK-NEXT:     %0 = complex.add %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %1 = complex.add %arg0, %arg0 fastmath<nnan,contract> : complex<f32>
// CHECK-NEXT:     %2 = complex.sub %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %3 = complex.sub %arg0, %arg0 fastmath<nnan,contract> : complex<f32>
// CHECK-NEXT:     %4 = complex.mul %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %5 = complex.mul %arg0, %arg0 fastmath<nnan,contract> : complex<f32>
// CHECK-NEXT:     %6 = complex.div %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %7 = complex.div %arg0, %arg0 fastmath<nnan,contract> : complex<f32>
// CHECK-NEXT:     %8 = complex.pow %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %9 = complex.pow %arg0, %arg0 fastmath<nnan,contract> : complex<f32>
// CHECK-NEXT:     %10 = complex.atan2 %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %11 = complex.atan2 %arg0, %arg0 fastmath<nnan,contract> : complex<f32>
// CHECK-NEXT:     %12 = complex.powi %arg0, %arg1 : complex<f32>, i32
// CHECK-NEXT:     %13 = complex.powi %arg0, %arg1 fastmath<fast> : complex<f32>, i32
// CHECK-NEXT:     %14 = complex.eq %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %15 = complex.neq %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %16 = complex.create %arg2, %arg2 : complex<f32>
// CHECK-NEXT:     %17 = complex.bitcast %arg0 : complex<f32> to i64
// CHECK-NEXT:     %18 = complex.bitcast %arg3 : i64 to complex<f32>
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f32, -2.500000e+00 : f32] : complex<f32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @others(%z: complex<f32>, %i: i32, %f: f32, %l: i64) {
  %0 = complex.add %z, %z : complex<f32>
  %1 = complex.add %z, %z fastmath<nnan,contract> : complex<f32>
  %2 = complex.sub %z, %z : complex<f32>
  %3 = complex.sub %z, %z fastmath<nnan,contract> : complex<f32>
  %4 = complex.mul %z, %z : complex<f32>
  %5 = complex.mul %z, %z fastmath<nnan,contract> : complex<f32>
  %6 = complex.div %z, %z : complex<f32>
  %7 = complex.div %z, %z fastmath<nnan,contract> : complex<f32>
  %8 = complex.pow %z, %z : complex<f32>
  %9 = complex.pow %z, %z fastmath<nnan,contract> : complex<f32>
  %10 = complex.atan2 %z, %z : complex<f32>
  %11 = complex.atan2 %z, %z fastmath<nnan,contract> : complex<f32>
  %12 = complex.powi %z, %i : complex<f32>, i32
  %13 = complex.powi %z, %i fastmath<fast> : complex<f32>, i32
  %14 = complex.eq %z, %z : complex<f32>
  %15 = complex.neq %z, %z : complex<f32>
  %16 = complex.create %f, %f : complex<f32>
  %17 = complex.bitcast %z : complex<f32> to i64
  %18 = complex.bitcast %l : i64 to complex<f32>
  %19 = complex.constant [1.0 : f32, -2.5 : f32] : complex<f32>
  return
}
