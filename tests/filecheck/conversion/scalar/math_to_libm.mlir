// RUN: xgpu-opt %s --convert-math-to-libm | filecheck %s

// Functions of the C library.

func.func @f(%x: f32, %d: f64, %v: vector<2xf32>, %h: f16, %b: bf16) {
  %0 = math.atan2 %x, %x : f32
  %1 = math.erf %x : f32
  %2 = math.erf %d : f64
  %3 = math.cbrt %x : f32
  %4 = math.tanh %v : vector<2xf32>
  %5 = math.tanh %h : f16
  %6 = math.exp %b : bf16
  %7 = math.round %x : f32
  %8 = math.roundeven %x : f32
  %9 = math.trunc %x : f32
  %10 = math.expm1 %x fastmath<fast> : f32
  %11 = math.log1p %x : f32
  %12 = math.ceil %x : f32
  %13 = math.floor %x : f32
  %14 = math.cos %x : f32
  %15 = math.fma %x, %x, %x : f32
  %16 = math.powf %x, %x : f32
  %17 = math.rsqrt %x : f32
  %18 = math.sqrt %x : f32
  %19 = math.absf %x : f32
  %20 = math.acos %x : f32
  %21 = math.acosh %x : f32
  %22 = math.erfc %x : f32
  %23 = math.exp2 %x : f32
  %24 = math.log %x : f32
  %25 = math.log2 %x : f32
  %26 = math.log10 %x : f32
  %27 = math.sin %x : f32
  %28 = math.sinh %x : f32
  %29 = math.tan %x : f32
  %30 = math.asin %x : f32
  %31 = math.asinh %x : f32
  %32 = math.atan %x : f32
  %33 = math.atanh %x : f32
  %34 = math.cosh %x : f32
  %39 = math.atan %v : vector<2xf32>
  return
}

// CHECK: module {
// CHECK-NEXT: func.func private @coshf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @atanhf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @atanf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @asinhf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @asinf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @tanf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @sinhf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @sinf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @log10f(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @log2f(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @logf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @exp2f(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @erfcf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @acoshf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @acosf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @fabsf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @sqrtf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @rsqrtf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @powf(f32, f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @fmaf(f32, f32, f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @cosf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @floorf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @ceilf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @log1pf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @expm1f(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @truncf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @roundevenf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @roundf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @expf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @tanhf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @cbrtf(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @erf(f64) -> f64 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @erff(f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func private @atan2f(f32, f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT: func.func @f(%arg0: f32, %arg1: f64, %arg2: vector<2xf32>, %arg3: f16, %arg4: bf16) {
// CHECK-NEXT: %0 = call @atan2f(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT: %1 = call @erff(%arg0) : (f32) -> f32
// CHECK-NEXT: %2 = call @erf(%arg1) : (f64) -> f64
// CHECK-NEXT: %3 = call @cbrtf(%arg0) : (f32) -> f32
// CHECK-NEXT: %cst = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK-NEXT: %4 = vector.extract %arg2[0] : f32 from vector<2xf32>
// CHECK-NEXT: %5 = call @tanhf(%4) : (f32) -> f32
// CHECK-NEXT: %6 = vector.insert %5, %cst [0] : f32 into vector<2xf32>
// CHECK-NEXT: %7 = vector.extract %arg2[1] : f32 from vector<2xf32>
// CHECK-NEXT: %8 = call @tanhf(%7) : (f32) -> f32
// CHECK-NEXT: %9 = vector.insert %8, %6 [1] : f32 into vector<2xf32>
// CHECK-NEXT: %10 = arith.extf %arg3 : f16 to f32
// CHECK-NEXT: %11 = call @tanhf(%10) : (f32) -> f32
// CHECK-NEXT: %12 = arith.truncf %11 : f32 to f16
// CHECK-NEXT: %13 = arith.extf %arg4 : bf16 to f32
// CHECK-NEXT: %14 = call @expf(%13) : (f32) -> f32
// CHECK-NEXT: %15 = arith.truncf %14 : f32 to bf16
// CHECK-NEXT: %16 = call @roundf(%arg0) : (f32) -> f32
// CHECK-NEXT: %17 = call @roundevenf(%arg0) : (f32) -> f32
// CHECK-NEXT: %18 = call @truncf(%arg0) : (f32) -> f32
// CHECK-NEXT: %19 = call @expm1f(%arg0) : (f32) -> f32
// CHECK-NEXT: %20 = call @log1pf(%arg0) : (f32) -> f32
// CHECK-NEXT: %21 = call @ceilf(%arg0) : (f32) -> f32
// CHECK-NEXT: %22 = call @floorf(%arg0) : (f32) -> f32
// CHECK-NEXT: %23 = call @cosf(%arg0) : (f32) -> f32
// CHECK-NEXT: %24 = call @fmaf(%arg0, %arg0, %arg0) : (f32, f32, f32) -> f32
// CHECK-NEXT: %25 = call @powf(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT: %26 = call @rsqrtf(%arg0) : (f32) -> f32
// CHECK-NEXT: %27 = call @sqrtf(%arg0) : (f32) -> f32
// CHECK-NEXT: %28 = call @fabsf(%arg0) : (f32) -> f32
// CHECK-NEXT: %29 = call @acosf(%arg0) : (f32) -> f32
// CHECK-NEXT: %30 = call @acoshf(%arg0) : (f32) -> f32
// CHECK-NEXT: %31 = call @erfcf(%arg0) : (f32) -> f32
// CHECK-NEXT: %32 = call @exp2f(%arg0) : (f32) -> f32
// CHECK-NEXT: %33 = call @logf(%arg0) : (f32) -> f32
// CHECK-NEXT: %34 = call @log2f(%arg0) : (f32) -> f32
// CHECK-NEXT: %35 = call @log10f(%arg0) : (f32) -> f32
// CHECK-NEXT: %36 = call @sinf(%arg0) : (f32) -> f32
// CHECK-NEXT: %37 = call @sinhf(%arg0) : (f32) -> f32
// CHECK-NEXT: %38 = call @tanf(%arg0) : (f32) -> f32
// CHECK-NEXT: %39 = call @asinf(%arg0) : (f32) -> f32
// CHECK-NEXT: %40 = call @asinhf(%arg0) : (f32) -> f32
// CHECK-NEXT: %41 = call @atanf(%arg0) : (f32) -> f32
// CHECK-NEXT: %42 = call @atanhf(%arg0) : (f32) -> f32
// CHECK-NEXT: %43 = call @coshf(%arg0) : (f32) -> f32
// CHECK-NEXT: %cst_0 = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK-NEXT: %44 = vector.extract %arg2[0] : f32 from vector<2xf32>
// CHECK-NEXT: %45 = call @atanf(%44) : (f32) -> f32
// CHECK-NEXT: %46 = vector.insert %45, %cst_0 [0] : f32 into vector<2xf32>
// CHECK-NEXT: %47 = vector.extract %arg2[1] : f32 from vector<2xf32>
// CHECK-NEXT: %48 = call @atanf(%47) : (f32) -> f32
// CHECK-NEXT: %49 = vector.insert %48, %46 [1] : f32 into vector<2xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
