// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// Conversions between formats of floats, bytes, dot products.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define void @tf32(float %0) {
// CHECK-NEXT:   %2 = call i32 @llvm.nvvm.f2tf32.rna(float %0)
// CHECK-NEXT:   %3 = call i32 @llvm.nvvm.f2tf32.rna.satfinite(float %0)
// CHECK-NEXT:   %4 = call i32 @llvm.nvvm.f2tf32.rn.relu(float %0)
// CHECK-NEXT:   %5 = call i32 @llvm.nvvm.f2tf32.rz.relu.satfinite(float %0)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @tf32(%x: f32) {
  %0 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}
  %1 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>, sat = #nvvm.sat_mode<satfinite>}
  %2 = nvvm.convert.float.to.tf32 %x {relu = true, rnd = #nvvm.fp_rnd_mode<rn>}
  %3 = nvvm.convert.float.to.tf32 %x {relu = true, rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>}
  llvm.return
}

// CHECK-NEXT: define void @narrow(float %0, float %1, <2 x half> %2, <2 x bfloat> %3, <4 x float> %4, i32 %5) {
// CHECK-NEXT:   %7 = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float %0, float %1)
// CHECK-NEXT:   %8 = call <2 x half> @llvm.nvvm.ff2f16x2.rz.relu.satfinite(float %0, float %1)
// CHECK-NEXT:   %9 = call <2 x half> @llvm.nvvm.ff2f16x2.rs(float %0, float %1, i32 %5)
// CHECK-NEXT:   %10 = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float %0, float %1)
// CHECK-NEXT:   %11 = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rs.relu.satfinite(float %0, float %1, i32 %5)
// CHECK-NEXT:   %12 = call i16 @llvm.nvvm.ff.to.e4m3x2.rn(float %0, float %1)
// CHECK-NEXT:   %13 = call i16 @llvm.nvvm.ff.to.e5m2x2.rn.relu(float %0, float %1)
// CHECK-NEXT:   %14 = bitcast i16 %13 to <2 x i8>
// CHECK-NEXT:   %15 = call i16 @llvm.nvvm.ff.to.ue8m0x2.rz(float %0, float %1)
// CHECK-NEXT:   %16 = call i16 @llvm.nvvm.ff.to.ue8m0x2.rp.satfinite(float %0, float %1)
// CHECK-NEXT:   %17 = call i16 @llvm.nvvm.ff.to.e2m3x2.rn.satfinite(float %0, float %1)
// CHECK-NEXT:   %18 = call i16 @llvm.nvvm.ff.to.e3m2x2.rn.relu.satfinite(float %0, float %1)
// CHECK-NEXT:   %19 = bitcast i16 %18 to <2 x i8>
// CHECK-NEXT:   %20 = call i16 @llvm.nvvm.ff.to.e2m1x2.rn.satfinite(float %0, float %1)
// CHECK-NEXT:   %21 = trunc i16 %20 to i8
// CHECK-NEXT:   %22 = call i16 @llvm.nvvm.ff.to.e2m1x2.rn.relu.satfinite(float %0, float %1)
// CHECK-NEXT:   %23 = trunc i16 %22 to i8
// CHECK-NEXT:   %24 = call i16 @llvm.nvvm.f16x2.to.e4m3x2.rn(<2 x half> %2)
// CHECK-NEXT:   %25 = call i16 @llvm.nvvm.f16x2.to.e5m2x2.rn.relu(<2 x half> %2)
// CHECK-NEXT:   %26 = bitcast i16 %25 to <2 x i8>
// CHECK-NEXT:   %27 = call i16 @llvm.nvvm.bf16x2.to.ue8m0x2.rz(<2 x bfloat> %3)
// CHECK-NEXT:   %28 = call i16 @llvm.nvvm.bf16x2.to.ue8m0x2.rp.satfinite(<2 x bfloat> %3)
// CHECK-NEXT:   %29 = bitcast i16 %28 to <2 x i8>
// CHECK-NEXT:   %30 = call <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.satfinite(<4 x float> %4, i32 %5)
// CHECK-NEXT:   %31 = call <4 x i8> @llvm.nvvm.f32x4.to.e5m2x4.rs.relu.satfinite(<4 x float> %4, i32 %5)
// CHECK-NEXT:   %32 = call <4 x i8> @llvm.nvvm.f32x4.to.e2m3x4.rs.satfinite(<4 x float> %4, i32 %5)
// CHECK-NEXT:   %33 = call <4 x i8> @llvm.nvvm.f32x4.to.e3m2x4.rs.relu.satfinite(<4 x float> %4, i32 %5)
// CHECK-NEXT:   %34 = call i16 @llvm.nvvm.f32x4.to.e2m1x4.rs.relu.satfinite(<4 x float> %4, i32 %5)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @narrow(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %four: vector<4xf32>, %bits: i32) {
  %0 = nvvm.convert.f32x2.to.f16x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
  %1 = nvvm.convert.f32x2.to.f16x2 %x, %y {relu = true, rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>} : vector<2xf16>
  %2 = nvvm.convert.f32x2.to.f16x2 %x, %y, %bits {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
  %3 = nvvm.convert.f32x2.to.bf16x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
  %4 = nvvm.convert.f32x2.to.bf16x2 %x, %y, %bits {relu = true, rnd = #nvvm.fp_rnd_mode<rs>, sat = #nvvm.sat_mode<satfinite>} : vector<2xbf16>
  %5 = nvvm.convert.f32x2.to.f8x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
  %6 = nvvm.convert.f32x2.to.f8x2 %x, %y {relu = true, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xi8> (f8E5M2)
  %7 = nvvm.convert.f32x2.to.f8x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rz>} : i16 (f8E8M0FNU)
  %8 = nvvm.convert.f32x2.to.f8x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E8M0FNU)
  %9 = nvvm.convert.f32x2.to.f6x2 %x, %y : i16 (f6E2M3FN)
  %10 = nvvm.convert.f32x2.to.f6x2 %x, %y {relu = true} : vector<2xi8> (f6E3M2FN)
  %11 = nvvm.convert.f32x2.to.f4x2 %x, %y : i8 (f4E2M1FN)
  %12 = nvvm.convert.f32x2.to.f4x2 %x, %y {relu = true} : i8 (f4E2M1FN)
  %13 = nvvm.convert.f16x2.to.f8x2 %h : vector<2xf16> -> i16 (f8E4M3FN)
  %14 = nvvm.convert.f16x2.to.f8x2 %h {relu = true} : vector<2xf16> -> vector<2xi8> (f8E5M2)
  %15 = nvvm.convert.bf16x2.to.f8x2 %b {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16> -> i16 (f8E8M0FNU)
  %16 = nvvm.convert.bf16x2.to.f8x2 %b {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : vector<2xbf16> -> vector<2xi8> (f8E8M0FNU)
  %17 = nvvm.convert.f32x4.to.f8x4 %four, %bits : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
  %18 = nvvm.convert.f32x4.to.f8x4 %four, %bits {relu = true} : vector<4xf32> -> vector<4xi8> (f8E5M2)
  %19 = nvvm.convert.f32x4.to.f6x4 %four, %bits : vector<4xf32> -> vector<4xi8> (f6E2M3FN)
  %20 = nvvm.convert.f32x4.to.f6x4 %four, %bits {relu = true} : vector<4xf32> -> vector<4xi8> (f6E3M2FN)
  %21 = nvvm.convert.f32x4.to.f4x4 %four, %bits {relu = true} : vector<4xf32> -> i16 (f4E2M1FN)
  llvm.return
}

// CHECK-NEXT: define void @widen(<2 x i8> %0, i8 %1) {
// CHECK-NEXT:   %3 = bitcast <2 x i8> %0 to i16
// CHECK-NEXT:   %4 = call <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16 %3)
// CHECK-NEXT:   %5 = bitcast <2 x i8> %0 to i16
// CHECK-NEXT:   %6 = call <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn.relu(i16 %5)
// CHECK-NEXT:   %7 = bitcast <2 x i8> %0 to i16
// CHECK-NEXT:   %8 = call <2 x bfloat> @llvm.nvvm.ue8m0x2.to.bf16x2(i16 %7)
// CHECK-NEXT:   %9 = bitcast <2 x i8> %0 to i16
// CHECK-NEXT:   %10 = call <2 x half> @llvm.nvvm.e2m3x2.to.f16x2.rn(i16 %9)
// CHECK-NEXT:   %11 = bitcast <2 x i8> %0 to i16
// CHECK-NEXT:   %12 = call <2 x half> @llvm.nvvm.e3m2x2.to.f16x2.rn.relu(i16 %11)
// CHECK-NEXT:   %13 = zext i8 %1 to i16
// CHECK-NEXT:   %14 = call <2 x half> @llvm.nvvm.e2m1x2.to.f16x2.rn(i16 %13)
// CHECK-NEXT:   %15 = zext i8 %1 to i16
// CHECK-NEXT:   %16 = call <2 x half> @llvm.nvvm.e2m1x2.to.f16x2.rn.relu(i16 %15)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @widen(%v: vector<2xi8>, %i: i8) {
  %0 = nvvm.convert.f8x2.to.f16x2 %v : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
  %1 = nvvm.convert.f8x2.to.f16x2 %v {relu = true} : vector<2xi8> (f8E5M2) -> vector<2xf16>
  %2 = nvvm.convert.f8x2.to.bf16x2 %v : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>
  %3 = nvvm.convert.f6x2.to.f16x2 %v : vector<2xi8> (f6E2M3FN) -> vector<2xf16>
  %4 = nvvm.convert.f6x2.to.f16x2 %v {relu = true} : vector<2xi8> (f6E3M2FN) -> vector<2xf16>
  %5 = nvvm.convert.f4x2.to.f16x2 %i : i8 (f4E2M1FN) -> vector<2xf16>
  %6 = nvvm.convert.f4x2.to.f16x2 %i {relu = true} : i8 (f4E2M1FN) -> vector<2xf16>
  llvm.return
}

// CHECK-NEXT: define <2 x half> @from_words(i16 %0) {
// CHECK-NEXT:   %2 = bitcast i16 %0 to <2 x i8>
// CHECK-NEXT:   %3 = bitcast <2 x i8> %2 to i16
// CHECK-NEXT:   %4 = call <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16 %3)
// CHECK-NEXT:   ret <2 x half> %4
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @from_words(%x: i16) -> vector<2xf16> {
  %0 = llvm.bitcast %x : i16 to vector<2xi8>
  %1 = nvvm.convert.f8x2.to.f16x2 %0 : vector<2xi8> (f8E5M2) -> vector<2xf16>
  llvm.return %1 : vector<2xf16>
}

// CHECK-NEXT: define void @bytes(i32 %0, i32 %1, i32 %2) {
// CHECK-NEXT:   %4 = call i32 @llvm.nvvm.prmt(i32 %0, i32 %1, i32 %2)
// CHECK-NEXT:   %5 = call i32 @llvm.nvvm.prmt.f4e(i32 %0, i32 %1, i32 %2)
// CHECK-NEXT:   %6 = call i32 @llvm.nvvm.prmt.b4e(i32 %0, i32 %1, i32 %2)
// CHECK-NEXT:   %7 = call i32 @llvm.nvvm.prmt.rc8(i32 %0, i32 %2)
// CHECK-NEXT:   %8 = call i32 @llvm.nvvm.prmt.ecl(i32 %0, i32 %2)
// CHECK-NEXT:   %9 = call i32 @llvm.nvvm.prmt.ecr(i32 %0, i32 %2)
// CHECK-NEXT:   %10 = call i32 @llvm.nvvm.prmt.rc16(i32 %0, i32 %2)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @bytes(%lo: i32, %hi: i32, %selector: i32) {
  %0 = nvvm.prmt #nvvm.permute_mode<default> %selector, %lo, %hi : i32
  %1 = nvvm.prmt #nvvm.permute_mode<f4e> %selector, %lo, %hi : i32
  %2 = nvvm.prmt #nvvm.permute_mode<b4e> %selector, %lo, %hi : i32
  %3 = nvvm.prmt #nvvm.permute_mode<rc8> %selector, %lo : i32
  %4 = nvvm.prmt #nvvm.permute_mode<ecl> %selector, %lo : i32
  %5 = nvvm.prmt #nvvm.permute_mode<ecr> %selector, %lo : i32
  %6 = nvvm.prmt #nvvm.permute_mode<rc16> %selector, %lo : i32
  llvm.return
}

// CHECK-NEXT: define void @arithmetic(float %0, <4 x i8> %1, <2 x i16> %2, i32 %3) {
// CHECK-NEXT:   %5 = call float @llvm.nvvm.rcp.approx.ftz.f(float %0)
// CHECK-NEXT:   %6 = bitcast <4 x i8> %1 to i32
// CHECK-NEXT:   %7 = bitcast <4 x i8> %1 to i32
// CHECK-NEXT:   %8 = call i32 @llvm.nvvm.idp4a.s.s(i32 %6, i32 %7, i32 %3)
// CHECK-NEXT:   %9 = bitcast <4 x i8> %1 to i32
// CHECK-NEXT:   %10 = bitcast <4 x i8> %1 to i32
// CHECK-NEXT:   %11 = call i32 @llvm.nvvm.idp4a.u.s(i32 %9, i32 %10, i32 %3)
// CHECK-NEXT:   %12 = bitcast <2 x i16> %2 to i32
// CHECK-NEXT:   %13 = bitcast <4 x i8> %1 to i32
// CHECK-NEXT:   %14 = call i32 @llvm.nvvm.idp2a.s.u(i32 %12, i32 %13, i1 false, i32 %3)
// CHECK-NEXT:   %15 = bitcast <2 x i16> %2 to i32
// CHECK-NEXT:   %16 = bitcast <4 x i8> %1 to i32
// CHECK-NEXT:   %17 = call i32 @llvm.nvvm.idp2a.u.u(i32 %15, i32 %16, i1 true, i32 %3)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
llvm.func @arithmetic(%x: f32, %four: vector<4xi8>, %two: vector<2xi16>, %i: i32) {
  %0 = nvvm.rcp.approx.ftz.f %x : f32
  %1 = nvvm.dot.accumulate.4way %four <signed>, %four <signed>, %i : vector<4xi8>, vector<4xi8>
  %2 = nvvm.dot.accumulate.4way %four <unsigned>, %four <signed>, %i : vector<4xi8>, vector<4xi8>
  %3 = nvvm.dot.accumulate.2way %two <signed>, %four <unsigned>, %i {b_hi = false} : vector<2xi16>, vector<4xi8>
  %4 = nvvm.dot.accumulate.2way %two <unsigned>, %four <unsigned>, %i {b_hi = true} : vector<2xi16>, vector<4xi8>
  llvm.return
}

// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.f2tf32.rna(float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.f2tf32.rna.satfinite(float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.f2tf32.rn.relu(float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.f2tf32.rz.relu.satfinite(float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.ff2f16x2.rn(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.ff2f16x2.rz.relu.satfinite(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.ff2f16x2.rs(float, float, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rs.relu.satfinite(float, float, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.ff.to.e4m3x2.rn(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.ff.to.e5m2x2.rn.relu(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.ff.to.ue8m0x2.rz(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.ff.to.ue8m0x2.rp.satfinite(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.ff.to.e2m3x2.rn.satfinite(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.ff.to.e3m2x2.rn.relu.satfinite(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.ff.to.e2m1x2.rn.satfinite(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.ff.to.e2m1x2.rn.relu.satfinite(float, float) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.f16x2.to.e4m3x2.rn(<2 x half>) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.f16x2.to.e5m2x2.rn.relu(<2 x half>) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.bf16x2.to.ue8m0x2.rz(<2 x bfloat>) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.bf16x2.to.ue8m0x2.rp.satfinite(<2 x bfloat>) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.satfinite(<4 x float>, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <4 x i8> @llvm.nvvm.f32x4.to.e5m2x4.rs.relu.satfinite(<4 x float>, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <4 x i8> @llvm.nvvm.f32x4.to.e2m3x4.rs.satfinite(<4 x float>, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <4 x i8> @llvm.nvvm.f32x4.to.e3m2x4.rs.relu.satfinite(<4 x float>, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i16 @llvm.nvvm.f32x4.to.e2m1x4.rs.relu.satfinite(<4 x float>, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn.relu(i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x bfloat> @llvm.nvvm.ue8m0x2.to.bf16x2(i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.e2m3x2.to.f16x2.rn(i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.e3m2x2.to.f16x2.rn.relu(i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.e2m1x2.to.f16x2.rn(i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.e2m1x2.to.f16x2.rn.relu(i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.prmt(i32, i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.prmt.f4e(i32, i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.prmt.b4e(i32, i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.prmt.rc8(i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.prmt.ecl(i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.prmt.ecr(i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.prmt.rc16(i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
// CHECK-NEXT: declare float @llvm.nvvm.rcp.approx.ftz.f(float) #1
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.idp4a.s.s(i32, i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.idp4a.u.s(i32, i32, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.idp2a.s.u(i32, i32, i1 immarg, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
// CHECK-NEXT: declare i32 @llvm.nvvm.idp2a.u.u(i32, i32, i1 immarg, i32) #0
// CHECK-EMPTY:
// CHECK-NEXT: attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
// CHECK-NEXT: attributes #1 = { nocallback nofree nosync nounwind willreturn memory(none) }
// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
