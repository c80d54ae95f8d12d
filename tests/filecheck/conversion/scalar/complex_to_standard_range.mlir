// RUN: xgpu-opt %s --convert-complex-to-standard | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --convert-complex-to-standard=complex-range=basic | filecheck %s --match-full-lines --check-prefix=BASIC
// RUN: xgpu-opt %s --convert-complex-to-standard=complex-range=none | filecheck %s --match-full-lines --check-prefix=BASIC

// CHECK: module {
// CHECK-NEXT:   func.func @div(%arg0: complex<f32>, %arg1: complex<f32>) -> complex<f32> {
// CHECK-NEXT:     %0 = complex.re %arg0 : complex<f32>
// CHECK-NEXT:     %1 = complex.im %arg0 : complex<f32>
// CHECK-NEXT:     %2 = complex.re %arg1 : complex<f32>
// CHECK-NEXT:     %3 = complex.im %arg1 : complex<f32>
// CHECK-NEXT:     %4 = arith.divf %2, %3 fastmath<contract> : f32
// CHECK-NEXT:     %5 = arith.mulf %4, %2 fastmath<contract> : f32
// CHECK-NEXT:     %6 = arith.addf %3, %5 fastmath<contract> : f32
// CHECK-NEXT:     %7 = arith.mulf %0, %4 fastmath<contract> : f32
// CHECK-NEXT:     %8 = arith.addf %7, %1 fastmath<contract> : f32
// CHECK-NEXT:     %9 = arith.divf %8, %6 fastmath<contract> : f32
// CHECK-NEXT:     %10 = arith.mulf %1, %4 fastmath<contract> : f32
// CHECK-NEXT:     %11 = arith.subf %10, %0 fastmath<contract> : f32
// CHECK-NEXT:     %12 = arith.divf %11, %6 fastmath<contract> : f32
// CHECK-NEXT:     %13 = arith.divf %3, %2 fastmath<contract> : f32
// CHECK-NEXT:     %14 = arith.mulf %13, %3 fastmath<contract> : f32
// CHECK-NEXT:     %15 = arith.addf %2, %14 fastmath<contract> : f32
// CHECK-NEXT:     %16 = arith.mulf %1, %13 fastmath<contract> : f32
// CHECK-NEXT:     %17 = arith.addf %0, %16 fastmath<contract> : f32
// CHECK-NEXT:     %18 = arith.divf %17, %15 fastmath<contract> : f32
// CHECK-NEXT:     %19 = arith.mulf %0, %13 fastmath<contract> : f32
// CHECK-NEXT:     %20 = arith.subf %1, %19 fastmath<contract> : f32
// CHECK-NEXT:     %21 = arith.divf %20, %15 fastmath<contract> : f32
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %22 = math.absf %2 fastmath<contract> : f32
// CHECK-NEXT:     %23 = arith.cmpf oeq, %22, %cst : f32
// CHECK-NEXT:     %24 = math.absf %3 fastmath<contract> : f32
// CHECK-NEXT:     %25 = arith.cmpf oeq, %24, %cst : f32
// CHECK-NEXT:     %26 = arith.cmpf ord, %0, %cst : f32
// CHECK-NEXT:     %27 = arith.cmpf ord, %1, %cst : f32
// CHECK-NEXT:     %28 = arith.ori %26, %27 : i1
// CHECK-NEXT:     %29 = arith.andi %23, %25 : i1
// CHECK-NEXT:     %30 = arith.andi %28, %29 : i1
// CHECK-NEXT:     %cst_0 = arith.constant 0x7F800000 : f32
// CHECK-NEXT:     %31 = math.copysign %cst_0, %2 : f32
// CHECK-NEXT:     %32 = arith.mulf %31, %0 fastmath<contract> : f32
// CHECK-NEXT:     %33 = arith.mulf %31, %1 fastmath<contract> : f32
// CHECK-NEXT:     %34 = arith.cmpf one, %22, %cst_0 : f32
// CHECK-NEXT:     %35 = arith.cmpf one, %24, %cst_0 : f32
// CHECK-NEXT:     %36 = arith.andi %34, %35 : i1
// CHECK-NEXT:     %37 = math.absf %0 fastmath<contract> : f32
// CHECK-NEXT:     %38 = arith.cmpf oeq, %37, %cst_0 : f32
// CHECK-NEXT:     %39 = math.absf %1 fastmath<contract> : f32
// CHECK-NEXT:     %40 = arith.cmpf oeq, %39, %cst_0 : f32
// CHECK-NEXT:     %41 = arith.ori %38, %40 : i1
// CHECK-NEXT:     %42 = arith.andi %41, %36 : i1
// CHECK-NEXT:     %cst_1 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %43 = arith.select %38, %cst_1, %cst : f32
// CHECK-NEXT:     %44 = math.copysign %43, %0 : f32
// CHECK-NEXT:     %45 = arith.select %40, %cst_1, %cst : f32
// CHECK-NEXT:     %46 = math.copysign %45, %1 : f32
// CHECK-NEXT:     %47 = arith.mulf %44, %2 fastmath<contract> : f32
// CHECK-NEXT:     %48 = arith.mulf %46, %3 fastmath<contract> : f32
// CHECK-NEXT:     %49 = arith.addf %47, %48 fastmath<contract> : f32
// CHECK-NEXT:     %50 = arith.mulf %cst_0, %49 fastmath<contract> : f32
// CHECK-NEXT:     %51 = arith.mulf %44, %3 fastmath<contract> : f32
// CHECK-NEXT:     %52 = arith.mulf %46, %2 fastmath<contract> : f32
// CHECK-NEXT:     %53 = arith.subf %52, %51 fastmath<contract> : f32
// CHECK-NEXT:     %54 = arith.mulf %cst_0, %53 fastmath<contract> : f32
// CHECK-NEXT:     %55 = arith.cmpf one, %37, %cst_0 : f32
// CHECK-NEXT:     %56 = arith.cmpf one, %39, %cst_0 : f32
// CHECK-NEXT:     %57 = arith.andi %55, %56 : i1
// CHECK-NEXT:     %58 = arith.cmpf oeq, %22, %cst_0 : f32
// CHECK-NEXT:     %59 = arith.cmpf oeq, %24, %cst_0 : f32
// CHECK-NEXT:     %60 = arith.ori %58, %59 : i1
// CHECK-NEXT:     %61 = arith.andi %57, %60 : i1
// CHECK-NEXT:     %62 = arith.select %58, %cst_1, %cst : f32
// CHECK-NEXT:     %63 = math.copysign %62, %2 : f32
// CHECK-NEXT:     %64 = arith.select %59, %cst_1, %cst : f32
// CHECK-NEXT:     %65 = math.copysign %64, %3 : f32
// CHECK-NEXT:     %66 = arith.mulf %0, %63 fastmath<contract> : f32
// CHECK-NEXT:     %67 = arith.mulf %1, %65 fastmath<contract> : f32
// CHECK-NEXT:     %68 = arith.addf %66, %67 fastmath<contract> : f32
// CHECK-NEXT:     %69 = arith.mulf %cst, %68 fastmath<contract> : f32
// CHECK-NEXT:     %70 = arith.mulf %1, %63 fastmath<contract> : f32
// CHECK-NEXT:     %71 = arith.mulf %0, %65 fastmath<contract> : f32
// CHECK-NEXT:     %72 = arith.subf %70, %71 fastmath<contract> : f32
// CHECK-NEXT:     %73 = arith.mulf %cst, %72 fastmath<contract> : f32
// CHECK-NEXT:     %74 = arith.cmpf olt, %22, %24 : f32
// CHECK-NEXT:     %75 = arith.select %74, %9, %18 : f32
// CHECK-NEXT:     %76 = arith.select %74, %12, %21 : f32
// CHECK-NEXT:     %77 = arith.select %61, %69, %75 : f32
// CHECK-NEXT:     %78 = arith.select %61, %73, %76 : f32
// CHECK-NEXT:     %79 = arith.select %42, %50, %77 : f32
// CHECK-NEXT:     %80 = arith.select %42, %54, %78 : f32
// CHECK-NEXT:     %81 = arith.select %30, %32, %79 : f32
// CHECK-NEXT:     %82 = arith.select %30, %33, %80 : f32
// CHECK-NEXT:     %83 = arith.cmpf uno, %75, %cst : f32
// CHECK-NEXT:     %84 = arith.cmpf uno, %76, %cst : f32
// CHECK-NEXT:     %85 = arith.andi %83, %84 : i1
// CHECK-NEXT:     %86 = arith.select %85, %81, %75 : f32
// CHECK-NEXT:     %87 = arith.select %85, %82, %76 : f32
// CHECK-NEXT:     %88 = complex.create %86, %87 : complex<f32>
// CHECK-NEXT:     return %88 : complex<f32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// BASIC: module {
// BASIC-NEXT:   func.func @div(%arg0: complex<f32>, %arg1: complex<f32>) -> complex<f32> {
// BASIC-NEXT:     %0 = complex.re %arg0 : complex<f32>
// BASIC-NEXT:     %1 = complex.im %arg0 : complex<f32>
// BASIC-NEXT:     %2 = complex.re %arg1 : complex<f32>
// BASIC-NEXT:     %3 = complex.im %arg1 : complex<f32>
// BASIC-NEXT:     %4 = arith.mulf %2, %2 fastmath<contract> : f32
// BASIC-NEXT:     %5 = arith.mulf %3, %3 fastmath<contract> : f32
// BASIC-NEXT:     %6 = arith.addf %4, %5 fastmath<contract> : f32
// BASIC-NEXT:     %7 = arith.mulf %0, %2 fastmath<contract> : f32
// BASIC-NEXT:     %8 = arith.mulf %1, %3 fastmath<contract> : f32
// BASIC-NEXT:     %9 = arith.addf %7, %8 fastmath<contract> : f32
// BASIC-NEXT:     %10 = arith.mulf %1, %2 fastmath<contract> : f32
// BASIC-NEXT:     %11 = arith.mulf %0, %3 fastmath<contract> : f32
// BASIC-NEXT:     %12 = arith.subf %10, %11 fastmath<contract> : f32
// BASIC-NEXT:     %13 = arith.divf %9, %6 fastmath<contract> : f32
// BASIC-NEXT:     %14 = arith.divf %12, %6 fastmath<contract> : f32
// BASIC-NEXT:     %15 = complex.create %13, %14 : complex<f32>
// BASIC-NEXT:     return %15 : complex<f32>
// BASIC-NEXT:   }
// BASIC-NEXT: }
func.func @div(%a: complex<f32>, %b: complex<f32>) -> complex<f32> {
  %0 = complex.div %a, %b fastmath<contract> : complex<f32>
  return %0 : complex<f32>
}
