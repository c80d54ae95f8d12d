llvm.func @floats(%a: f32, %b: f32, %c: f32, %v: vector<4xf64>, %i: i32) {
  %sqrt_v = llvm.intr.sqrt(%v) : (vector<4xf64>) -> vector<4xf64>
  %exp_f = llvm.intr.exp(%a) : (f32) -> f32
  %exp2_v = llvm.intr.exp2(%v) : (vector<4xf64>) -> vector<4xf64>
  %log_f = llvm.intr.log(%a) : (f32) -> f32
  %log2_v = llvm.intr.log2(%v) : (vector<4xf64>) -> vector<4xf64>
  %log10_f = llvm.intr.log10(%a) : (f32) -> f32
  %sin_v = llvm.intr.sin(%v) : (vector<4xf64>) -> vector<4xf64>
  %cos_f = llvm.intr.cos(%a) : (f32) -> f32
  %tan_v = llvm.intr.tan(%v) : (vector<4xf64>) -> vector<4xf64>
  %asin_f = llvm.intr.asin(%a) : (f32) -> f32
  %acos_v = llvm.intr.acos(%v) : (vector<4xf64>) -> vector<4xf64>
  %atan_f = llvm.intr.atan(%a) : (f32) -> f32
  %sinh_v = llvm.intr.sinh(%v) : (vector<4xf64>) -> vector<4xf64>
  %cosh_f = llvm.intr.cosh(%a) : (f32) -> f32
  %tanh_v = llvm.intr.tanh(%v) : (vector<4xf64>) -> vector<4xf64>
  %fabs_f = llvm.intr.fabs(%a) : (f32) -> f32
  %ceil_v = llvm.intr.ceil(%v) : (vector<4xf64>) -> vector<4xf64>
  %floor_f = llvm.intr.floor(%a) : (f32) -> f32
  %round_v = llvm.intr.round(%v) : (vector<4xf64>) -> vector<4xf64>
  %roundeven_f = llvm.intr.roundeven(%a) : (f32) -> f32
  %trunc_v = llvm.intr.trunc(%v) : (vector<4xf64>) -> vector<4xf64>
  %rint_f = llvm.intr.rint(%a) : (f32) -> f32
  %nearbyint_v = llvm.intr.nearbyint(%v) : (vector<4xf64>) -> vector<4xf64>
  %pow_f = llvm.intr.pow(%a, %b) : (f32, f32) -> f32
  %maxnum_f = llvm.intr.maxnum(%a, %b) : (f32, f32) -> f32
  %minnum_f = llvm.intr.minnum(%a, %b) : (f32, f32) -> f32
  %maximum_f = llvm.intr.maximum(%a, %b) : (f32, f32) -> f32
  %minimum_f = llvm.intr.minimum(%a, %b) : (f32, f32) -> f32
  %copysign_f = llvm.intr.copysign(%a, %b) : (f32, f32) -> f32
  %atan2_f = llvm.intr.atan2(%a, %b) : (f32, f32) -> f32
  %fma = llvm.intr.fma(%a, %b, %c) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
  %muladd = llvm.intr.fmuladd(%a, %b, %c) : (f32, f32, f32) -> f32
  %powi = llvm.intr.powi(%a, %i) : (f32, i32) -> f32
  %ldexp = llvm.intr.ldexp(%a, %i) : (f32, i32) -> f32
  %lround = llvm.intr.lround(%a) : (f32) -> i64
  %llrint = llvm.intr.llrint(%a) : (f32) -> i64
  %class = "llvm.intr.is.fpclass"(%a) <{bit = 3 : i32}> : (f32) -> i1
  %frexp = llvm.intr.frexp(%a) : (f32) -> !llvm.struct<(f32, i32)>
  %sumstart = llvm.mlir.constant(0.0 : f64) : f64
  %sum = "llvm.intr.vector.reduce.fadd"(%sumstart, %v) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f64, vector<4xf64>) -> f64
  %max = llvm.intr.vector.reduce.fmaximum(%v) : (vector<4xf64>) -> f64
  llvm.return
}

// -----

llvm.func @integers(%a: i32, %b: i32, %v: vector<8xi16>, %p: !llvm.ptr, %m: vector<8xi1>, %n: i64) {
  %smax_i = llvm.intr.smax(%a, %b) : (i32, i32) -> i32
  %smin_i = llvm.intr.smin(%a, %b) : (i32, i32) -> i32
  %umax_i = llvm.intr.umax(%a, %b) : (i32, i32) -> i32
  %umin_i = llvm.intr.umin(%a, %b) : (i32, i32) -> i32
  %sadd_sat_i = llvm.intr.sadd.sat(%a, %b) : (i32, i32) -> i32
  %uadd_sat_i = llvm.intr.uadd.sat(%a, %b) : (i32, i32) -> i32
  %ssub_sat_i = llvm.intr.ssub.sat(%a, %b) : (i32, i32) -> i32
  %usub_sat_i = llvm.intr.usub.sat(%a, %b) : (i32, i32) -> i32
  %sshl_sat_i = llvm.intr.sshl.sat(%a, %b) : (i32, i32) -> i32
  %abs = "llvm.intr.abs"(%a) <{is_int_min_poison = true}> : (i32) -> i32
  %clz = "llvm.intr.ctlz"(%a) <{is_zero_poison = false}> : (i32) -> i32
  %ctz = "llvm.intr.cttz"(%v) <{is_zero_poison = true}> : (vector<8xi16>) -> vector<8xi16>
  %pop = llvm.intr.ctpop(%a) : (i32) -> i32
  %rev = llvm.intr.bitreverse(%a) : (i32) -> i32
  %swap = llvm.intr.bswap(%a) : (i32) -> i32
  %fshl = llvm.intr.fshl(%a, %b, %a) : (i32, i32, i32) -> i32
  %o = "llvm.intr.sadd.with.overflow"(%a, %b) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %sum = "llvm.intr.vector.reduce.add"(%v) : (vector<8xi16>) -> i16
  %least = "llvm.intr.vector.reduce.umin"(%v) : (vector<8xi16>) -> i16
  %load = llvm.intr.masked.load %p, %m, %v {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi16>) -> vector<8xi16>
  llvm.intr.masked.store %load, %p, %m {alignment = 2 : i32} : vector<8xi16>, vector<8xi1> into !llvm.ptr
  "llvm.intr.memcpy"(%p, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memmove"(%p, %p, %n) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %byte = llvm.mlir.constant(0 : i8) : i8
  "llvm.intr.memset"(%p, %byte, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %expect = llvm.intr.expect %a, %b : i32
  %c = llvm.icmp "eq" %expect, %a : i32
  llvm.intr.assume %c : i1
  "llvm.intr.prefetch"(%p) <{rw = 0 : i32, hint = 3 : i32, cache = 1 : i32}> : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @rest(%p: !llvm.ptr) {
  %s = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %s x i32 : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %a : !llvm.ptr
  llvm.intr.lifetime.end %a : !llvm.ptr
  %stack = llvm.intr.stacksave : !llvm.ptr
  llvm.intr.stackrestore %stack : !llvm.ptr
  llvm.call_intrinsic "llvm.donothing"() : () -> ()
  %i = llvm.call_intrinsic "llvm.smax.i32"(%s, %s) : (i32, i32) -> i32
  "llvm.intr.debugtrap"() : () -> ()
  "llvm.intr.trap"() : () -> ()
  llvm.unreachable
}
