// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Intrinsics on numbers.

// CHECK: module {
// CHECK-NEXT:   llvm.func @floats(%arg0: f32, %arg1: vector<4xf16>) {
// CHECK-NEXT:     %0 = llvm.intr.acos(%arg0) : (f32) -> f32
// CHECK-NEXT:     %1 = llvm.intr.acos(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %2 = llvm.intr.asin(%arg0) : (f32) -> f32
// CHECK-NEXT:     %3 = llvm.intr.asin(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %4 = llvm.intr.atan(%arg0) : (f32) -> f32
// CHECK-NEXT:     %5 = llvm.intr.atan(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %6 = llvm.intr.ceil(%arg0) : (f32) -> f32
// CHECK-NEXT:     %7 = llvm.intr.ceil(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %8 = llvm.intr.cos(%arg0) : (f32) -> f32
// CHECK-NEXT:     %9 = llvm.intr.cos(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %10 = llvm.intr.cosh(%arg0) : (f32) -> f32
// CHECK-NEXT:     %11 = llvm.intr.cosh(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %12 = llvm.intr.exp(%arg0) : (f32) -> f32
// CHECK-NEXT:     %13 = llvm.intr.exp(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %14 = llvm.intr.exp10(%arg0) : (f32) -> f32
// CHECK-NEXT:     %15 = llvm.intr.exp10(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %16 = llvm.intr.exp2(%arg0) : (f32) -> f32
// CHECK-NEXT:     %17 = llvm.intr.exp2(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %18 = llvm.intr.fabs(%arg0) : (f32) -> f32
// CHECK-NEXT:     %19 = llvm.intr.fabs(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %20 = llvm.intr.floor(%arg0) : (f32) -> f32
// CHECK-NEXT:     %21 = llvm.intr.floor(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %22 = llvm.intr.log(%arg0) : (f32) -> f32
// CHECK-NEXT:     %23 = llvm.intr.log(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %24 = llvm.intr.log10(%arg0) : (f32) -> f32
// CHECK-NEXT:     %25 = llvm.intr.log10(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %26 = llvm.intr.log2(%arg0) : (f32) -> f32
// CHECK-NEXT:     %27 = llvm.intr.log2(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %28 = llvm.intr.nearbyint(%arg0) : (f32) -> f32
// CHECK-NEXT:     %29 = llvm.intr.nearbyint(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %30 = llvm.intr.rint(%arg0) : (f32) -> f32
// CHECK-NEXT:     %31 = llvm.intr.rint(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %32 = llvm.intr.round(%arg0) : (f32) -> f32
// CHECK-NEXT:     %33 = llvm.intr.round(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %34 = llvm.intr.roundeven(%arg0) : (f32) -> f32
// CHECK-NEXT:     %35 = llvm.intr.roundeven(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %36 = llvm.intr.sin(%arg0) : (f32) -> f32
// CHECK-NEXT:     %37 = llvm.intr.sin(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %38 = llvm.intr.sinh(%arg0) : (f32) -> f32
// CHECK-NEXT:     %39 = llvm.intr.sinh(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %40 = llvm.intr.sqrt(%arg0) : (f32) -> f32
// CHECK-NEXT:     %41 = llvm.intr.sqrt(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %42 = llvm.intr.tan(%arg0) : (f32) -> f32
// CHECK-NEXT:     %43 = llvm.intr.tan(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %44 = llvm.intr.tanh(%arg0) : (f32) -> f32
// CHECK-NEXT:     %45 = llvm.intr.tanh(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %46 = llvm.intr.trunc(%arg0) : (f32) -> f32
// CHECK-NEXT:     %47 = llvm.intr.trunc(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %48 = llvm.intr.atan2(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     %49 = llvm.intr.atan2(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %50 = llvm.intr.copysign(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     %51 = llvm.intr.copysign(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %52 = llvm.intr.maximum(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     %53 = llvm.intr.maximum(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %54 = llvm.intr.maxnum(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     %55 = llvm.intr.maxnum(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %56 = llvm.intr.minimum(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     %57 = llvm.intr.minimum(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %58 = llvm.intr.minnum(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     %59 = llvm.intr.minnum(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %60 = llvm.intr.pow(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     %61 = llvm.intr.pow(%arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %62 = llvm.intr.fma(%arg0, %arg0, %arg0) : (f32, f32, f32) -> f32
// CHECK-NEXT:     %63 = llvm.intr.fma(%arg1, %arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     %64 = llvm.intr.fmuladd(%arg0, %arg0, %arg0) : (f32, f32, f32) -> f32
// CHECK-NEXT:     %65 = llvm.intr.fmuladd(%arg1, %arg1, %arg1) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @floats(%f: f32, %v: vector<4xf16>) {
  %0 = llvm.intr.acos(%f) : (f32) -> f32
  %1 = llvm.intr.acos(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %2 = llvm.intr.asin(%f) : (f32) -> f32
  %3 = llvm.intr.asin(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %4 = llvm.intr.atan(%f) : (f32) -> f32
  %5 = llvm.intr.atan(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %6 = llvm.intr.ceil(%f) : (f32) -> f32
  %7 = llvm.intr.ceil(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %8 = llvm.intr.cos(%f) : (f32) -> f32
  %9 = llvm.intr.cos(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %10 = llvm.intr.cosh(%f) : (f32) -> f32
  %11 = llvm.intr.cosh(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %12 = llvm.intr.exp(%f) : (f32) -> f32
  %13 = llvm.intr.exp(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %14 = llvm.intr.exp10(%f) : (f32) -> f32
  %15 = llvm.intr.exp10(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %16 = llvm.intr.exp2(%f) : (f32) -> f32
  %17 = llvm.intr.exp2(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %18 = llvm.intr.fabs(%f) : (f32) -> f32
  %19 = llvm.intr.fabs(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %20 = llvm.intr.floor(%f) : (f32) -> f32
  %21 = llvm.intr.floor(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %22 = llvm.intr.log(%f) : (f32) -> f32
  %23 = llvm.intr.log(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %24 = llvm.intr.log10(%f) : (f32) -> f32
  %25 = llvm.intr.log10(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %26 = llvm.intr.log2(%f) : (f32) -> f32
  %27 = llvm.intr.log2(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %28 = llvm.intr.nearbyint(%f) : (f32) -> f32
  %29 = llvm.intr.nearbyint(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %30 = llvm.intr.rint(%f) : (f32) -> f32
  %31 = llvm.intr.rint(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %32 = llvm.intr.round(%f) : (f32) -> f32
  %33 = llvm.intr.round(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %34 = llvm.intr.roundeven(%f) : (f32) -> f32
  %35 = llvm.intr.roundeven(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %36 = llvm.intr.sin(%f) : (f32) -> f32
  %37 = llvm.intr.sin(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %38 = llvm.intr.sinh(%f) : (f32) -> f32
  %39 = llvm.intr.sinh(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %40 = llvm.intr.sqrt(%f) : (f32) -> f32
  %41 = llvm.intr.sqrt(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %42 = llvm.intr.tan(%f) : (f32) -> f32
  %43 = llvm.intr.tan(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %44 = llvm.intr.tanh(%f) : (f32) -> f32
  %45 = llvm.intr.tanh(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %46 = llvm.intr.trunc(%f) : (f32) -> f32
  %47 = llvm.intr.trunc(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>) -> vector<4xf16>
  %48 = llvm.intr.atan2(%f, %f) : (f32, f32) -> f32
  %49 = llvm.intr.atan2(%v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %50 = llvm.intr.copysign(%f, %f) : (f32, f32) -> f32
  %51 = llvm.intr.copysign(%v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %52 = llvm.intr.maximum(%f, %f) : (f32, f32) -> f32
  %53 = llvm.intr.maximum(%v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %54 = llvm.intr.maxnum(%f, %f) : (f32, f32) -> f32
  %55 = llvm.intr.maxnum(%v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %56 = llvm.intr.minimum(%f, %f) : (f32, f32) -> f32
  %57 = llvm.intr.minimum(%v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %58 = llvm.intr.minnum(%f, %f) : (f32, f32) -> f32
  %59 = llvm.intr.minnum(%v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %60 = llvm.intr.pow(%f, %f) : (f32, f32) -> f32
  %61 = llvm.intr.pow(%v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %62 = llvm.intr.fma(%f, %f, %f) : (f32, f32, f32) -> f32
  %63 = llvm.intr.fma(%v, %v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  %64 = llvm.intr.fmuladd(%f, %f, %f) : (f32, f32, f32) -> f32
  %65 = llvm.intr.fmuladd(%v, %v, %v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf16>, vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  llvm.return
}

// CHECK-NEXT:   llvm.func @other_floats(%arg0: f32, %arg1: i32) {
// CHECK-NEXT:     %0 = llvm.intr.frexp(%arg0) : (f32) -> !llvm.struct<(f32, i32)>
// CHECK-NEXT:     %1 = llvm.intr.sincos(%arg0) : (f32) -> !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %2 = llvm.intr.ldexp(%arg0, %arg1) : (f32, i32) -> f32
// CHECK-NEXT:     %3 = llvm.intr.powi(%arg0, %arg1) : (f32, i32) -> f32
// CHECK-NEXT:     %4 = llvm.intr.powi(%arg0, %arg1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, i32) -> f32
// CHECK-NEXT:     %5 = llvm.intr.llrint(%arg0) : (f32) -> i64
// CHECK-NEXT:     %6 = llvm.intr.llround(%arg0) : (f32) -> i64
// CHECK-NEXT:     %7 = llvm.intr.lrint(%arg0) : (f32) -> i64
// CHECK-NEXT:     %8 = llvm.intr.lround(%arg0) : (f32) -> i64
// CHECK-NEXT:     %9 = "llvm.intr.is.fpclass"(%arg0) <{bit = 3 : i32}> : (f32) -> i1
// CHECK-NEXT:     %10 = llvm.intr.experimental.constrained.fptrunc %arg0 tonearest ignore : f32 to f16
// CHECK-NEXT:     %11 = llvm.intr.experimental.constrained.fptrunc %arg0 downward ignore : f32 to f16
// CHECK-NEXT:     %12 = llvm.intr.experimental.constrained.fptrunc %arg0 upward ignore : f32 to f16
// CHECK-NEXT:     %13 = llvm.intr.experimental.constrained.fptrunc %arg0 towardzero ignore : f32 to f16
// CHECK-NEXT:     %14 = llvm.intr.experimental.constrained.fptrunc %arg0 tonearestaway ignore : f32 to f16
// CHECK-NEXT:     %15 = llvm.intr.experimental.constrained.fptrunc %arg0 dynamic strict : f32 to f16
// CHECK-NEXT:     %16 = llvm.intr.experimental.constrained.fpext %arg0 strict : f32 to f64
// CHECK-NEXT:     %17 = llvm.intr.experimental.constrained.fpext %arg0 maytrap : f32 to f64
// CHECK-NEXT:     %18 = llvm.intr.experimental.constrained.fpext %arg0 ignore : f32 to f64
// CHECK-NEXT:     %19 = llvm.intr.experimental.constrained.sitofp %arg1 tonearest maytrap : i32 to f32
// CHECK-NEXT:     %20 = llvm.intr.experimental.constrained.uitofp %arg1 towardzero ignore : i32 to f32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @other_floats(%f: f32, %i: i32) {
  %0 = llvm.intr.frexp(%f) : (f32) -> !llvm.struct<(f32, i32)>
  %1 = llvm.intr.sincos(%f) : (f32) -> !llvm.struct<(f32, f32)>
  %2 = llvm.intr.ldexp(%f, %i) : (f32, i32) -> f32
  %3 = llvm.intr.powi(%f, %i) : (f32, i32) -> f32
  %4 = llvm.intr.powi(%f, %i) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, i32) -> f32
  %5 = llvm.intr.llrint(%f) : (f32) -> i64
  %6 = llvm.intr.llround(%f) : (f32) -> i64
  %7 = llvm.intr.lrint(%f) : (f32) -> i64
  %8 = llvm.intr.lround(%f) : (f32) -> i64
  %9 = "llvm.intr.is.fpclass"(%f) <{bit = 3 : i32}> : (f32) -> i1
  %10 = llvm.intr.experimental.constrained.fptrunc %f tonearest ignore : f32 to f16
  %11 = llvm.intr.experimental.constrained.fptrunc %f downward ignore : f32 to f16
  %12 = llvm.intr.experimental.constrained.fptrunc %f upward ignore : f32 to f16
  %13 = llvm.intr.experimental.constrained.fptrunc %f towardzero ignore : f32 to f16
  %14 = llvm.intr.experimental.constrained.fptrunc %f tonearestaway ignore : f32 to f16
  %15 = llvm.intr.experimental.constrained.fptrunc %f dynamic strict : f32 to f16
  %16 = llvm.intr.experimental.constrained.fpext %f strict : f32 to f64
  %17 = llvm.intr.experimental.constrained.fpext %f maytrap : f32 to f64
  %18 = llvm.intr.experimental.constrained.fpext %f ignore : f32 to f64
  %19 = llvm.intr.experimental.constrained.sitofp %i tonearest maytrap : i32 to f32
  %20 = llvm.intr.experimental.constrained.uitofp %i towardzero ignore : i32 to f32
  llvm.return
}

// CHECK-NEXT:   llvm.func @integers(%arg0: i32) {
// CHECK-NEXT:     %0 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i32) -> i32
// CHECK-NEXT:     %1 = "llvm.intr.ctlz"(%arg0) <{is_zero_poison = true}> : (i32) -> i32
// CHECK-NEXT:     %2 = "llvm.intr.cttz"(%arg0) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT:     %3 = llvm.intr.bitreverse(%arg0) : (i32) -> i32
// CHECK-NEXT:     %4 = llvm.intr.bswap(%arg0) : (i32) -> i32
// CHECK-NEXT:     %5 = llvm.intr.ctpop(%arg0) : (i32) -> i32
// CHECK-NEXT:     %6 = llvm.intr.smax(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %7 = llvm.intr.smin(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %8 = llvm.intr.umax(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %9 = llvm.intr.umin(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %10 = llvm.intr.sadd.sat(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %11 = llvm.intr.ssub.sat(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %12 = llvm.intr.sshl.sat(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %13 = llvm.intr.uadd.sat(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %14 = llvm.intr.usub.sat(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %15 = llvm.intr.ushl.sat(%arg0, %arg0) : (i32, i32) -> i32
// CHECK-NEXT:     %16 = llvm.intr.fshl(%arg0, %arg0, %arg0) : (i32, i32, i32) -> i32
// CHECK-NEXT:     %17 = llvm.intr.fshr(%arg0, %arg0, %arg0) : (i32, i32, i32) -> i32
// CHECK-NEXT:     %18 = llvm.intr.scmp(%arg0, %arg0) : (i32, i32) -> i8
// CHECK-NEXT:     %19 = llvm.intr.ucmp(%arg0, %arg0) : (i32, i32) -> i8
// CHECK-NEXT:     %20 = "llvm.intr.sadd.with.overflow"(%arg0, %arg0) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %21 = "llvm.intr.ssub.with.overflow"(%arg0, %arg0) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %22 = "llvm.intr.smul.with.overflow"(%arg0, %arg0) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %23 = "llvm.intr.uadd.with.overflow"(%arg0, %arg0) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %24 = "llvm.intr.usub.with.overflow"(%arg0, %arg0) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %25 = "llvm.intr.umul.with.overflow"(%arg0, %arg0) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %26 = llvm.intr.expect %arg0, %arg0 : i32
// CHECK-NEXT:     %27 = llvm.intr.expect.with.probability %arg0, %arg0, 5.000000e-01 : i32
// CHECK-NEXT:     %28 = "llvm.intr.is.constant"(%arg0) : (i32) -> i1
// CHECK-NEXT:     %29 = llvm.intr.ssa.copy %arg0 : i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @integers(%i: i32) {
  %0 = "llvm.intr.abs"(%i) <{is_int_min_poison = false}> : (i32) -> i32
  %1 = "llvm.intr.ctlz"(%i) <{is_zero_poison = true}> : (i32) -> i32
  %2 = "llvm.intr.cttz"(%i) <{is_zero_poison = false}> : (i32) -> i32
  %3 = llvm.intr.bitreverse(%i) : (i32) -> i32
  %4 = llvm.intr.bswap(%i) : (i32) -> i32
  %5 = llvm.intr.ctpop(%i) : (i32) -> i32
  %6 = llvm.intr.smax(%i, %i) : (i32, i32) -> i32
  %7 = llvm.intr.smin(%i, %i) : (i32, i32) -> i32
  %8 = llvm.intr.umax(%i, %i) : (i32, i32) -> i32
  %9 = llvm.intr.umin(%i, %i) : (i32, i32) -> i32
  %10 = llvm.intr.sadd.sat(%i, %i) : (i32, i32) -> i32
  %11 = llvm.intr.ssub.sat(%i, %i) : (i32, i32) -> i32
  %12 = llvm.intr.sshl.sat(%i, %i) : (i32, i32) -> i32
  %13 = llvm.intr.uadd.sat(%i, %i) : (i32, i32) -> i32
  %14 = llvm.intr.usub.sat(%i, %i) : (i32, i32) -> i32
  %15 = llvm.intr.ushl.sat(%i, %i) : (i32, i32) -> i32
  %16 = llvm.intr.fshl(%i, %i, %i) : (i32, i32, i32) -> i32
  %17 = llvm.intr.fshr(%i, %i, %i) : (i32, i32, i32) -> i32
  %18 = llvm.intr.scmp(%i, %i) : (i32, i32) -> i8
  %19 = llvm.intr.ucmp(%i, %i) : (i32, i32) -> i8
  %20 = "llvm.intr.sadd.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %21 = "llvm.intr.ssub.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %22 = "llvm.intr.smul.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %23 = "llvm.intr.uadd.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %24 = "llvm.intr.usub.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %25 = "llvm.intr.umul.with.overflow"(%i, %i) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %26 = llvm.intr.expect %i, %i : i32
  %27 = llvm.intr.expect.with.probability %i, %i, 5.000000e-01 : i32
  %28 = "llvm.intr.is.constant"(%i) : (i32) -> i1
  %29 = llvm.intr.ssa.copy %i : i32
  llvm.return
}
