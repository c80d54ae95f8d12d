// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every operation, with and without fast-math flags.

// CHECK: module {
// CHECK-NEXT:   func.func @floats(%arg0: f32, %arg1: vector<4xf16>) {
// CHECK-NEXT:     %0 = math.absf %arg0 : f32
// CHECK-NEXT:     %1 = math.absf %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %2 = math.acos %arg0 : f32
// CHECK-NEXT:     %3 = math.acos %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %4 = math.acosh %arg0 : f32
// CHECK-NEXT:     %5 = math.acosh %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %6 = math.asin %arg0 : f32
// CHECK-NEXT:     %7 = math.asin %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %8 = math.asinh %arg0 : f32
// CHECK-NEXT:     %9 = math.asinh %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %10 = math.atan %arg0 : f32
// CHECK-NEXT:     %11 = math.atan %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %12 = math.atanh %arg0 : f32
// CHECK-NEXT:     %13 = math.atanh %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %14 = math.cbrt %arg0 : f32
// CHECK-NEXT:     %15 = math.cbrt %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %16 = math.ceil %arg0 : f32
// CHECK-NEXT:     %17 = math.ceil %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %18 = math.cos %arg0 : f32
// CHECK-NEXT:     %19 = math.cos %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %20 = math.cosh %arg0 : f32
// CHECK-NEXT:     %21 = math.cosh %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %22 = math.erf %arg0 : f32
// CHECK-NEXT:     %23 = math.erf %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %24 = math.erfc %arg0 : f32
// CHECK-NEXT:     %25 = math.erfc %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %26 = math.exp %arg0 : f32
// CHECK-NEXT:     %27 = math.exp %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %28 = math.exp2 %arg0 : f32
// CHECK-NEXT:     %29 = math.exp2 %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %30 = math.expm1 %arg0 : f32
// CHECK-NEXT:     %31 = math.expm1 %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %32 = math.floor %arg0 : f32
// CHECK-NEXT:     %33 = math.floor %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %34 = math.log %arg0 : f32
// CHECK-NEXT:     %35 = math.log %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %36 = math.log10 %arg0 : f32
// CHECK-NEXT:     %37 = math.log10 %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %38 = math.log1p %arg0 : f32
// CHECK-NEXT:     %39 = math.log1p %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %40 = math.log2 %arg0 : f32
// CHECK-NEXT:     %41 = math.log2 %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %42 = math.round %arg0 : f32
// CHECK-NEXT:     %43 = math.round %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %44 = math.roundeven %arg0 : f32
// CHECK-NEXT:     %45 = math.roundeven %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %46 = math.rsqrt %arg0 : f32
// CHECK-NEXT:     %47 = math.rsqrt %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %48 = math.sin %arg0 : f32
// CHECK-NEXT:     %49 = math.sin %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %50 = math.sinh %arg0 : f32
// CHECK-NEXT:     %51 = math.sinh %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %52 = math.sqrt %arg0 : f32
// CHECK-NEXT:     %53 = math.sqrt %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %54 = math.tan %arg0 : f32
// CHECK-NEXT:     %55 = math.tan %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %56 = math.tanh %arg0 : f32
// CHECK-NEXT:     %57 = math.tanh %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %58 = math.trunc %arg0 : f32
// CHECK-NEXT:     %59 = math.trunc %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @floats(%f: f32, %v: vector<4xf16>) {
  %0 = math.absf %f : f32
  %1 = math.absf %v fastmath<fast> : vector<4xf16>
  %2 = math.acos %f : f32
  %3 = math.acos %v fastmath<fast> : vector<4xf16>
  %4 = math.acosh %f : f32
  %5 = math.acosh %v fastmath<fast> : vector<4xf16>
  %6 = math.asin %f : f32
  %7 = math.asin %v fastmath<fast> : vector<4xf16>
  %8 = math.asinh %f : f32
  %9 = math.asinh %v fastmath<fast> : vector<4xf16>
  %10 = math.atan %f : f32
  %11 = math.atan %v fastmath<fast> : vector<4xf16>
  %12 = math.atanh %f : f32
  %13 = math.atanh %v fastmath<fast> : vector<4xf16>
  %14 = math.cbrt %f : f32
  %15 = math.cbrt %v fastmath<fast> : vector<4xf16>
  %16 = math.ceil %f : f32
  %17 = math.ceil %v fastmath<fast> : vector<4xf16>
  %18 = math.cos %f : f32
  %19 = math.cos %v fastmath<fast> : vector<4xf16>
  %20 = math.cosh %f : f32
  %21 = math.cosh %v fastmath<fast> : vector<4xf16>
  %22 = math.erf %f : f32
  %23 = math.erf %v fastmath<fast> : vector<4xf16>
  %24 = math.erfc %f : f32
  %25 = math.erfc %v fastmath<fast> : vector<4xf16>
  %26 = math.exp %f : f32
  %27 = math.exp %v fastmath<fast> : vector<4xf16>
  %28 = math.exp2 %f : f32
  %29 = math.exp2 %v fastmath<fast> : vector<4xf16>
  %30 = math.expm1 %f : f32
  %31 = math.expm1 %v fastmath<fast> : vector<4xf16>
  %32 = math.floor %f : f32
  %33 = math.floor %v fastmath<fast> : vector<4xf16>
  %34 = math.log %f : f32
  %35 = math.log %v fastmath<fast> : vector<4xf16>
  %36 = math.log10 %f : f32
  %37 = math.log10 %v fastmath<fast> : vector<4xf16>
  %38 = math.log1p %f : f32
  %39 = math.log1p %v fastmath<fast> : vector<4xf16>
  %40 = math.log2 %f : f32
  %41 = math.log2 %v fastmath<fast> : vector<4xf16>
  %42 = math.round %f : f32
  %43 = math.round %v fastmath<fast> : vector<4xf16>
  %44 = math.roundeven %f : f32
  %45 = math.roundeven %v fastmath<fast> : vector<4xf16>
  %46 = math.rsqrt %f : f32
  %47 = math.rsqrt %v fastmath<fast> : vector<4xf16>
  %48 = math.sin %f : f32
  %49 = math.sin %v fastmath<fast> : vector<4xf16>
  %50 = math.sinh %f : f32
  %51 = math.sinh %v fastmath<fast> : vector<4xf16>
  %52 = math.sqrt %f : f32
  %53 = math.sqrt %v fastmath<fast> : vector<4xf16>
  %54 = math.tan %f : f32
  %55 = math.tan %v fastmath<fast> : vector<4xf16>
  %56 = math.tanh %f : f32
  %57 = math.tanh %v fastmath<fast> : vector<4xf16>
  %58 = math.trunc %f : f32
  %59 = math.trunc %v fastmath<fast> : vector<4xf16>
  return
}

// CHECK-NEXT:   func.func @more_floats(%arg0: f32, %arg1: vector<4xf16>, %arg2: i32) {
// CHECK-NEXT:     %0 = math.atan2 %arg0, %arg0 : f32
// CHECK-NEXT:     %1 = math.atan2 %arg1, %arg1 fastmath<nnan> : vector<4xf16>
// CHECK-NEXT:     %2 = math.copysign %arg0, %arg0 : f32
// CHECK-NEXT:     %3 = math.copysign %arg1, %arg1 fastmath<nnan> : vector<4xf16>
// CHECK-NEXT:     %4 = math.powf %arg0, %arg0 : f32
// CHECK-NEXT:     %5 = math.powf %arg1, %arg1 fastmath<nnan> : vector<4xf16>
// CHECK-NEXT:     %6 = math.fma %arg0, %arg0, %arg0 : f32
// CHECK-NEXT:     %7 = math.fma %arg1, %arg1, %arg1 fastmath<afn> : vector<4xf16>
// CHECK-NEXT:     %8 = math.clampf %arg0 to [%arg0, %arg0] : f32
// CHECK-NEXT:     %9 = math.clampf %arg1 to [%arg1, %arg1] fastmath<ninf> : vector<4xf16>
// CHECK-NEXT:     %10 = math.fpowi %arg0, %arg2 : f32, i32
// CHECK-NEXT:     %11 = math.fpowi %arg0, %arg2 fastmath<fast> : f32, i32
// CHECK-NEXT:     %sin, %cos = math.sincos %arg0 : f32
// CHECK-NEXT:     %sin_0, %cos_1 = math.sincos %arg1 fastmath<fast> : vector<4xf16>
// CHECK-NEXT:     %12 = math.isfinite %arg0 : f32
// CHECK-NEXT:     %13 = math.isinf %arg0 : f32
// CHECK-NEXT:     %14 = math.isnan %arg0 : f32
// CHECK-NEXT:     %15 = math.isnormal %arg0 : f32
// CHECK-NEXT:     %16 = math.isnan %arg1 : vector<4xf16>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @more_floats(%f: f32, %v: vector<4xf16>, %i: i32) {
  %0 = math.atan2 %f, %f : f32
  %1 = math.atan2 %v, %v fastmath<nnan> : vector<4xf16>
  %2 = math.copysign %f, %f : f32
  %3 = math.copysign %v, %v fastmath<nnan> : vector<4xf16>
  %4 = math.powf %f, %f : f32
  %5 = math.powf %v, %v fastmath<nnan> : vector<4xf16>
  %6 = math.fma %f, %f, %f : f32
  %7 = math.fma %v, %v, %v fastmath<afn> : vector<4xf16>
  %8 = math.clampf %f to [%f, %f] : f32
  %9 = math.clampf %v to [%v, %v] fastmath<ninf> : vector<4xf16>
  %10 = math.fpowi %f, %i : f32, i32
  %11 = math.fpowi %f, %i fastmath<fast> : f32, i32
  %12:2 = math.sincos %f : f32
  %13:2 = math.sincos %v fastmath<fast> : vector<4xf16>
  %14 = math.isfinite %f : f32
  %15 = math.isinf %f : f32
  %16 = math.isnan %f : f32
  %17 = math.isnormal %f : f32
  %18 = math.isnan %v : vector<4xf16>
  return
}

// CHECK-NEXT:   func.func @integers(%arg0: i32, %arg1: index, %arg2: vector<2xi64>) {
// CHECK-NEXT:     %0 = math.absi %arg0 : i32
// CHECK-NEXT:     %1 = math.absi %arg1 : index
// CHECK-NEXT:     %2 = math.absi %arg2 : vector<2xi64>
// CHECK-NEXT:     %3 = math.ctlz %arg0 : i32
// CHECK-NEXT:     %4 = math.ctlz %arg1 : index
// CHECK-NEXT:     %5 = math.ctlz %arg2 : vector<2xi64>
// CHECK-NEXT:     %6 = math.cttz %arg0 : i32
// CHECK-NEXT:     %7 = math.cttz %arg1 : index
// CHECK-NEXT:     %8 = math.cttz %arg2 : vector<2xi64>
// CHECK-NEXT:     %9 = math.ctpop %arg0 : i32
// CHECK-NEXT:     %10 = math.ctpop %arg1 : index
// CHECK-NEXT:     %11 = math.ctpop %arg2 : vector<2xi64>
// CHECK-NEXT:     %12 = math.ipowi %arg0, %arg0 : i32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @integers(%i: i32, %x: index, %w: vector<2xi64>) {
  %0 = math.absi %i : i32
  %1 = math.absi %x : index
  %2 = math.absi %w : vector<2xi64>
  %3 = math.ctlz %i : i32
  %4 = math.ctlz %x : index
  %5 = math.ctlz %w : vector<2xi64>
  %6 = math.cttz %i : i32
  %7 = math.cttz %x : index
  %8 = math.cttz %w : vector<2xi64>
  %9 = math.ctpop %i : i32
  %10 = math.ctpop %x : index
  %11 = math.ctpop %w : vector<2xi64>
  %12 = math.ipowi %i, %i : i32
  return
}
