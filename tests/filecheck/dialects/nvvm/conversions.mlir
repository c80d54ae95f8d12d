// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Conversions between float formats, with every rounding mode; bytes, dot products, inline PTX.

// CHECK: module {
// CHECK-NEXT:   llvm.func @tf32(%arg0: f32) {
// CHECK-NEXT:     %0 = nvvm.convert.float.to.tf32 %arg0 {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK-NEXT:     %1 = nvvm.convert.float.to.tf32 %arg0 {rnd = #nvvm.fp_rnd_mode<rna>, sat = #nvvm.sat_mode<satfinite>}
// CHECK-NEXT:     %2 = nvvm.convert.float.to.tf32 %arg0 {relu = true, rnd = #nvvm.fp_rnd_mode<rn>}
// CHECK-NEXT:     %3 = nvvm.convert.float.to.tf32 %arg0 {relu = true, rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>}
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @tf32(%x: f32) {
  %0 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}
  %1 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>, sat = #nvvm.sat_mode<satfinite>}
  %2 = nvvm.convert.float.to.tf32 %x {relu = true, rnd = #nvvm.fp_rnd_mode<rn>}
  %3 = nvvm.convert.float.to.tf32 %x {relu = true, rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>}
  llvm.return
}

// CHECK-NEXT:   llvm.func @narrow(%arg0: f32, %arg1: f32, %arg2: vector<2xf16>, %arg3: vector<2xbf16>, %arg4: vector<4xf32>, %arg5: i32) {
// CHECK-NEXT:     %0 = nvvm.convert.f32x2.to.f16x2 %arg0, %arg1 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
// CHECK-NEXT:     %1 = nvvm.convert.f32x2.to.f16x2 %arg0, %arg1 {relu = true, rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>} : vector<2xf16>
// CHECK-NEXT:     %2 = nvvm.convert.f32x2.to.f16x2 %arg0, %arg1, %arg5 {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
// CHECK-NEXT:     %3 = nvvm.convert.f32x2.to.bf16x2 %arg0, %arg1 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
// CHECK-NEXT:     %4 = nvvm.convert.f32x2.to.bf16x2 %arg0, %arg1, %arg5 {relu = true, rnd = #nvvm.fp_rnd_mode<rs>, sat = #nvvm.sat_mode<satfinite>} : vector<2xbf16>
// CHECK-NEXT:     %5 = nvvm.convert.f32x2.to.f8x2 %arg0, %arg1 {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E4M3FN)
// CHECK-NEXT:     %6 = nvvm.convert.f32x2.to.f8x2 %arg0, %arg1 {relu = true, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xi8>(f8E5M2)
// CHECK-NEXT:     %7 = nvvm.convert.f32x2.to.f8x2 %arg0, %arg1 {rnd = #nvvm.fp_rnd_mode<rz>} : i16(f8E8M0FNU)
// CHECK-NEXT:     %8 = nvvm.convert.f32x2.to.f8x2 %arg0, %arg1 {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E8M0FNU)
// CHECK-NEXT:     %9 = nvvm.convert.f32x2.to.f6x2 %arg0, %arg1 : i16(f6E2M3FN)
// CHECK-NEXT:     %10 = nvvm.convert.f32x2.to.f6x2 %arg0, %arg1 {relu = true} : vector<2xi8>(f6E3M2FN)
// CHECK-NEXT:     %11 = nvvm.convert.f32x2.to.f4x2 %arg0, %arg1 : i8(f4E2M1FN)
// CHECK-NEXT:     %12 = nvvm.convert.f32x2.to.f4x2 %arg0, %arg1 {relu = true} : i8(f4E2M1FN)
// CHECK-NEXT:     %13 = nvvm.convert.f16x2.to.f8x2 %arg2 : vector<2xf16> -> i16(f8E4M3FN)
// CHECK-NEXT:     %14 = nvvm.convert.f16x2.to.f8x2 %arg2 {relu = true} : vector<2xf16> -> vector<2xi8>(f8E5M2)
// CHECK-NEXT:     %15 = nvvm.convert.bf16x2.to.f8x2 %arg3 {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16> -> i16(f8E8M0FNU)
// CHECK-NEXT:     %16 = nvvm.convert.bf16x2.to.f8x2 %arg3 {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : vector<2xbf16> -> vector<2xi8>(f8E8M0FNU)
// CHECK-NEXT:     %17 = nvvm.convert.f32x4.to.f8x4 %arg4, %arg5 : vector<4xf32> -> vector<4xi8>(f8E4M3FN)
// CHECK-NEXT:     %18 = nvvm.convert.f32x4.to.f8x4 %arg4, %arg5 {relu = true} : vector<4xf32> -> vector<4xi8>(f8E5M2)
// CHECK-NEXT:     %19 = nvvm.convert.f32x4.to.f6x4 %arg4, %arg5 : vector<4xf32> -> vector<4xi8>(f6E2M3FN)
// CHECK-NEXT:     %20 = nvvm.convert.f32x4.to.f6x4 %arg4, %arg5 {relu = true} : vector<4xf32> -> vector<4xi8>(f6E3M2FN)
// CHECK-NEXT:     %21 = nvvm.convert.f32x4.to.f4x4 %arg4, %arg5 {relu = true} : vector<4xf32> -> i16(f4E2M1FN)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
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

// CHECK-NEXT:   llvm.func @widen(%arg0: vector<2xi8>, %arg1: i8) {
// CHECK-NEXT:     %0 = nvvm.convert.f8x2.to.f16x2 %arg0 : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
// CHECK-NEXT:     %1 = nvvm.convert.f8x2.to.f16x2 %arg0 {relu = true} : vector<2xi8>(f8E5M2) -> vector<2xf16>
// CHECK-NEXT:     %2 = nvvm.convert.f8x2.to.bf16x2 %arg0 : vector<2xi8>(f8E8M0FNU) -> vector<2xbf16>
// CHECK-NEXT:     %3 = nvvm.convert.f6x2.to.f16x2 %arg0 : vector<2xi8>(f6E2M3FN) -> vector<2xf16>
// CHECK-NEXT:     %4 = nvvm.convert.f6x2.to.f16x2 %arg0 {relu = true} : vector<2xi8>(f6E3M2FN) -> vector<2xf16>
// CHECK-NEXT:     %5 = nvvm.convert.f4x2.to.f16x2 %arg1 : i8(f4E2M1FN) -> vector<2xf16>
// CHECK-NEXT:     %6 = nvvm.convert.f4x2.to.f16x2 %arg1 {relu = true} : i8(f4E2M1FN) -> vector<2xf16>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
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

// CHECK-NEXT:   llvm.func @bytes(%arg0: i32, %arg1: i32, %arg2: i32) {
// CHECK-NEXT:     %0 = nvvm.prmt <default> %arg2, %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = nvvm.prmt <f4e> %arg2, %arg0, %arg1 : i32
// CHECK-NEXT:     %2 = nvvm.prmt <b4e> %arg2, %arg0, %arg1 : i32
// CHECK-NEXT:     %3 = nvvm.prmt <rc8> %arg2, %arg0 : i32
// CHECK-NEXT:     %4 = nvvm.prmt <ecl> %arg2, %arg0 : i32
// CHECK-NEXT:     %5 = nvvm.prmt <ecr> %arg2, %arg0 : i32
// CHECK-NEXT:     %6 = nvvm.prmt <rc16> %arg2, %arg0 : i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
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

// CHECK-NEXT:   llvm.func @arithmetic(%arg0: f32, %arg1: vector<4xi8>, %arg2: vector<2xi16>, %arg3: i32) {
// CHECK-NEXT:     %0 = nvvm.rcp.approx.ftz.f %arg0 : f32
// CHECK-NEXT:     %1 = nvvm.dot.accumulate.4way %arg1 <signed>, %arg1 <signed>, %arg3 : vector<4xi8>, vector<4xi8>
// CHECK-NEXT:     %2 = nvvm.dot.accumulate.4way %arg1 <unsigned>, %arg1 <signed>, %arg3 : vector<4xi8>, vector<4xi8>
// CHECK-NEXT:     %3 = nvvm.dot.accumulate.2way %arg2 <signed>, %arg1 <unsigned>, %arg3 {b_hi = false} : vector<2xi16>, vector<4xi8>
// CHECK-NEXT:     %4 = nvvm.dot.accumulate.2way %arg2 <unsigned>, %arg1 <unsigned>, %arg3 {b_hi = true} : vector<2xi16>, vector<4xi8>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @arithmetic(%x: f32, %four: vector<4xi8>, %two: vector<2xi16>, %i: i32) {
  %0 = nvvm.rcp.approx.ftz.f %x : f32
  %1 = nvvm.dot.accumulate.4way %four <signed>, %four <signed>, %i : vector<4xi8>, vector<4xi8>
  %2 = nvvm.dot.accumulate.4way %four <unsigned>, %four <signed>, %i : vector<4xi8>, vector<4xi8>
  %3 = nvvm.dot.accumulate.2way %two <signed>, %four <unsigned>, %i {b_hi = false} : vector<2xi16>, vector<4xi8>
  %4 = nvvm.dot.accumulate.2way %two <unsigned>, %four <unsigned>, %i {b_hi = true} : vector<2xi16>, vector<4xi8>
  llvm.return
}

// CHECK-NEXT:   llvm.func @inline_ptx(%arg0: !llvm.ptr, %arg1: i32, %arg2: f32, %arg3: i1) {
// CHECK-NEXT:     nvvm.inline_ptx "bar.sync 0;"
// CHECK-NEXT:     nvvm.inline_ptx "st.b32 [$0], $1;" ro(%arg0, %arg1 : !llvm.ptr, i32)
// CHECK-NEXT:     nvvm.inline_ptx "st.b32 [$0], $1;" ro(%arg0, %arg1 : !llvm.ptr, i32), predicate = %arg3
// CHECK-NEXT:     %0 = nvvm.inline_ptx "ex2.approx.ftz.f32 {$w0}, {$r0};" ro(%arg2 : f32) -> f32
// CHECK-NEXT:     nvvm.inline_ptx "add.s32 {$rw0}, {$rw0}, {$r0};" ro(%arg1 : i32) rw(%arg1 : i32)
// CHECK-NEXT:     %1:2 = nvvm.inline_ptx "{\0A\09 mov.b32 {$w0}, 1;\0A mov.b32 {$w1}, 2; }" -> i32, i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @inline_ptx(%p: !llvm.ptr, %i: i32, %f: f32, %predicate: i1) {
  nvvm.inline_ptx "bar.sync 0;"
  nvvm.inline_ptx "st.b32 [$0], $1;" ro(%p, %i : !llvm.ptr, i32)
  nvvm.inline_ptx "st.b32 [$0], $1;" ro(%p, %i : !llvm.ptr, i32), predicate = %predicate
  %0 = nvvm.inline_ptx "ex2.approx.ftz.f32 {$w0}, {$r0};" ro(%f : f32) -> f32
  nvvm.inline_ptx "add.s32 {$rw0}, {$rw0}, {$r0};" ro(%i : i32) rw(%i : i32)
  %1:2 = nvvm.inline_ptx "{\0A\09 mov.b32 {$w0}, 1;\0A mov.b32 {$w1}, 2; }" -> i32, i32
  llvm.return
}
