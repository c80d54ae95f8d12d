// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What conversions between float formats cannot be.

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.}}
  %0 = nvvm.convert.float.to.tf32 %x
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{Relu not supported with rna rounding mode.}}
  %0 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>, relu = true}
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.}}
  %0 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rp>}
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f8x2' op Only RN rounding mode is supported for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types}}
  %0 = nvvm.convert.f32x2.to.f8x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f8x2' op Only SATFINITE saturation mode is supported for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types}}
  %0 = nvvm.convert.f32x2.to.f8x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rn>} : i16 (f8E5M2)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f8x2' op Only RZ and RP rounding modes are supported for conversions from f32x2 to 'f8E8M0FNU' type}}
  %0 = nvvm.convert.f32x2.to.f8x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rn>} : i16 (f8E8M0FNU)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f8x2' op relu not supported for conversions to 'f8E8M0FNU' type}}
  %0 = nvvm.convert.f32x2.to.f8x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rz>, relu = true} : i16 (f8E8M0FNU)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f8x2' op Only 'f8E4M3FN', 'f8E5M2', and 'f8E8M0FNU' types are supported for conversions from f32x2 to f8x2}}
  %0 = nvvm.convert.f32x2.to.f8x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rn>} : i16 (f16)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f6x2' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f32x2 to f6x2.}}
  %0 = nvvm.convert.f32x2.to.f6x2 %x, %y : i16 (f8E4M3FN)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f4x2' op Only 'f4E2M1FN' type is supported for conversions from f32x2 to f4x2.}}
  %0 = nvvm.convert.f32x2.to.f4x2 %x, %y : i8 (f6E2M3FN)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f16x2.to.f8x2' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f16x2 to f8x2.}}
  %0 = nvvm.convert.f16x2.to.f8x2 %h : vector<2xf16> -> i16 (f8E8M0FNU)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.bf16x2.to.f8x2' op Only 'f8E8M0FNU' type is supported for conversions from bf16x2 to f8x2.}}
  %0 = nvvm.convert.bf16x2.to.f8x2 %b {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16> -> i16 (f8E4M3FN)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.bf16x2.to.f8x2' op Only RZ and RP rounding modes are supported for conversions from bf16x2 to f8x2.}}
  %0 = nvvm.convert.bf16x2.to.f8x2 %b {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16> -> i16 (f8E8M0FNU)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f8x2.to.f16x2' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f8x2 to f16x2.}}
  %0 = nvvm.convert.f8x2.to.f16x2 %e : vector<2xi8> (f8E8M0FNU) -> vector<2xf16>
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f8x2.to.bf16x2' op Only 'f8E8M0FNU' type is supported for conversions from f8x2 to bf16x2.}}
  %0 = nvvm.convert.f8x2.to.bf16x2 %e : vector<2xi8> (f8E4M3FN) -> vector<2xbf16>
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f6x2.to.f16x2' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f6x2 to f16x2.}}
  %0 = nvvm.convert.f6x2.to.f16x2 %e : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f4x2.to.f16x2' op Only 'f4E2M1FN' type is supported for conversions from f4x2 to f16x2.}}
  %0 = nvvm.convert.f4x2.to.f16x2 %k : i8 (f6E2M3FN) -> vector<2xf16>
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f16x2' op Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to f16x2.}}
  %0 = nvvm.convert.f32x2.to.f16x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rp>} : vector<2xf16>
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.f16x2' op random_bits is required for RS rounding mode.}}
  %0 = nvvm.convert.f32x2.to.f16x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.bf16x2' op random_bits not supported for RN and RZ rounding modes.}}
  %0 = nvvm.convert.f32x2.to.bf16x2 %x, %y, %i {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x2.to.bf16x2' op Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to bf16x2.}}
  %0 = nvvm.convert.f32x2.to.bf16x2 %x, %y : vector<2xbf16>
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x4.to.f8x4' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f32x4 to f8x4.}}
  %0 = nvvm.convert.f32x4.to.f8x4 %v, %i : vector<4xf32> -> vector<4xi8> (f6E2M3FN)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x4.to.f6x4' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f32x4 to f6x4.}}
  %0 = nvvm.convert.f32x4.to.f6x4 %v, %i : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.convert.f32x4.to.f4x4' op Only 'f4E2M1FN' type is supported for conversions from f32x4 to f4x4.}}
  %0 = nvvm.convert.f32x4.to.f4x4 %v, %i : vector<4xf32> -> i16 (f8E4M3FN)
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{mode 'f4e' requires 'hi' operand.}}
  %0 = nvvm.prmt #nvvm.permute_mode<f4e> %i, %i : i32
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{mode 'rc8' does not accept 'hi' operand.}}
  %0 = nvvm.prmt #nvvm.permute_mode<rc8> %i, %i, %i : i32
  llvm.return
}

// -----

llvm.func @f(%x: f32, %y: f32, %h: vector<2xf16>, %b: vector<2xbf16>, %v: vector<4xf32>, %e: vector<2xi8>, %k: i8, %i: i32) {
  // expected-error@+1 {{'nvvm.dot.accumulate.4way' op operand #0 must be vector of 8-bit signless integer values of length 4, but got 'vector<4xf32>'}}
  %0 = nvvm.dot.accumulate.4way %v <signed>, %v <signed>, %i : vector<4xf32>, vector<4xf32>
  llvm.return
}
