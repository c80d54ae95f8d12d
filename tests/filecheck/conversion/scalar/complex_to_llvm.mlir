// RUN: xgpu-opt %s --convert-complex-to-llvm | filecheck %s

// Complex numbers as structs.

func.func @product(%a: complex<f32>, %b: complex<f32>) -> complex<f32> {
  %0 = complex.mul %a, %b : complex<f32>
  %1 = complex.add %0, %a : complex<f32>
  return %1 : complex<f32>
}

// CHECK: module {
// CHECK-NEXT: func.func @product(%arg0: complex<f32>, %arg1: complex<f32>) -> complex<f32> {
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg1 : complex<f32> to !llvm.struct<(f32, f32)>
// CHECK-NEXT: %1 = builtin.unrealized_conversion_cast %arg0 : complex<f32> to !llvm.struct<(f32, f32)>
// CHECK-NEXT: %2 = llvm.extractvalue %1[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %3 = llvm.extractvalue %1[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %4 = llvm.extractvalue %0[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %5 = llvm.extractvalue %0[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %6 = llvm.mlir.poison : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %7 = llvm.fmul %4, %2 : f32
// CHECK-NEXT: %8 = llvm.fmul %5, %3 : f32
// CHECK-NEXT: %9 = llvm.fsub %7, %8 : f32
// CHECK-NEXT: %10 = llvm.fmul %3, %4 : f32
// CHECK-NEXT: %11 = llvm.fmul %2, %5 : f32
// CHECK-NEXT: %12 = llvm.fadd %10, %11 : f32
// CHECK-NEXT: %13 = llvm.insertvalue %9, %6[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %14 = llvm.insertvalue %12, %13[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %15 = llvm.extractvalue %14[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %16 = llvm.extractvalue %14[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %17 = llvm.extractvalue %1[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %18 = llvm.extractvalue %1[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %19 = llvm.mlir.poison : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %20 = llvm.fadd %15, %17 : f32
// CHECK-NEXT: %21 = llvm.fadd %16, %18 : f32
// CHECK-NEXT: %22 = llvm.insertvalue %20, %19[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %23 = llvm.insertvalue %21, %22[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT: %24 = builtin.unrealized_conversion_cast %23 : !llvm.struct<(f32, f32)> to complex<f32>
// CHECK-NEXT: return %24 : complex<f32>
// CHECK-NEXT: }
// CHECK-NEXT: }
