// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// Operations on constants are constants in LLVM IR: its builder folds them, and so does the translation.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define { i32, i32, i32, i32, i8, i64, i32 } @extensions() {
// CHECK-NEXT:   ret { i32, i32, i32, i32, i8, i64, i32 } { i32 253, i32 -3, i32 100, i32 100, i8 127, i64 -1, i32 1 }
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @extensions() -> !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)> {
  %minus = llvm.mlir.constant(-3 : i8) : i8
  %plus = llvm.mlir.constant(100 : i8) : i8
  %wide = llvm.mlir.constant(-129 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %s = llvm.mlir.undef : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
  %0 = llvm.zext %minus : i8 to i32
  %1 = llvm.sext %minus : i8 to i32
  %2 = llvm.zext %plus : i8 to i32
  %3 = llvm.sext %plus : i8 to i32
  %4 = llvm.trunc %wide : i64 to i8
  %5 = llvm.sext %true : i1 to i64
  %6 = llvm.zext %true : i1 to i32
  %7 = llvm.insertvalue %0, %s[0] : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
  %8 = llvm.insertvalue %1, %7[1] : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
  %9 = llvm.insertvalue %2, %8[2] : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
  %10 = llvm.insertvalue %3, %9[3] : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
  %11 = llvm.insertvalue %4, %10[4] : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
  %12 = llvm.insertvalue %5, %11[5] : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
  %13 = llvm.insertvalue %6, %12[6] : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
  llvm.return %13 : !llvm.struct<(i32, i32, i32, i32, i8, i64, i32)>
}

// CHECK-NEXT: declare void @use(i1)
// CHECK-EMPTY:
llvm.func @use(i1)
// CHECK-NEXT: define void @compared() {
// CHECK-NEXT:   call void @use(i1 true)
// CHECK-NEXT:   call void @use(i1 false)
// CHECK-NEXT:   call void @use(i1 false)
// CHECK-NEXT:   call void @use(i1 true)
// CHECK-NEXT:   call void @use(i1 false)
// CHECK-NEXT:   call void @use(i1 true)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @compared() {
  %minus = llvm.mlir.constant(-3 : i8) : i8
  %plus = llvm.mlir.constant(100 : i8) : i8
  %0 = llvm.icmp "slt" %minus, %plus : i8
  %1 = llvm.icmp "ult" %minus, %plus : i8
  %2 = llvm.icmp "sge" %minus, %plus : i8
  %3 = llvm.icmp "ugt" %minus, %plus : i8
  %4 = llvm.icmp "ne" %minus, %minus : i8
  %5 = llvm.icmp "ule" %plus, %plus : i8
  llvm.call @use(%0) : (i1) -> ()
  llvm.call @use(%1) : (i1) -> ()
  llvm.call @use(%2) : (i1) -> ()
  llvm.call @use(%3) : (i1) -> ()
  llvm.call @use(%4) : (i1) -> ()
  llvm.call @use(%5) : (i1) -> ()
  llvm.return
}

// CHECK-NEXT: declare void @take(i8)
// CHECK-EMPTY:
llvm.func @take(i8)
// CHECK-NEXT: define void @arithmetic() {
// CHECK-NEXT:   call void @take(i8 -56)
// CHECK-NEXT:   call void @take(i8 -107)
// CHECK-NEXT:   call void @take(i8 -56)
// CHECK-NEXT:   call void @take(i8 -3)
// CHECK-NEXT:   call void @take(i8 124)
// CHECK-NEXT:   call void @take(i8 -1)
// CHECK-NEXT:   call void @take(i8 1)
// CHECK-NEXT:   call void @take(i8 -28)
// CHECK-NEXT:   call void @take(i8 62)
// CHECK-NEXT:   call void @take(i8 -2)
// CHECK-NEXT:   call void @take(i8 96)
// CHECK-NEXT:   call void @take(i8 -3)
// CHECK-NEXT:   call void @take(i8 -99)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @arithmetic() {
  %minus = llvm.mlir.constant(-7 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %large = llvm.mlir.constant(100 : i8) : i8
  %0 = llvm.add %large, %large : i8
  %1 = llvm.sub %minus, %large : i8
  %2 = llvm.mul %large, %two : i8
  %3 = llvm.sdiv %minus, %two : i8
  %4 = llvm.udiv %minus, %two : i8
  %5 = llvm.srem %minus, %two : i8
  %6 = llvm.urem %minus, %two : i8
  %7 = llvm.shl %minus, %two : i8
  %8 = llvm.lshr %minus, %two : i8
  %9 = llvm.ashr %minus, %two : i8
  %10 = llvm.and %minus, %large : i8
  %11 = llvm.or %minus, %large : i8
  %12 = llvm.xor %minus, %large : i8
  llvm.call @take(%0) : (i8) -> ()
  llvm.call @take(%1) : (i8) -> ()
  llvm.call @take(%2) : (i8) -> ()
  llvm.call @take(%3) : (i8) -> ()
  llvm.call @take(%4) : (i8) -> ()
  llvm.call @take(%5) : (i8) -> ()
  llvm.call @take(%6) : (i8) -> ()
  llvm.call @take(%7) : (i8) -> ()
  llvm.call @take(%8) : (i8) -> ()
  llvm.call @take(%9) : (i8) -> ()
  llvm.call @take(%10) : (i8) -> ()
  llvm.call @take(%11) : (i8) -> ()
  llvm.call @take(%12) : (i8) -> ()
  llvm.return
}

// CHECK-NEXT: declare void @float(float)
// CHECK-EMPTY:
llvm.func @float(f32)
// CHECK-NEXT: define void @floats() {
// CHECK-NEXT:   call void @float(float -3.000000e+00)
// CHECK-NEXT:   call void @float(float 2.530000e+02)
// CHECK-NEXT:   call void @float(float 0x3FD5555560000000)
// CHECK-NEXT:   call void @float(float 0x3FB99999A0000000)
// CHECK-NEXT:   call void @float(float -2.000000e+00)
// CHECK-NEXT:   call void @float(float 9.000000e+00)
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
llvm.func @floats() {
  %minus = llvm.mlir.constant(-3 : i8) : i8
  %one = llvm.mlir.constant(1.0 : f32) : f32
  %three = llvm.mlir.constant(3.0 : f32) : f32
  %tenth = llvm.mlir.constant(0.1 : f64) : f64
  %0 = llvm.sitofp %minus : i8 to f32
  %1 = llvm.uitofp %minus : i8 to f32
  %2 = llvm.fdiv %one, %three : f32
  %3 = llvm.fptrunc %tenth : f64 to f32
  %4 = llvm.fsub %one, %three : f32
  %5 = llvm.fmul %three, %three : f32
  llvm.call @float(%0) : (f32) -> ()
  llvm.call @float(%1) : (f32) -> ()
  llvm.call @float(%2) : (f32) -> ()
  llvm.call @float(%3) : (f32) -> ()
  llvm.call @float(%4) : (f32) -> ()
  llvm.call @float(%5) : (f32) -> ()
  llvm.return
}

// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
