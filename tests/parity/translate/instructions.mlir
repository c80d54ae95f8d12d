llvm.func @integers(%a: i32, %b: i32, %v: vector<4xi16>) -> i32 {
  %0 = llvm.add %a, %b overflow<nsw, nuw> : i32
  %1 = llvm.sub %0, %b overflow<nsw> : i32
  %2 = llvm.mul %1, %b overflow<nuw> : i32
  %3 = llvm.udiv exact %2, %b : i32
  %4 = llvm.sdiv %3, %a : i32
  %5 = llvm.urem %4, %a : i32
  %6 = llvm.srem %5, %a : i32
  %7 = llvm.shl %6, %a overflow<nsw, nuw> : i32
  %8 = llvm.lshr exact %7, %a : i32
  %9 = llvm.ashr %8, %a : i32
  %10 = llvm.and %9, %a : i32
  %11 = llvm.or disjoint %10, %a : i32
  %12 = llvm.xor %11, %a : i32
  %13 = llvm.trunc %12 overflow<nsw> : i32 to i8
  %14 = llvm.zext nneg %13 : i8 to i64
  %15 = llvm.sext %13 : i8 to i64
  %16 = llvm.icmp "ult" %14, %15 : i64
  %17 = llvm.select %16, %a, %b : i1, i32
  %18 = llvm.freeze %17 : i32
  %19 = llvm.mul %v, %v : vector<4xi16>
  %i = llvm.mlir.constant(2 : i32) : i32
  %20 = llvm.extractelement %19[%i : i32] : vector<4xi16>
  %21 = llvm.insertelement %20, %v[%i : i32] : vector<4xi16>
  %22 = llvm.shufflevector %21, %v [3, 2, 1, 0, -1] : vector<4xi16>
  %23 = llvm.bitcast %21 : vector<4xi16> to i64
  %24 = llvm.trunc %23 : i64 to i32
  %25 = llvm.add %18, %24 : i32
  llvm.return %25 : i32
}
llvm.func @floats(%a: f32, %b: f32, %h: f16, %d: f64, %q: bf16) -> i1 {
  %0 = llvm.fadd %a, %b {fastmathFlags = #llvm.fastmath<fast>} : f32
  %1 = llvm.fsub %0, %b {fastmathFlags = #llvm.fastmath<nnan, ninf>} : f32
  %2 = llvm.fmul %1, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
  %3 = llvm.fdiv %2, %b {fastmathFlags = #llvm.fastmath<arcp, afn>} : f32
  %4 = llvm.frem %3, %b : f32
  %5 = llvm.fneg %4 {fastmathFlags = #llvm.fastmath<nsz>} : f32
  %6 = llvm.fpext %h : f16 to f32
  %7 = llvm.fptrunc %d : f64 to f32
  %8 = llvm.fpext %q : bf16 to f32
  %9 = llvm.fptosi %5 : f32 to i32
  %10 = llvm.fptoui %6 : f32 to i64
  %11 = llvm.sitofp %9 : i32 to f64
  %12 = llvm.uitofp nneg %10 : i64 to f32
  %13 = llvm.fcmp "uge" %7, %8 {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  %14 = llvm.fcmp "ord" %12, %5 : f32
  %15 = llvm.and %13, %14 : i1
  llvm.return %15 : i1
}

// -----

llvm.func @memory(%p: !llvm.ptr, %g: !llvm.ptr<1>, %n: i64, %x: f32) -> i64 {
  %c = llvm.mlir.constant(4 : i64) : i64
  %0 = llvm.alloca %c x !llvm.struct<(i32, array<2 x f32>)> {alignment = 32 : i64} : (i64) -> !llvm.ptr
  %1 = llvm.alloca inalloca %c x i8 : (i64) -> !llvm.ptr
  %2 = llvm.getelementptr inbounds %0[%n, 1, 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, array<2 x f32>)>
  %3 = llvm.getelementptr inbounds|nuw %g[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %4 = llvm.load volatile %2 {alignment = 4 : i64} : !llvm.ptr -> f32
  %5 = llvm.load %3 invariant {nontemporal} : !llvm.ptr<1> -> f32
  %6 = llvm.load %p atomic syncscope("agent") acquire {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.store %4, %3 {nontemporal} : f32, !llvm.ptr<1>
  llvm.store volatile %5, %2 {alignment = 16 : i64} : f32, !llvm.ptr
  llvm.store %6, %p atomic release {alignment = 8 : i64} : i64, !llvm.ptr
  %7 = llvm.atomicrmw add %p, %6 monotonic : !llvm.ptr, i64
  %8 = llvm.atomicrmw volatile fadd %g, %x syncscope("block") seq_cst {alignment = 4 : i64} : !llvm.ptr<1>, f32
  %9 = llvm.cmpxchg weak %p, %6, %7 acq_rel monotonic : !llvm.ptr, i64
  llvm.fence syncscope("agent") seq_cst
  llvm.fence acquire
  %10 = llvm.extractvalue %9[0] : !llvm.struct<(i64, i1)>
  %11 = llvm.addrspacecast %g : !llvm.ptr<1> to !llvm.ptr
  %12 = llvm.ptrtoint %11 : !llvm.ptr to i64
  %13 = llvm.inttoptr %10 : i64 to !llvm.ptr
  llvm.store %12, %13 : i64, !llvm.ptr
  %14 = llvm.mlir.undef : !llvm.struct<packed (i8, i64)>
  %15 = llvm.insertvalue %12, %14[1] : !llvm.struct<packed (i8, i64)>
  %16 = llvm.mlir.zero : !llvm.ptr
  %17 = llvm.icmp "eq" %16, %13 : !llvm.ptr
  %18 = llvm.extractvalue %15[1] : !llvm.struct<packed (i8, i64)>
  llvm.return %18 : i64
}

// -----

llvm.func @personality(...) -> i32
llvm.func @may_throw(i32) -> i32
llvm.func @variadic(!llvm.ptr, ...) -> i32
llvm.func @branches(%c: i1, %x: i32, %p: !llvm.ptr) -> i32 attributes {personality = @personality} {
  llvm.cond_br %c weights([3, 5]), ^a(%x : i32), ^b(%x, %x : i32, i32)
^a(%0: i32):
  llvm.switch %0 : i32, ^c(%0 : i32) [
    1: ^b(%0, %0 : i32, i32),
    -7: ^c(%x : i32)
  ]
^b(%1: i32, %2: i32):
  %3 = llvm.add %1, %2 : i32
  llvm.br ^c(%3 : i32)
^c(%4: i32):
  %5 = llvm.invoke @may_throw(%4) to ^d unwind ^e : (i32) -> i32
^d:
  %6 = llvm.call @variadic(%p, %x) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  %7 = llvm.call fastcc tail @may_throw(%6) {no_unwind} : (i32) -> i32
  %8 = llvm.call %p(%7) : !llvm.ptr, (i32) -> i32
  %9 = llvm.call @may_throw(%8) ["deopt"(%x, %c : i32, i1)] : (i32) -> i32
  llvm.return %9 : i32
^e:
  %10 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %10 : !llvm.struct<(ptr, i32)>
}
llvm.func @unreachable() attributes {no_inline, passthrough = ["noreturn", ["key", "value"]]} {
  llvm.unreachable
}
llvm.func @assembly(%x: i64) -> i64 {
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "add $1, $0", "=r,r" %x : (i64) -> i64
  llvm.return %0 : i64
}
