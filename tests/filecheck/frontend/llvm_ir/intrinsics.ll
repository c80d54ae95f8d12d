; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

define void @arithmetic(i32 %i, float %f, <4 x float> %v, <4 x i32> %w) {
  %1 = call i32 @llvm.abs.i32(i32 %i, i1 true)
  %2 = call i32 @llvm.ctlz.i32(i32 %i, i1 false)
  %3 = call i32 @llvm.smax.i32(i32 %1, i32 %2)
  %4 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 %3)
  %5 = call i32 @llvm.fshl.i32(i32 %i, i32 %3, i32 5)
  %6 = call nnan float @llvm.fma.f32(float %f, float %f, float 1.0)
  %7 = call fast float @llvm.sqrt.f32(float %f)
  %8 = call float @llvm.powi.f32.i32(float %f, i32 2)
  %9 = call i1 @llvm.is.fpclass.f32(float %f, i32 3)
  %10 = call float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %v)
  %11 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %w)
  %12 = call i32 @llvm.uadd.sat.i32(i32 %i, i32 1)
  %13 = call i32 @llvm.bswap.i32(i32 %i)
  %14 = call float @llvm.maximum.f32(float %f, float %6)
  %15 = call i32 @llvm.vscale.i32()
  ret void
}

define void @memory(ptr %p, ptr %q, i64 %n, <4 x i1> %m, <4 x float> %v, <4 x ptr> %a) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 true)
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  %s = alloca i32
  call void @llvm.lifetime.start.p0(ptr %s)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %1 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 16 %p, <4 x i1> %m, <4 x float> %v)
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr align 16 %p, <4 x i1> %m)
  %2 = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %a, <4 x i1> %m, <4 x float> poison)
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %v, <4 x ptr> align 4 %a, <4 x i1> %m)
  %3 = call <4 x float> @llvm.masked.expandload.v4f32.p0(ptr align 8 %p, <4 x i1> %m, <4 x float> %v)
  %4 = call ptr @llvm.invariant.start.p0(i64 8, ptr %p)
  %5 = call ptr @llvm.stacksave.p0()
  call void @llvm.stackrestore.p0(ptr %5)
  ret void
}

define void @others(i1 %c, ptr %p, double %d, <8 x float> %l, <8 x float> %r, <4 x float> %v) {
  call void @llvm.assume(i1 %c)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p) ]
  %1 = call i1 @llvm.expect.i1(i1 %c, i1 true)
  %2 = call i32 @llvm.expect.with.probability.i32(i32 1, i32 2, double 0.75)
  %3 = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %d, metadata !"round.tonearest", metadata !"fpexcept.ignore")
  %4 = call double @llvm.experimental.constrained.fpext.f64.f32(float %3, metadata !"fpexcept.strict")
  %5 = call <4 x float> @llvm.matrix.multiply.v4f32.v8f32.v8f32(<8 x float> %l, <8 x float> %r, i32 2, i32 4, i32 2)
  %6 = call <8 x float> @llvm.matrix.transpose.v8f32(<8 x float> %l, i32 2, i32 4)
  %7 = call <4 x float> @llvm.vector.extract.v4f32.v8f32(<8 x float> %l, i64 4)
  %8 = call <8 x float> @llvm.vector.insert.v8f32.v4f32(<8 x float> %l, <4 x float> %v, i64 0)
  call void @llvm.trap()
  call void @llvm.ubsantrap(i8 4)
  ret void
}

; Without an operation of its own an intrinsic is called by name.
define float @by_name(float %f, ptr %p) {
  %1 = call fast float @llvm.canonicalize.f32(float %f)
  %2 = call i64 @llvm.objectsize.i64.p0(ptr nonnull %p, i1 false, i1 true, i1 false)
  %3 = call i32 @llvm.get.rounding()
  ret float %1
}

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.func @arithmetic(%arg0: i32, %arg1: f32, %arg2: vector<4xf32>, %arg3: vector<4xi32>) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(5 : i32) : i32
; CHECK-NEXT:     %1 = llvm.mlir.constant(1.000000e+00 : f32) : f32
; CHECK-NEXT:     %2 = llvm.mlir.constant(2 : i32) : i32
; CHECK-NEXT:     %3 = llvm.mlir.constant(0.000000e+00 : f32) : f32
; CHECK-NEXT:     %4 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %5 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = true}> : (i32) -> i32
; CHECK-NEXT:     %6 = "llvm.intr.ctlz"(%arg0) <{is_zero_poison = false}> : (i32) -> i32
; CHECK-NEXT:     %7 = llvm.intr.smax(%5, %6) : (i32, i32) -> i32
; CHECK-NEXT:     %8 = "llvm.intr.sadd.with.overflow"(%arg0, %7) : (i32, i32) -> !llvm.struct<(i32, i1)>
; CHECK-NEXT:     %9 = llvm.intr.fshl(%arg0, %7, %0) : (i32, i32, i32) -> i32
; CHECK-NEXT:     %10 = llvm.intr.fma(%arg1, %arg1, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32, f32) -> f32
; CHECK-NEXT:     %11 = llvm.intr.sqrt(%arg1) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32
; CHECK-NEXT:     %12 = llvm.intr.powi(%arg1, %2) : (f32, i32) -> f32
; CHECK-NEXT:     %13 = "llvm.intr.is.fpclass"(%arg1) <{bit = 3 : i32}> : (f32) -> i1
; CHECK-NEXT:     %14 = "llvm.intr.vector.reduce.fadd"(%3, %arg2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
; CHECK-NEXT:     %15 = "llvm.intr.vector.reduce.add"(%arg3) : (vector<4xi32>) -> i32
; CHECK-NEXT:     %16 = llvm.intr.uadd.sat(%arg0, %4) : (i32, i32) -> i32
; CHECK-NEXT:     %17 = llvm.intr.bswap(%arg0) : (i32) -> i32
; CHECK-NEXT:     %18 = llvm.intr.maximum(%arg1, %10) : (f32, f32) -> f32
; CHECK-NEXT:     %19 = "llvm.intr.vscale"() : () -> i32
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @memory(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: vector<4xi1>, %arg4: vector<4xf32>, %arg5: vector<4x!llvm.ptr>) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i8) : i8
; CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %2 = llvm.mlir.poison : vector<4xf32>
; CHECK-NEXT:     "llvm.intr.memcpy"(%arg0, %arg1, %arg2) <{arg_attrs = [{llvm.align = 4 : i64}, {}, {}], isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
; CHECK-NEXT:     "llvm.intr.memset"(%arg0, %0, %arg2) <{isVolatile = true}> : (!llvm.ptr, i8, i64) -> ()
; CHECK-NEXT:     "llvm.intr.memset.inline"(%arg0, %0) <{isVolatile = false, len = 8 : i64}> : (!llvm.ptr, i8) -> ()
; CHECK-NEXT:     %3 = llvm.alloca %1 x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
; CHECK-NEXT:     llvm.intr.lifetime.start %3 : !llvm.ptr
; CHECK-NEXT:     "llvm.intr.prefetch"(%arg0) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
; CHECK-NEXT:     %4 = llvm.intr.masked.load %arg0, %arg3, %arg4 {alignment = 16 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
; CHECK-NEXT:     llvm.intr.masked.store %arg4, %arg0, %arg3 {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
; CHECK-NEXT:     %5 = llvm.intr.masked.gather %arg5, %arg3, %2 {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
; CHECK-NEXT:     llvm.intr.masked.scatter %arg4, %arg5, %arg3 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
; CHECK-NEXT:     %6 = "llvm.intr.masked.expandload"(%arg0, %arg3, %arg4) <{arg_attrs = [{llvm.align = 8 : i64}, {}, {}]}> : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
; CHECK-NEXT:     %7 = llvm.intr.invariant.start 8, %arg0 : !llvm.ptr
; CHECK-NEXT:     %8 = llvm.intr.stacksave : !llvm.ptr
; CHECK-NEXT:     llvm.intr.stackrestore %8 : !llvm.ptr
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @others(%arg0: i1, %arg1: !llvm.ptr, %arg2: f64, %arg3: vector<8xf32>, %arg4: vector<8xf32>, %arg5: vector<4xf32>) {
; CHECK-NEXT:     %0 = llvm.mlir.constant(true) : i1
; CHECK-NEXT:     %1 = llvm.mlir.constant(8 : i64) : i64
; CHECK-NEXT:     %2 = llvm.mlir.constant(1 : i32) : i32
; CHECK-NEXT:     %3 = llvm.mlir.constant(2 : i32) : i32
; CHECK-NEXT:     %4 = llvm.mlir.constant(4 : i32) : i32
; CHECK-NEXT:     llvm.intr.assume %arg0  : i1
; CHECK-NEXT:     llvm.intr.assume %0 ["align"(%arg1, %1 : !llvm.ptr, i64), "nonnull"(%arg1 : !llvm.ptr)] : i1
; CHECK-NEXT:     %5 = llvm.intr.expect %arg0, %0 : i1
; CHECK-NEXT:     %6 = llvm.intr.expect.with.probability %2, %3, 7.500000e-01 : i32
; CHECK-NEXT:     %7 = llvm.intr.experimental.constrained.fptrunc %arg2 tonearest ignore : f64 to f32
; CHECK-NEXT:     %8 = llvm.intr.experimental.constrained.fpext %7 strict : f32 to f64
; CHECK-NEXT:     %9 = llvm.intr.matrix.multiply %arg3, %arg4 {lhs_columns = 4 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<8xf32>, vector<8xf32>) -> vector<4xf32>
; CHECK-NEXT:     %10 = llvm.intr.matrix.transpose %arg3 {columns = 4 : i32, rows = 2 : i32} : vector<8xf32> into vector<8xf32>
; CHECK-NEXT:     %11 = llvm.intr.vector.extract %arg3[4] : vector<4xf32> from vector<8xf32>
; CHECK-NEXT:     %12 = llvm.intr.vector.insert %arg5, %arg3[0] : vector<4xf32> into vector<8xf32>
; CHECK-NEXT:     llvm.intr.trap
; CHECK-NEXT:     llvm.intr.ubsantrap <{failureKind = 4 : i8}>
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @by_name(%arg0: f32, %arg1: !llvm.ptr) -> f32 {
; CHECK-NEXT:     %0 = llvm.mlir.constant(false) : i1
; CHECK-NEXT:     %1 = llvm.mlir.constant(true) : i1
; CHECK-NEXT:     %2 = llvm.call_intrinsic "llvm.canonicalize.f32"(%arg0) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32
; CHECK-NEXT:     %3 = llvm.call_intrinsic "llvm.objectsize.i64.p0"(%arg1, %0, %1, %0) : (!llvm.ptr {llvm.nonnull}, i1, i1, i1) -> i64
; CHECK-NEXT:     %4 = llvm.call_intrinsic "llvm.get.rounding"() : () -> i32
; CHECK-NEXT:     llvm.return %2 : f32
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @llvm.canonicalize.f32(f32) -> f32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, passthrough = ["nocallback", "nocreateundeforpoison", "nofree", "nosync", "speculatable"], will_return}
; CHECK-NEXT:   llvm.func @llvm.get.rounding() -> i32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, passthrough = ["nocallback", "nofree", "nosync"], will_return}
; CHECK-NEXT:   llvm.func @llvm.objectsize.i64.p0(!llvm.ptr, i1, i1, i1) -> i64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, passthrough = ["nocallback", "nofree", "nosync", "speculatable"], will_return}
; CHECK-NEXT: }
