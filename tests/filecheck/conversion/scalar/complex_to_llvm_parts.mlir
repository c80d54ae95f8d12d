// RUN: xgpu-opt %s --convert-complex-to-llvm | filecheck %s

// A complex number is a struct of two.

// CHECK: module {
// CHECK-NEXT:   func.func @parts(%arg0: complex<f32>, %arg1: complex<f32>) -> (complex<f32>, complex<f32>, f32, f32) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : complex<f32> to !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : complex<f32> to !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %2 = llvm.mlir.constant([1.000000e+00 : f32, -2.000000e+00 : f32]) : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %3 = llvm.extractvalue %1[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %4 = llvm.extractvalue %1[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %5 = llvm.extractvalue %2[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %6 = llvm.extractvalue %2[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %7 = llvm.mlir.poison : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %8 = llvm.fsub %3, %5 : f32
// CHECK-NEXT:     %9 = llvm.fsub %4, %6 : f32
// CHECK-NEXT:     %10 = llvm.insertvalue %8, %7[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %11 = llvm.insertvalue %9, %10[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %12 = llvm.extractvalue %11[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %13 = llvm.extractvalue %11[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %14 = llvm.extractvalue %0[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %15 = llvm.extractvalue %0[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %16 = llvm.mlir.poison : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %17 = llvm.fadd %12, %14 {fastmathFlags = #llvm.fastmath<nsz>} : f32
// CHECK-NEXT:     %18 = llvm.fadd %13, %15 {fastmathFlags = #llvm.fastmath<nsz>} : f32
// CHECK-NEXT:     %19 = llvm.insertvalue %17, %16[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %20 = llvm.insertvalue %18, %19[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %21 = builtin.unrealized_conversion_cast %20 : !llvm.struct<(f32, f32)> to complex<f32>
// CHECK-NEXT:     %22 = llvm.extractvalue %20[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %23 = llvm.extractvalue %11[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %24 = llvm.mlir.poison : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %25 = llvm.insertvalue %23, %24[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %26 = llvm.insertvalue %22, %25[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %27 = builtin.unrealized_conversion_cast %26 : !llvm.struct<(f32, f32)> to complex<f32>
// CHECK-NEXT:     %28 = llvm.extractvalue %26[0] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %29 = llvm.extractvalue %26[1] : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %30 = llvm.fmul %28, %28 : f32
// CHECK-NEXT:     %31 = llvm.fmul %29, %29 : f32
// CHECK-NEXT:     %32 = llvm.fadd %30, %31 : f32
// CHECK-NEXT:     %33 = llvm.intr.sqrt(%32) : (f32) -> f32
// CHECK-NEXT:     return %27, %21, %33, %23 : complex<f32>, complex<f32>, f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @parts(%z: complex<f32>, %w: complex<f32>) -> (complex<f32>, complex<f32>, f32, f32) {
  %c = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  %s = complex.sub %z, %c : complex<f32>
  %a = complex.add %s, %w fastmath<nsz> : complex<f32>
  %r = complex.re %a : complex<f32>
  %i = complex.im %s : complex<f32>
  %n = complex.create %i, %r : complex<f32>
  %l = complex.abs %n : complex<f32>
  return %n, %a, %l, %i : complex<f32>, complex<f32>, f32, f32
}
