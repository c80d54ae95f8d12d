; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

; Arithmetic, comparisons, conversions, with their flags.

define i32 @integers(i32 %a, i32 %b, <4 x i16> %v) {
  %add = add nuw nsw i32 %a, %b
  %sub = sub nsw i32 %add, %b
  %mul = mul nuw i32 %sub, 3
  %shl = shl i32 %mul, 1
  %udiv = udiv exact i32 %shl, %b
  %sdiv = sdiv i32 %udiv, %b
  %urem = urem i32 %sdiv, %b
  %srem = srem i32 %urem, %b
  %lshr = lshr exact i32 %srem, 2
  %ashr = ashr i32 %lshr, 2
  %and = and i32 %ashr, 255
  %or = or disjoint i32 %and, 256
  %xor = xor i32 %or, -1
  %w = add <4 x i16> %v, splat (i16 7)
  %f = freeze i32 %xor
  ret i32 %f
}

define i1 @comparisons(i64 %a, i64 %b, float %x, float %y, <2 x double> %v, ptr %p, ptr %q) {
  %1 = icmp eq i64 %a, %b
  %2 = icmp samesign ult i64 %a, 4
  %3 = icmp sge ptr %p, %q
  %4 = fcmp nnan ninf olt float %x, %y
  %5 = fcmp une <2 x double> %v, zeroinitializer
  %6 = select i1 %1, i1 %2, i1 %3
  %7 = select nsz i1 %4, float %x, float %y
  ret i1 %6
}

define double @floats(double %a, double %b) {
  %1 = fadd fast double %a, %b
  %2 = fsub reassoc contract double %1, 1.5
  %3 = fmul double %2, 0x7FF0000000000000
  %4 = fdiv arcp double %3, 0x7FF8000000000000
  %5 = frem double %4, -0.0
  %6 = fneg afn double %5
  ret double %6
}

define void @conversions(i8 %i, i64 %l, float %f, double %d, ptr %p, ptr addrspace(1) %g) {
  %1 = zext nneg i8 %i to i32
  %2 = sext i8 %i to i64
  %3 = trunc nuw nsw i64 %l to i16
  %4 = fptoui float %f to i32
  %5 = fptosi double %d to i128
  %6 = uitofp nneg i64 %l to half
  %7 = sitofp i8 %i to bfloat
  %8 = fptrunc double %d to float
  %9 = fpext float %f to fp128
  %10 = ptrtoint ptr %p to i64
  %11 = inttoptr i64 %l to ptr addrspace(3)
  %12 = bitcast double %d to <2 x float>
  %13 = addrspacecast ptr addrspace(1) %g to ptr
  ret void
}

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.func @integers(%arg0: i32, %arg1: i32, %arg2: vector<4xi16>) -> i32 {
; CHECK-NEXT:     %0 = llvm.mlir.constant(3 : i32) : i32
; CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %2 = llvm.mlir.constant(2 : i32) : i32
; CHECK-NEXT:     %3 = llvm.mlir.constant(255 : i32) : i32
; CHECK-NEXT:     %4 = llvm.mlir.constant(256 : i32) : i32
; CHECK-NEXT:     %5 = llvm.mlir.constant(-1 : i32) : i32
; CHECK-NEXT:     %6 = llvm.mlir.constant(dense<7> : vector<4xi16>) : vector<4xi16>
; CHECK-NEXT:     %7 = llvm.add %arg0, %arg1 overflow<nsw, nuw> : i32
; CHECK-NEXT:     %8 = llvm.sub %7, %arg1 overflow<nsw> : i32
; CHECK-NEXT:     %9 = llvm.mul %8, %0 overflow<nuw> : i32
; CHECK-NEXT:     %10 = llvm.shl %9, %1 : i32
; CHECK-NEXT:     %11 = llvm.udiv exact %10, %arg1 : i32
; CHECK-NEXT:     %12 = llvm.sdiv %11, %arg1 : i32
; CHECK-NEXT:     %13 = llvm.urem %12, %arg1 : i32
; CHECK-NEXT:     %14 = llvm.srem %13, %arg1 : i32
; CHECK-NEXT:     %15 = llvm.lshr exact %14, %2 : i32
; CHECK-NEXT:     %16 = llvm.ashr %15, %2 : i32
; CHECK-NEXT:     %17 = llvm.and %16, %3 : i32
; CHECK-NEXT:     %18 = llvm.or disjoint %17, %4 : i32
; CHECK-NEXT:     %19 = llvm.xor %18, %5 : i32
; CHECK-NEXT:     %20 = llvm.add %arg2, %6 : vector<4xi16>
; CHECK-NEXT:     %21 = llvm.freeze %19 : i32
; CHECK-NEXT:     llvm.return %21 : i32
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @comparisons(%arg0: i64, %arg1: i64, %arg2: f32, %arg3: f32, %arg4: vector<2xf64>, %arg5: !llvm.ptr, %arg6: !llvm.ptr) -> i1 {
; CHECK-NEXT:     %0 = llvm.mlir.constant(4 : i64) : i64
; CHECK-NEXT:     %1 = llvm.mlir.constant(0.000000e+00 : f64) : f64
; CHECK-NEXT:     %2 = llvm.mlir.constant(dense<0.000000e+00> : vector<2xf64>) : vector<2xf64>
; CHECK-NEXT:     %3 = llvm.icmp "eq" %arg0, %arg1 : i64
; CHECK-NEXT:     %4 = llvm.icmp "ult" %arg0, %0 : i64
; CHECK-NEXT:     %5 = llvm.icmp "sge" %arg5, %arg6 : !llvm.ptr
; CHECK-NEXT:     %6 = llvm.fcmp "olt" %arg2, %arg3 {fastmathFlags = #llvm.fastmath<nnan, ninf>} : f32
; CHECK-NEXT:     %7 = llvm.fcmp "une" %arg4, %2 : vector<2xf64>
; CHECK-NEXT:     %8 = llvm.select %3, %4, %5 : i1, i1
; CHECK-NEXT:     %9 = llvm.select %6, %arg2, %arg3 {fastmathFlags = #llvm.fastmath<nsz>} : i1, f32
; CHECK-NEXT:     llvm.return %8 : i1
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @floats(%arg0: f64, %arg1: f64) -> f64 {
; CHECK-NEXT:     %0 = llvm.mlir.constant(1.500000e+00 : f64) : f64
; CHECK-NEXT:     %1 = llvm.mlir.constant(0x7FF0000000000000 : f64) : f64
; CHECK-NEXT:     %2 = llvm.mlir.constant(0x7FF8000000000000 : f64) : f64
; CHECK-NEXT:     %3 = llvm.mlir.constant(-0.000000e+00 : f64) : f64
; CHECK-NEXT:     %4 = llvm.fadd %arg0, %arg1 {fastmathFlags = #llvm.fastmath<fast>} : f64
; CHECK-NEXT:     %5 = llvm.fsub %4, %0 {fastmathFlags = #llvm.fastmath<contract, reassoc>} : f64
; CHECK-NEXT:     %6 = llvm.fmul %5, %1 : f64
; CHECK-NEXT:     %7 = llvm.fdiv %6, %2 {fastmathFlags = #llvm.fastmath<arcp>} : f64
; CHECK-NEXT:     %8 = llvm.frem %7, %3 : f64
; CHECK-NEXT:     %9 = llvm.fneg %8 {fastmathFlags = #llvm.fastmath<afn>} : f64
; CHECK-NEXT:     llvm.return %9 : f64
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @conversions(%arg0: i8, %arg1: i64, %arg2: f32, %arg3: f64, %arg4: !llvm.ptr, %arg5: !llvm.ptr<1>) {
; CHECK-NEXT:     %0 = llvm.zext nneg %arg0 : i8 to i32
; CHECK-NEXT:     %1 = llvm.sext %arg0 : i8 to i64
; CHECK-NEXT:     %2 = llvm.trunc %arg1 overflow<nsw, nuw> : i64 to i16
; CHECK-NEXT:     %3 = llvm.fptoui %arg2 : f32 to i32
; CHECK-NEXT:     %4 = llvm.fptosi %arg3 : f64 to i128
; CHECK-NEXT:     %5 = llvm.uitofp nneg %arg1 : i64 to f16
; CHECK-NEXT:     %6 = llvm.sitofp %arg0 : i8 to bf16
; CHECK-NEXT:     %7 = llvm.fptrunc %arg3 : f64 to f32
; CHECK-NEXT:     %8 = llvm.fpext %arg2 : f32 to f128
; CHECK-NEXT:     %9 = llvm.ptrtoint %arg4 : !llvm.ptr to i64
; CHECK-NEXT:     %10 = llvm.inttoptr %arg1 : i64 to !llvm.ptr<3>
; CHECK-NEXT:     %11 = llvm.bitcast %arg3 : f64 to vector<2xf32>
; CHECK-NEXT:     %12 = llvm.addrspacecast %arg5 : !llvm.ptr<1> to !llvm.ptr
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT: }
