// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// Numbers: some of tests/support/translated_cases.py, where all are compared with mlir-translate.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define i32 @f0() {
// CHECK-NEXT:   ret i32 -2147483644
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f0() -> i32 {
  %a = llvm.mlir.constant(3 : i32) : i32
  %b = llvm.mlir.constant(-2147483647 : i32) : i32
  %0 = llvm.add %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i128 @f1() {
// CHECK-NEXT:   ret i128 0
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f1() -> i128 {
  %a = llvm.mlir.constant(128 : i128) : i128
  %b = llvm.mlir.constant(-170141183460469231731687303715884105727 : i128) : i128
  %0 = llvm.and %a, %b : i128
  llvm.return %0 : i128
}

// CHECK-NEXT: define i128 @f2() {
// CHECK-NEXT:   ret i128 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f2() -> i128 {
  %a = llvm.mlir.constant(-1 : i128) : i128
  %b = llvm.mlir.constant(128 : i128) : i128
  %0 = llvm.ashr %a, %b : i128
  llvm.return %0 : i128
}

// CHECK-NEXT: define i1 @f3() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f3() -> i1 {
  %a = llvm.mlir.constant(-170141183460469231731687303715884105728 : i128) : i128
  %b = llvm.mlir.constant(-1 : i128) : i128
  %0 = llvm.icmp "ugt" %a, %b : i128
  llvm.return %0 : i1
}

// CHECK-NEXT: define i32 @f4() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f4() -> i32 {
  %a = llvm.mlir.constant(2 : i32) : i32
  %b = llvm.mlir.constant(-2147483648 : i32) : i32
  %0 = llvm.lshr %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i7 @f5() {
// CHECK-NEXT:   ret i7 -63
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f5() -> i7 {
  %a = llvm.mlir.constant(-63 : i7) : i7
  %b = llvm.mlir.constant(1 : i7) : i7
  %0 = llvm.mul %a, %b : i7
  llvm.return %0 : i7
}

// CHECK-NEXT: define i128 @f6() {
// CHECK-NEXT:   ret i128 -170141183460469231731687303715884105727
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f6() -> i128 {
  %a = llvm.mlir.constant(-170141183460469231731687303715884105727 : i128) : i128
  %b = llvm.mlir.constant(1 : i128) : i128
  %0 = llvm.or %a, %b : i128
  llvm.return %0 : i128
}

// CHECK-NEXT: define i64 @f7() {
// CHECK-NEXT:   ret i64 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f7() -> i64 {
  %a = llvm.mlir.constant(-1 : i64) : i64
  %b = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.sdiv %a, %b : i64
  llvm.return %0 : i64
}

// CHECK-NEXT: define i65 @f8() {
// CHECK-NEXT:   ret i65 -2147483647
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f8() -> i65 {
  %a = llvm.mlir.constant(-2147483647 : i32) : i32
  %0 = llvm.sext %a : i32 to i65
  llvm.return %0 : i65
}

// CHECK-NEXT: define i32 @f9() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f9() -> i32 {
  %a = llvm.mlir.constant(3 : i32) : i32
  %b = llvm.mlir.constant(-2147483647 : i32) : i32
  %0 = llvm.shl %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define half @f10() {
// CHECK-NEXT:   ret half 0xHFC00
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f10() -> f16 {
  %a = llvm.mlir.constant(-9223372036854775808 : i64) : i64
  %0 = llvm.sitofp %a : i64 to f16
  llvm.return %0 : f16
}

// CHECK-NEXT: define i32 @f11() {
// CHECK-NEXT:   ret i32 3
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f11() -> i32 {
  %a = llvm.mlir.constant(3 : i32) : i32
  %b = llvm.mlir.constant(-2147483648 : i32) : i32
  %0 = llvm.srem %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f12() {
// CHECK-NEXT:   ret i32 -2147483644
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f12() -> i32 {
  %a = llvm.mlir.constant(-2147483647 : i32) : i32
  %b = llvm.mlir.constant(-3 : i32) : i32
  %0 = llvm.sub %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f13() {
// CHECK-NEXT:   ret i32 1
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f13() -> i32 {
  %a = llvm.mlir.constant(-18446744073709551615 : i65) : i65
  %0 = llvm.trunc %a : i65 to i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i64 @f14() {
// CHECK-NEXT:   ret i64 -3
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f14() -> i64 {
  %a = llvm.mlir.constant(-3 : i64) : i64
  %b = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.udiv %a, %b : i64
  llvm.return %0 : i64
}

// CHECK-NEXT: define x86_fp80 @f15() {
// CHECK-NEXT:   ret x86_fp80 0xK403F8000000000000000
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f15() -> f80 {
  %a = llvm.mlir.constant(-18446744073709551616 : i65) : i65
  %0 = llvm.uitofp %a : i65 to f80
  llvm.return %0 : f80
}

// CHECK-NEXT: define i8 @f16() {
// CHECK-NEXT:   ret i8 3
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f16() -> i8 {
  %a = llvm.mlir.constant(3 : i8) : i8
  %b = llvm.mlir.constant(-3 : i8) : i8
  %0 = llvm.urem %a, %b : i8
  llvm.return %0 : i8
}

// CHECK-NEXT: define i128 @f17() {
// CHECK-NEXT:   ret i128 -170141183460469231731687303715884105728
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f17() -> i128 {
  %a = llvm.mlir.constant(170141183460469231731687303715884105727 : i128) : i128
  %b = llvm.mlir.constant(-1 : i128) : i128
  %0 = llvm.xor %a, %b : i128
  llvm.return %0 : i128
}

// CHECK-NEXT: define i65 @f18() {
// CHECK-NEXT:   ret i65 127
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f18() -> i65 {
  %a = llvm.mlir.constant(-1 : i7) : i7
  %0 = llvm.zext %a : i7 to i65
  llvm.return %0 : i65
}

// CHECK-NEXT: define i80 @f19() {
// CHECK-NEXT:   ret i80 -302236066589675721064448
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f19() -> i80 {
  %a = llvm.mlir.constant(-1.5 : f80) : f80
  %0 = llvm.bitcast %a : f80 to i80
  llvm.return %0 : i80
}

// CHECK-NEXT: define double @f20() {
// CHECK-NEXT:   ret double 0x7FF0000000000000
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f20() -> f64 {
  %a = llvm.mlir.constant(-1.5 : f64) : f64
  %b = llvm.mlir.constant(0x7FF0000000000000 : f64) : f64
  %0 = llvm.fadd %a, %b : f64
  llvm.return %0 : f64
}

// CHECK-NEXT: define i1 @f21() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f21() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f128) : f128
  %b = llvm.mlir.constant(0x7FFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128) : f128
  %0 = llvm.fcmp "_false" %a, %b : f128
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f22() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f22() -> i1 {
  %a = llvm.mlir.constant(0x7FFF8000000000000001 : f80) : f80
  %b = llvm.mlir.constant(-0.0 : f80) : f80
  %0 = llvm.fcmp "_true" %a, %b : f80
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f23() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f23() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f64) : f64
  %b = llvm.mlir.constant(-1.5 : f64) : f64
  %0 = llvm.fcmp "oeq" %a, %b : f64
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f24() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f24() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f128) : f128
  %b = llvm.mlir.constant(0x7FFF0000000000000000000000000001 : f128) : f128
  %0 = llvm.fcmp "oge" %a, %b : f128
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f25() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f25() -> i1 {
  %a = llvm.mlir.constant(-1.5 : bf16) : bf16
  %b = llvm.mlir.constant(1.0 : bf16) : bf16
  %0 = llvm.fcmp "ogt" %a, %b : bf16
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f26() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f26() -> i1 {
  %a = llvm.mlir.constant(0.0 : f128) : f128
  %b = llvm.mlir.constant(-0.0 : f128) : f128
  %0 = llvm.fcmp "ole" %a, %b : f128
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f27() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f27() -> i1 {
  %a = llvm.mlir.constant(0.0 : bf16) : bf16
  %b = llvm.mlir.constant(-1.5 : bf16) : bf16
  %0 = llvm.fcmp "olt" %a, %b : bf16
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f28() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f28() -> i1 {
  %a = llvm.mlir.constant(0.0 : f64) : f64
  %b = llvm.mlir.constant(-1.5 : f64) : f64
  %0 = llvm.fcmp "one" %a, %b : f64
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f29() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f29() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f16) : f16
  %b = llvm.mlir.constant(0x7BFF : f16) : f16
  %0 = llvm.fcmp "ord" %a, %b : f16
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f30() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f30() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f64) : f64
  %b = llvm.mlir.constant(0xFFF0000000000003 : f64) : f64
  %0 = llvm.fcmp "ueq" %a, %b : f64
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f31() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f31() -> i1 {
  %a = llvm.mlir.constant(0x7C01 : f16) : f16
  %b = llvm.mlir.constant(-0.0 : f16) : f16
  %0 = llvm.fcmp "uge" %a, %b : f16
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f32() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f32() -> i1 {
  %a = llvm.mlir.constant(-1.5 : f16) : f16
  %b = llvm.mlir.constant(0xFC03 : f16) : f16
  %0 = llvm.fcmp "ugt" %a, %b : f16
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f33() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f33() -> i1 {
  %a = llvm.mlir.constant(0.0 : f80) : f80
  %b = llvm.mlir.constant(-0.0 : f80) : f80
  %0 = llvm.fcmp "ule" %a, %b : f80
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f34() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f34() -> i1 {
  %a = llvm.mlir.constant(1.0 : f64) : f64
  %b = llvm.mlir.constant(-1.5 : f64) : f64
  %0 = llvm.fcmp "ult" %a, %b : f64
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f35() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f35() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f16) : f16
  %b = llvm.mlir.constant(1.0 : f16) : f16
  %0 = llvm.fcmp "une" %a, %b : f16
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f36() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f36() -> i1 {
  %a = llvm.mlir.constant(0xFFFF8000000000000003 : f80) : f80
  %b = llvm.mlir.constant(-0.0 : f80) : f80
  %0 = llvm.fcmp "uno" %a, %b : f80
  llvm.return %0 : i1
}

// CHECK-NEXT: define double @f37() {
// CHECK-NEXT:   ret double 0x8006000000000000
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f37() -> f64 {
  %a = llvm.mlir.constant(-1.5 : f64) : f64
  %b = llvm.mlir.constant(0x7FEFFFFFFFFFFFFF : f64) : f64
  %0 = llvm.fdiv %a, %b : f64
  llvm.return %0 : f64
}

// CHECK-NEXT: define double @f38() {
// CHECK-NEXT:   ret double -9.881310e-324
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f38() -> f64 {
  %a = llvm.mlir.constant(-1.5 : f64) : f64
  %b = llvm.mlir.constant(0x0000000000000001 : f64) : f64
  %0 = llvm.fmul %a, %b : f64
  llvm.return %0 : f64
}

// CHECK-NEXT: define double @f39() {
// CHECK-NEXT:   ret double 0.000000e+00
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f39() -> f64 {
  %a = llvm.mlir.constant(-0.0 : f64) : f64
  %0 = llvm.fneg %a : f64
  llvm.return %0 : f64
}

// CHECK-NEXT: define double @f40() {
// CHECK-NEXT:   ret double -0.000000e+00
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f40() -> f64 {
  %a = llvm.mlir.constant(-0.0 : f16) : f16
  %0 = llvm.fpext %a : f16 to f64
  llvm.return %0 : f64
}

// CHECK-NEXT: define i64 @f41() {
// CHECK-NEXT:   ret i64 -1
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f41() -> i64 {
  %a = llvm.mlir.constant(-1.5 : f80) : f80
  %0 = llvm.fptosi %a : f80 to i64
  llvm.return %0 : i64
}

// CHECK-NEXT: define i7 @f42() {
// CHECK-NEXT:   ret i7 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f42() -> i7 {
  %a = llvm.mlir.constant(-1.5 : f80) : f80
  %0 = llvm.fptoui %a : f80 to i7
  llvm.return %0 : i7
}

// CHECK-NEXT: define bfloat @f43() {
// CHECK-NEXT:   ret bfloat 0xR8000
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f43() -> bf16 {
  %a = llvm.mlir.constant(-0.0 : f64) : f64
  %0 = llvm.fptrunc %a : f64 to bf16
  llvm.return %0 : bf16
}

// CHECK-NEXT: define float @f44() {
// CHECK-NEXT:   ret float -0.000000e+00
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f44() -> f32 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.constant(1.0 : f32) : f32
  %0 = llvm.frem %a, %b : f32
  llvm.return %0 : f32
}

// CHECK-NEXT: define half @f45() {
// CHECK-NEXT:   ret half 0xH7FFF
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f45() -> f16 {
  %a = llvm.mlir.constant(-1.5 : f16) : f16
  %b = llvm.mlir.constant(0x7FFF : f16) : f16
  %0 = llvm.fsub %a, %b : f16
  llvm.return %0 : f16
}

// CHECK-NEXT: define i32 @f46() {
// CHECK-NEXT:   ret i32 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f46() -> i32 {
  %a = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.mlir.undef : i32
  %0 = llvm.add %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f47() {
// CHECK-NEXT:   ret i32 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f47() -> i32 {
  %a = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.mlir.undef : i32
  %0 = llvm.and %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f48() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f48() -> i32 {
  %a = llvm.mlir.poison : i32
  %b = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.ashr %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f49() {
// CHECK-NEXT:   ret i32 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f49() -> i32 {
  %a = llvm.mlir.undef : f32
  %0 = llvm.bitcast %a : f32 to i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define float @f50() {
// CHECK-NEXT:   ret float undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f50() -> f32 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.undef : f32
  %0 = llvm.fadd %a, %b : f32
  llvm.return %0 : f32
}

// CHECK-NEXT: define i1 @f51() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f51() -> i1 {
  %a = llvm.mlir.undef : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fcmp "_false" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f52() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f52() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.poison : f32
  %0 = llvm.fcmp "_true" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f53() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f53() -> i1 {
  %a = llvm.mlir.undef : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fcmp "oeq" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f54() {
// CHECK-NEXT:   ret i1 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f54() -> i1 {
  %a = llvm.mlir.poison : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fcmp "oge" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f55() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f55() -> i1 {
  %a = llvm.mlir.undef : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fcmp "ogt" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f56() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f56() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.undef : f32
  %0 = llvm.fcmp "ole" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f57() {
// CHECK-NEXT:   ret i1 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f57() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.poison : f32
  %0 = llvm.fcmp "olt" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f58() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f58() -> i1 {
  %a = llvm.mlir.undef : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fcmp "one" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f59() {
// CHECK-NEXT:   ret i1 false
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f59() -> i1 {
  %a = llvm.mlir.undef : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fcmp "ord" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f60() {
// CHECK-NEXT:   ret i1 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f60() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.poison : f32
  %0 = llvm.fcmp "ueq" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f61() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f61() -> i1 {
  %a = llvm.mlir.undef : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fcmp "uge" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f62() {
// CHECK-NEXT:   ret i1 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f62() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.poison : f32
  %0 = llvm.fcmp "ugt" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f63() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f63() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.undef : f32
  %0 = llvm.fcmp "ule" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f64() {
// CHECK-NEXT:   ret i1 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f64() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.poison : f32
  %0 = llvm.fcmp "ult" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f65() {
// CHECK-NEXT:   ret i1 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f65() -> i1 {
  %a = llvm.mlir.poison : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fcmp "une" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define i1 @f66() {
// CHECK-NEXT:   ret i1 true
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f66() -> i1 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.undef : f32
  %0 = llvm.fcmp "uno" %a, %b : f32
  llvm.return %0 : i1
}

// CHECK-NEXT: define float @f67() {
// CHECK-NEXT:   ret float 0x7FF8000000000000
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f67() -> f32 {
  %a = llvm.mlir.undef : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fdiv %a, %b : f32
  llvm.return %0 : f32
}

// CHECK-NEXT: define float @f68() {
// CHECK-NEXT:   ret float poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f68() -> f32 {
  %a = llvm.mlir.poison : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fmul %a, %b : f32
  llvm.return %0 : f32
}

// CHECK-NEXT: define float @f69() {
// CHECK-NEXT:   ret float undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f69() -> f32 {
  %a = llvm.mlir.undef : f32
  %0 = llvm.fneg %a : f32
  llvm.return %0 : f32
}

// CHECK-NEXT: define double @f70() {
// CHECK-NEXT:   ret double undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f70() -> f64 {
  %a = llvm.mlir.undef : f32
  %0 = llvm.fpext %a : f32 to f64
  llvm.return %0 : f64
}

// CHECK-NEXT: define i32 @f71() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f71() -> i32 {
  %a = llvm.mlir.poison : f32
  %0 = llvm.fptosi %a : f32 to i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i8 @f72() {
// CHECK-NEXT:   ret i8 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f72() -> i8 {
  %a = llvm.mlir.undef : f32
  %0 = llvm.fptoui %a : f32 to i8
  llvm.return %0 : i8
}

// CHECK-NEXT: define half @f73() {
// CHECK-NEXT:   ret half poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f73() -> f16 {
  %a = llvm.mlir.poison : f32
  %0 = llvm.fptrunc %a : f32 to f16
  llvm.return %0 : f16
}

// CHECK-NEXT: define i32 @f74() {
// CHECK-NEXT:   %1 = freeze i32 1
// CHECK-NEXT:   ret i32 %1
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f74() -> i32 {
  %a = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.freeze %a : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define float @f75() {
// CHECK-NEXT:   ret float poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f75() -> f32 {
  %a = llvm.mlir.poison : f32
  %b = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.frem %a, %b : f32
  llvm.return %0 : f32
}

// CHECK-NEXT: define float @f76() {
// CHECK-NEXT:   ret float undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f76() -> f32 {
  %a = llvm.mlir.constant(-0.0 : f32) : f32
  %b = llvm.mlir.undef : f32
  %0 = llvm.fsub %a, %b : f32
  llvm.return %0 : f32
}

// CHECK-NEXT: define i1 @f77() {
// CHECK-NEXT:   ret i1 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f77() -> i1 {
  %a = llvm.mlir.undef : i32
  %0 = llvm.icmp "ule" %a, %a : i32
  llvm.return %0 : i1
}

// CHECK-NEXT: define ptr @f78() {
// CHECK-NEXT:   ret ptr undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f78() -> !llvm.ptr {
  %a = llvm.mlir.undef : i32
  %0 = llvm.inttoptr %a : i32 to !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// CHECK-NEXT: define i32 @f79() {
// CHECK-NEXT:   ret i32 0
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f79() -> i32 {
  %a = llvm.mlir.undef : i32
  %b = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.lshr %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f80() {
// CHECK-NEXT:   ret i32 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f80() -> i32 {
  %a = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.mlir.undef : i32
  %0 = llvm.mul %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f81() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f81() -> i32 {
  %a = llvm.mlir.poison : i32
  %b = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.or %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f82() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f82() -> i32 {
  %a = llvm.mlir.poison : i32
  %b = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.sdiv %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i64 @f83() {
// CHECK-NEXT:   ret i64 0
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f83() -> i64 {
  %a = llvm.mlir.undef : i32
  %0 = llvm.sext %a : i32 to i64
  llvm.return %0 : i64
}

// CHECK-NEXT: define i32 @f84() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f84() -> i32 {
  %a = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.mlir.poison : i32
  %0 = llvm.shl %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define float @f85() {
// CHECK-NEXT:   ret float poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f85() -> f32 {
  %a = llvm.mlir.poison : i32
  %0 = llvm.sitofp %a : i32 to f32
  llvm.return %0 : f32
}

// CHECK-NEXT: define i32 @f86() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f86() -> i32 {
  %a = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.mlir.poison : i32
  %0 = llvm.srem %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f87() {
// CHECK-NEXT:   ret i32 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f87() -> i32 {
  %a = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.mlir.undef : i32
  %0 = llvm.sub %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i8 @f88() {
// CHECK-NEXT:   ret i8 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f88() -> i8 {
  %a = llvm.mlir.undef : i32
  %0 = llvm.trunc %a : i32 to i8
  llvm.return %0 : i8
}

// CHECK-NEXT: define i32 @f89() {
// CHECK-NEXT:   ret i32 0
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f89() -> i32 {
  %a = llvm.mlir.undef : i32
  %b = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.udiv %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define double @f90() {
// CHECK-NEXT:   ret double poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f90() -> f64 {
  %a = llvm.mlir.poison : i32
  %0 = llvm.uitofp %a : i32 to f64
  llvm.return %0 : f64
}

// CHECK-NEXT: define i32 @f91() {
// CHECK-NEXT:   ret i32 0
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f91() -> i32 {
  %a = llvm.mlir.undef : i32
  %b = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.urem %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i32 @f92() {
// CHECK-NEXT:   ret i32 undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f92() -> i32 {
  %a = llvm.mlir.constant(-1 : i32) : i32
  %b = llvm.mlir.undef : i32
  %0 = llvm.xor %a, %b : i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define i64 @f93() {
// CHECK-NEXT:   ret i64 0
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f93() -> i64 {
  %a = llvm.mlir.undef : i32
  %0 = llvm.zext %a : i32 to i64
  llvm.return %0 : i64
}

// CHECK-NEXT: define i32 @f94() {
// CHECK-NEXT:   ret i32 2
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f94() -> i32 {
  %c = llvm.mlir.constant(false) : i1
  %a = llvm.mlir.constant(1 : i32) : i32
  %b = llvm.mlir.constant(2 : i32) : i32
  %0 = llvm.select %c, %a, %b : i1, i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define <2 x i32> @f95() {
// CHECK-NEXT:   ret <2 x i32> <i32 1, i32 2>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f95() -> vector<2xi32> {
  %c = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
  %a = llvm.mlir.constant(dense<[1, 2]> : vector<2xi32>) : vector<2xi32>
  %b = llvm.mlir.constant(dense<[3, 4]> : vector<2xi32>) : vector<2xi32>
  %0 = llvm.select %c, %a, %b : vector<2xi1>, vector<2xi32>
  llvm.return %0 : vector<2xi32>
}

// CHECK-NEXT: define i32 @f96() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f96() -> i32 {
  %c = llvm.mlir.poison : i1
  %a = llvm.mlir.poison : i32
  %b = llvm.mlir.poison : i32
  %0 = llvm.select %c, %a, %b : i1, i32
  llvm.return %0 : i32
}

// CHECK-NEXT: define <4 x i32> @f97() {
// CHECK-NEXT:   ret <4 x i32> <i32 7, i32 6, i32 12, i32 13>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f97() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<[0,-1,5,6]> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.add %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f98() {
// CHECK-NEXT:   ret <4 x i32> zeroinitializer
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f98() -> vector<4xi32> {
  %a = llvm.mlir.undef : vector<4xi32>
  %b = llvm.mlir.constant(dense<[1,2,3,4]> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.and %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f99() {
// CHECK-NEXT:   ret <4 x i32> zeroinitializer
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f99() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<0> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.constant(dense<[1,2,3,4]> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.ashr %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define i32 @f100() {
// CHECK-NEXT:   ret i32 poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f100() -> i32 {
  %a = llvm.mlir.constant(dense<[1,2,3,4]> : vector<4xi32>) : vector<4xi32>
  %i = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.extractelement %a[%i : i32] : vector<4xi32>
  llvm.return %0 : i32
}

// CHECK-NEXT: define <2 x float> @f101() {
// CHECK-NEXT:   ret <2 x float> <float 1.000000e+00, float 2.000000e+00>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f101() -> vector<2xf32> {
  %a = llvm.mlir.constant(dense<0.0> : vector<2xf32>) : vector<2xf32>
  %b = llvm.mlir.constant(dense<[1.0,2.0]> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fadd %a, %b : vector<2xf32>
  llvm.return %0 : vector<2xf32>
}

// CHECK-NEXT: define <2 x i1> @f102() {
// CHECK-NEXT:   ret <2 x i1> <i1 true, i1 false>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f102() -> vector<2xi1> {
  %a = llvm.mlir.constant(dense<0.0> : vector<2xf32>) : vector<2xf32>
  %b = llvm.mlir.constant(dense<[-0.0,0x7FC00001]> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fcmp "oeq" %a, %b : vector<2xf32>
  llvm.return %0 : vector<2xi1>
}

// CHECK-NEXT: define <2 x i1> @f103() {
// CHECK-NEXT:   ret <2 x i1> splat (i1 true)
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f103() -> vector<2xi1> {
  %a = llvm.mlir.constant(dense<[-0.0,0x7FC00001]> : vector<2xf32>) : vector<2xf32>
  %b = llvm.mlir.constant(dense<7.0> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fcmp "ult" %a, %b : vector<2xf32>
  llvm.return %0 : vector<2xi1>
}

// CHECK-NEXT: define <2 x i1> @f104() {
// CHECK-NEXT:   ret <2 x i1> splat (i1 true)
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f104() -> vector<2xi1> {
  %a = llvm.mlir.constant(dense<[1.0,2.0]> : vector<2xf32>) : vector<2xf32>
  %b = llvm.mlir.constant(dense<7.0> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fcmp "une" %a, %b : vector<2xf32>
  llvm.return %0 : vector<2xi1>
}

// CHECK-NEXT: define <2 x float> @f105() {
// CHECK-NEXT:   ret <2 x float> <float 0xFFF0000000000000, float 0x7FF8000020000000>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f105() -> vector<2xf32> {
  %a = llvm.mlir.constant(dense<[1.0,2.0]> : vector<2xf32>) : vector<2xf32>
  %b = llvm.mlir.constant(dense<[-0.0,0x7FC00001]> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fdiv %a, %b : vector<2xf32>
  llvm.return %0 : vector<2xf32>
}

// CHECK-NEXT: define <2 x float> @f106() {
// CHECK-NEXT:   ret <2 x float> <float -0.000000e+00, float 0x7FF8000020000000>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f106() -> vector<2xf32> {
  %a = llvm.mlir.constant(dense<[1.0,2.0]> : vector<2xf32>) : vector<2xf32>
  %b = llvm.mlir.constant(dense<[-0.0,0x7FC00001]> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fmul %a, %b : vector<2xf32>
  llvm.return %0 : vector<2xf32>
}

// CHECK-NEXT: define <2 x float> @f107() {
// CHECK-NEXT:   ret <2 x float> splat (float -7.000000e+00)
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f107() -> vector<2xf32> {
  %a = llvm.mlir.constant(dense<7.0> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fneg %a : vector<2xf32>
  llvm.return %0 : vector<2xf32>
}

// CHECK-NEXT: define <2 x double> @f108() {
// CHECK-NEXT:   ret <2 x double> zeroinitializer
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f108() -> vector<2xf64> {
  %a = llvm.mlir.constant(dense<0.0> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fpext %a : vector<2xf32> to vector<2xf64>
  llvm.return %0 : vector<2xf64>
}

// CHECK-NEXT: define <2 x i8> @f109() {
// CHECK-NEXT:   ret <2 x i8> <i8 1, i8 2>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f109() -> vector<2xi8> {
  %a = llvm.mlir.constant(dense<[1.0,2.0]> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fptosi %a : vector<2xf32> to vector<2xi8>
  llvm.return %0 : vector<2xi8>
}

// CHECK-NEXT: define <2 x half> @f110() {
// CHECK-NEXT:   ret <2 x half> <half 0xH3C00, half 0xH4000>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f110() -> vector<2xf16> {
  %a = llvm.mlir.constant(dense<[1.0,2.0]> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fptrunc %a : vector<2xf32> to vector<2xf16>
  llvm.return %0 : vector<2xf16>
}

// CHECK-NEXT: define <2 x float> @f111() {
// CHECK-NEXT:   ret <2 x float> <float -0.000000e+00, float 0x7FF8000020000000>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f111() -> vector<2xf32> {
  %a = llvm.mlir.constant(dense<[-0.0,0x7FC00001]> : vector<2xf32>) : vector<2xf32>
  %b = llvm.mlir.constant(dense<7.0> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.frem %a, %b : vector<2xf32>
  llvm.return %0 : vector<2xf32>
}

// CHECK-NEXT: define <2 x float> @f112() {
// CHECK-NEXT:   ret <2 x float> <float 1.000000e+00, float 2.000000e+00>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f112() -> vector<2xf32> {
  %a = llvm.mlir.constant(dense<[1.0,2.0]> : vector<2xf32>) : vector<2xf32>
  %b = llvm.mlir.constant(dense<0.0> : vector<2xf32>) : vector<2xf32>
  %0 = llvm.fsub %a, %b : vector<2xf32>
  llvm.return %0 : vector<2xf32>
}

// CHECK-NEXT: define <4 x i1> @f113() {
// CHECK-NEXT:   ret <4 x i1> splat (i1 true)
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f113() -> vector<4xi1> {
  %a = llvm.mlir.constant(dense<[0,-1,5,6]> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.icmp "slt" %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi1>
}

// CHECK-NEXT: define <4 x i32> @f114() {
// CHECK-NEXT:   ret <4 x i32> poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f114() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<[1,2,3,4]> : vector<4xi32>) : vector<4xi32>
  %x = llvm.mlir.undef : i32
  %i = llvm.mlir.constant(-1 : i32) : i32
  %0 = llvm.insertelement %x, %a[%i : i32] : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f115() {
// CHECK-NEXT:   ret <4 x i32> <i32 0, i32 1073741823, i32 0, i32 0>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f115() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<[0,-1,5,6]> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.constant(dense<[1,2,3,4]> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.lshr %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f116() {
// CHECK-NEXT:   ret <4 x i32> undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f116() -> vector<4xi32> {
  %a = llvm.mlir.undef : vector<4xi32>
  %b = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.mul %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f117() {
// CHECK-NEXT:   ret <4 x i32> <i32 undef, i32 -1, i32 -1, i32 -1>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f117() -> vector<4xi32> {
  %a = llvm.mlir.undef : vector<4xi32>
  %b = llvm.mlir.constant(dense<[0,-1,5,6]> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.or %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f118() {
// CHECK-NEXT:   ret <4 x i32> poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f118() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<[1,2,3,4]> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.undef : vector<4xi32>
  %0 = llvm.sdiv %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f119() {
// CHECK-NEXT:   ret <4 x i32> zeroinitializer
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f119() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<0> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.constant(dense<[1,2,3,4]> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.shl %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <5 x i32> @f120() {
// CHECK-NEXT:   ret <5 x i32> poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f120() -> vector<5xi32> {
  %a = llvm.mlir.poison : vector<4xi32>
  %b = llvm.mlir.poison : vector<4xi32>
  %0 = llvm.shufflevector %a, %b [-1, -1, -1, -1, -1] : vector<4xi32>
  llvm.return %0 : vector<5xi32>
}

// CHECK-NEXT: define <4 x i32> @f121() {
// CHECK-NEXT:   ret <4 x i32> <i32 0, i32 1, i32 1, i32 3>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f121() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.constant(dense<[1,2,3,4]> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.srem %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f122() {
// CHECK-NEXT:   ret <4 x i32> undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f122() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<[0,-1,5,6]> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.undef : vector<4xi32>
  %0 = llvm.sub %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f123() {
// CHECK-NEXT:   ret <4 x i32> poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f123() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<[0,-1,5,6]> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.constant(dense<0> : vector<4xi32>) : vector<4xi32>
  %0 = llvm.udiv %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f124() {
// CHECK-NEXT:   ret <4 x i32> poison
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f124() -> vector<4xi32> {
  %a = llvm.mlir.undef : vector<4xi32>
  %b = llvm.mlir.undef : vector<4xi32>
  %0 = llvm.urem %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f125() {
// CHECK-NEXT:   ret <4 x i32> undef
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f125() -> vector<4xi32> {
  %a = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.undef : vector<4xi32>
  %0 = llvm.xor %a, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <4 x i32> @f126() {
// CHECK-NEXT:   ret <4 x i32> <i32 poison, i32 poison, i32 2, i32 poison>
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f126() -> vector<4xi32> {
  %a = llvm.mlir.poison : vector<4xi32>
  %x = llvm.mlir.constant(1 : i32) : i32
  %i = llvm.mlir.constant(2 : i32) : i32
  %b = llvm.insertelement %x, %a[%i : i32] : vector<4xi32>
  %0 = llvm.add %b, %b : vector<4xi32>
  llvm.return %0 : vector<4xi32>
}

// CHECK-NEXT: define <2 x float> @f127() {
// CHECK-NEXT:   ret <2 x float> splat (float 0xFFFFFFFFE0000000)
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f127() -> vector<2xf32> {
  %a = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.bitcast %a : i64 to vector<2xf32>
  llvm.return %0 : vector<2xf32>
}

// CHECK-NEXT: define <1 x double> @f128() {
// CHECK-NEXT:   ret <1 x double> splat (double 0xFFFFFFFFFFFFFFFF)
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f128() -> vector<1xf64> {
  %a = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.bitcast %a : i64 to vector<1xf64>
  llvm.return %0 : vector<1xf64>
}

// CHECK-NEXT: define <1 x i64> @f129() {
// CHECK-NEXT:   ret <1 x i64> splat (i64 -1)
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f129() -> vector<1xi64> {
  %a = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.bitcast %a : i64 to vector<1xi64>
  llvm.return %0 : vector<1xi64>
}

// CHECK-NEXT: define <8 x i8> @f130() {
// CHECK-NEXT:   ret <8 x i8> splat (i8 -1)
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @f130() -> vector<8xi8> {
  %a = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.bitcast %a : i64 to vector<8xi8>
  llvm.return %0 : vector<8xi8>
}

// CHECK-NEXT: define i64 @f131() {
// CHECK-NEXT:   ret i64 -1
// CHECK-NEXT: }
llvm.func @f131() -> i64 {
  %a = llvm.mlir.constant(-1 : i64) : i64
  %0 = llvm.bitcast %a : i64 to i64
  llvm.return %0 : i64
}

// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
