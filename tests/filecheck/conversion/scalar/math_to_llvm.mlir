// RUN: xgpu-opt %s --convert-math-to-llvm | filecheck %s

// Functions that LLVM has intrinsics for, and those that stay.

func.func @f(%x: f32, %i: i32, %v: vector<4xf32>, %w: vector<2x4xf32>, %h: f16) -> () {
  %0 = math.absf %x : f32
  %1 = math.absi %i : i32
  %2 = math.ceil %x fastmath<fast> : f32
  %3 = math.copysign %x, %x : f32
  %4 = math.cos %v : vector<4xf32>
  %5 = math.cos %w : vector<2x4xf32>
  %6 = math.ctlz %i : i32
  %7 = math.cttz %i : i32
  %8 = math.ctpop %i : i32
  %9 = math.expm1 %x fastmath<nnan> : f32
  %10 = math.expm1 %w : vector<2x4xf32>
  %11 = math.log1p %x : f32
  %12 = math.log1p %v : vector<4xf32>
  %13 = math.rsqrt %x : f32
  %14 = math.rsqrt %w : vector<2x4xf32>
  %15 = math.isnan %x : f32
  %16 = math.isfinite %x : f32
  %17 = math.isinf %x : f32
  %18 = math.isnormal %x : f32
  %19 = math.fma %x, %x, %x : f32
  %20 = math.powf %x, %x : f32
  %21 = math.fpowi %x, %i : f32, i32
  %22 = math.ipowi %i, %i : i32
  %23 = math.round %x : f32
  %24 = math.roundeven %x : f32
  %25 = math.trunc %x : f32
  %26 = math.sqrt %x : f32
  %27 = math.tanh %x : f32
  %28 = math.tan %x : f32
  %29 = math.atan2 %x, %x : f32
  %30 = math.erf %x : f32
  %31 = math.exp %x : f32
  %32 = math.exp2 %x : f32
  %33, %34 = math.sincos %x : f32
  %35 = math.clampf %x to [%x, %x] : f32
  %36 = math.cbrt %x : f32
  %37 = math.acos %x : f32
  %38 = math.acosh %x : f32
  %39 = math.sinh %x : f32
  %40 = math.log %x : f32
  %41 = math.log2 %x : f32
  %42 = math.log10 %x : f32
  %43 = math.floor %x : f32
  %44 = math.sin %x : f32
  %45 = math.asin %x : f32
  %46 = math.atan %x : f32
  %47 = math.cosh %x : f32
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: f32, %arg1: i32, %arg2: vector<4xf32>, %arg3: vector<2x4xf32>, %arg4: f16) {
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg3 : vector<2x4xf32> to !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %1 = llvm.intr.fabs(%arg0) : (f32) -> f32
// CHECK-NEXT: %2 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i32) -> i32
// CHECK-NEXT: %3 = llvm.intr.ceil(%arg0) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32
// CHECK-NEXT: %4 = llvm.intr.copysign(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT: %5 = llvm.intr.cos(%arg2) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %6 = llvm.mlir.poison : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %7 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %8 = llvm.intr.cos(%7) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %9 = llvm.insertvalue %8, %6[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %10 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %11 = llvm.intr.cos(%10) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %12 = llvm.insertvalue %11, %9[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %13 = "llvm.intr.ctlz"(%arg1) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT: %14 = "llvm.intr.cttz"(%arg1) <{is_zero_poison = false}> : (i32) -> i32
// CHECK-NEXT: %15 = llvm.intr.ctpop(%arg1) : (i32) -> i32
// CHECK-NEXT: %16 = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK-NEXT: %17 = llvm.intr.exp(%arg0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
// CHECK-NEXT: %18 = llvm.fsub %17, %16 {fastmathFlags = #llvm.fastmath<nnan>} : f32
// CHECK-NEXT: %19 = llvm.mlir.poison : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %20 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %21 = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK-NEXT: %22 = llvm.intr.exp(%20) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %23 = llvm.fsub %22, %21 : vector<4xf32>
// CHECK-NEXT: %24 = llvm.insertvalue %23, %19[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %25 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %26 = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK-NEXT: %27 = llvm.intr.exp(%25) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %28 = llvm.fsub %27, %26 : vector<4xf32>
// CHECK-NEXT: %29 = llvm.insertvalue %28, %24[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %30 = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK-NEXT: %31 = llvm.fadd %30, %arg0 : f32
// CHECK-NEXT: %32 = llvm.intr.log(%31) : (f32) -> f32
// CHECK-NEXT: %33 = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK-NEXT: %34 = llvm.fadd %33, %arg2 : vector<4xf32>
// CHECK-NEXT: %35 = llvm.intr.log(%34) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %36 = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK-NEXT: %37 = llvm.intr.sqrt(%arg0) : (f32) -> f32
// CHECK-NEXT: %38 = llvm.fdiv %36, %37 : f32
// CHECK-NEXT: %39 = llvm.mlir.poison : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %40 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %41 = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK-NEXT: %42 = llvm.intr.sqrt(%40) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %43 = llvm.fdiv %41, %42 : vector<4xf32>
// CHECK-NEXT: %44 = llvm.insertvalue %43, %39[0] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %45 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %46 = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK-NEXT: %47 = llvm.intr.sqrt(%45) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: %48 = llvm.fdiv %46, %47 : vector<4xf32>
// CHECK-NEXT: %49 = llvm.insertvalue %48, %44[1] : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT: %50 = "llvm.intr.is.fpclass"(%arg0) <{bit = 3 : i32}> : (f32) -> i1
// CHECK-NEXT: %51 = "llvm.intr.is.fpclass"(%arg0) <{bit = 504 : i32}> : (f32) -> i1
// CHECK-NEXT: %52 = math.isinf %arg0 : f32
// CHECK-NEXT: %53 = math.isnormal %arg0 : f32
// CHECK-NEXT: %54 = llvm.intr.fma(%arg0, %arg0, %arg0) : (f32, f32, f32) -> f32
// CHECK-NEXT: %55 = llvm.intr.pow(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT: %56 = llvm.intr.powi(%arg0, %arg1) : (f32, i32) -> f32
// CHECK-NEXT: %57 = math.ipowi %arg1, %arg1 : i32
// CHECK-NEXT: %58 = llvm.intr.round(%arg0) : (f32) -> f32
// CHECK-NEXT: %59 = llvm.intr.roundeven(%arg0) : (f32) -> f32
// CHECK-NEXT: %60 = llvm.intr.trunc(%arg0) : (f32) -> f32
// CHECK-NEXT: %61 = llvm.intr.sqrt(%arg0) : (f32) -> f32
// CHECK-NEXT: %62 = llvm.intr.tanh(%arg0) : (f32) -> f32
// CHECK-NEXT: %63 = llvm.intr.tan(%arg0) : (f32) -> f32
// CHECK-NEXT: %64 = llvm.intr.atan2(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT: %65 = math.erf %arg0 : f32
// CHECK-NEXT: %66 = llvm.intr.exp(%arg0) : (f32) -> f32
// CHECK-NEXT: %67 = llvm.intr.exp2(%arg0) : (f32) -> f32
// CHECK-NEXT: %68 = llvm.intr.sincos(%arg0) : (f32) -> !llvm.struct<(f32, f32)>
// CHECK-NEXT: %69 = llvm.extractvalue %68[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %70 = llvm.extractvalue %68[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %71 = math.clampf %arg0 to [%arg0, %arg0] : f32
// CHECK-NEXT: %72 = math.cbrt %arg0 : f32
// CHECK-NEXT: %73 = llvm.intr.acos(%arg0) : (f32) -> f32
// CHECK-NEXT: %74 = math.acosh %arg0 : f32
// CHECK-NEXT: %75 = llvm.intr.sinh(%arg0) : (f32) -> f32
// CHECK-NEXT: %76 = llvm.intr.log(%arg0) : (f32) -> f32
// CHECK-NEXT: %77 = llvm.intr.log2(%arg0) : (f32) -> f32
// CHECK-NEXT: %78 = llvm.intr.log10(%arg0) : (f32) -> f32
// CHECK-NEXT: %79 = llvm.intr.floor(%arg0) : (f32) -> f32
// CHECK-NEXT: %80 = llvm.intr.sin(%arg0) : (f32) -> f32
// CHECK-NEXT: %81 = llvm.intr.asin(%arg0) : (f32) -> f32
// CHECK-NEXT: %82 = llvm.intr.atan(%arg0) : (f32) -> f32
// CHECK-NEXT: %83 = llvm.intr.cosh(%arg0) : (f32) -> f32
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
