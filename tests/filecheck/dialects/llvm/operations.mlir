// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Arithmetic, conversions, aggregates and memory, with every flag and predicate.

// CHECK: module {
// CHECK-NEXT:   llvm.func @integers(%arg0: i32, %arg1: vector<4xi64>, %arg2: !llvm.ptr) {
// CHECK-NEXT:     %0 = llvm.add %arg0, %arg0 : i32
// CHECK-NEXT:     %1 = llvm.add %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     %2 = llvm.add %arg1, %arg1 overflow<nsw, nuw> : vector<4xi64>
// CHECK-NEXT:     %3 = llvm.sub %arg0, %arg0 : i32
// CHECK-NEXT:     %4 = llvm.sub %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     %5 = llvm.sub %arg1, %arg1 overflow<nsw, nuw> : vector<4xi64>
// CHECK-NEXT:     %6 = llvm.mul %arg0, %arg0 : i32
// CHECK-NEXT:     %7 = llvm.mul %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     %8 = llvm.mul %arg1, %arg1 overflow<nsw, nuw> : vector<4xi64>
// CHECK-NEXT:     %9 = llvm.shl %arg0, %arg0 : i32
// CHECK-NEXT:     %10 = llvm.shl %arg0, %arg0 overflow<nsw> : i32
// CHECK-NEXT:     %11 = llvm.shl %arg1, %arg1 overflow<nsw, nuw> : vector<4xi64>
// CHECK-NEXT:     %12 = llvm.sdiv %arg0, %arg0 : i32
// CHECK-NEXT:     %13 = llvm.sdiv exact %arg0, %arg0 : i32
// CHECK-NEXT:     %14 = llvm.udiv %arg0, %arg0 : i32
// CHECK-NEXT:     %15 = llvm.udiv exact %arg0, %arg0 : i32
// CHECK-NEXT:     %16 = llvm.lshr %arg0, %arg0 : i32
// CHECK-NEXT:     %17 = llvm.lshr exact %arg0, %arg0 : i32
// CHECK-NEXT:     %18 = llvm.ashr %arg0, %arg0 : i32
// CHECK-NEXT:     %19 = llvm.ashr exact %arg0, %arg0 : i32
// CHECK-NEXT:     %20 = llvm.srem %arg0, %arg0 : i32
// CHECK-NEXT:     %21 = llvm.urem %arg0, %arg0 : i32
// CHECK-NEXT:     %22 = llvm.and %arg0, %arg0 : i32
// CHECK-NEXT:     %23 = llvm.xor %arg0, %arg0 : i32
// CHECK-NEXT:     %24 = llvm.or %arg0, %arg0 : i32
// CHECK-NEXT:     %25 = llvm.or disjoint %arg0, %arg0 : i32
// CHECK-NEXT:     %26 = llvm.icmp "eq" %arg0, %arg0 : i32
// CHECK-NEXT:     %27 = llvm.icmp "ne" %arg0, %arg0 : i32
// CHECK-NEXT:     %28 = llvm.icmp "slt" %arg0, %arg0 : i32
// CHECK-NEXT:     %29 = llvm.icmp "sle" %arg0, %arg0 : i32
// CHECK-NEXT:     %30 = llvm.icmp "sgt" %arg0, %arg0 : i32
// CHECK-NEXT:     %31 = llvm.icmp "sge" %arg0, %arg0 : i32
// CHECK-NEXT:     %32 = llvm.icmp "ult" %arg0, %arg0 : i32
// CHECK-NEXT:     %33 = llvm.icmp "ule" %arg0, %arg0 : i32
// CHECK-NEXT:     %34 = llvm.icmp "ugt" %arg0, %arg0 : i32
// CHECK-NEXT:     %35 = llvm.icmp "uge" %arg0, %arg0 : i32
// CHECK-NEXT:     %36 = llvm.icmp "eq" %arg2, %arg2 : !llvm.ptr
// CHECK-NEXT:     %37 = llvm.icmp "ne" %arg1, %arg1 : vector<4xi64>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @integers(%i: i32, %v: vector<4xi64>, %p: !llvm.ptr) {
  %0 = llvm.add %i, %i : i32
  %1 = llvm.add %i, %i overflow<nsw> : i32
  %2 = llvm.add %v, %v overflow<nsw, nuw> : vector<4xi64>
  %3 = llvm.sub %i, %i : i32
  %4 = llvm.sub %i, %i overflow<nsw> : i32
  %5 = llvm.sub %v, %v overflow<nsw, nuw> : vector<4xi64>
  %6 = llvm.mul %i, %i : i32
  %7 = llvm.mul %i, %i overflow<nsw> : i32
  %8 = llvm.mul %v, %v overflow<nsw, nuw> : vector<4xi64>
  %9 = llvm.shl %i, %i : i32
  %10 = llvm.shl %i, %i overflow<nsw> : i32
  %11 = llvm.shl %v, %v overflow<nsw, nuw> : vector<4xi64>
  %12 = llvm.sdiv %i, %i : i32
  %13 = llvm.sdiv exact %i, %i : i32
  %14 = llvm.udiv %i, %i : i32
  %15 = llvm.udiv exact %i, %i : i32
  %16 = llvm.lshr %i, %i : i32
  %17 = llvm.lshr exact %i, %i : i32
  %18 = llvm.ashr %i, %i : i32
  %19 = llvm.ashr exact %i, %i : i32
  %20 = llvm.srem %i, %i : i32
  %21 = llvm.urem %i, %i : i32
  %22 = llvm.and %i, %i : i32
  %23 = llvm.xor %i, %i : i32
  %24 = llvm.or %i, %i : i32
  %25 = llvm.or disjoint %i, %i : i32
  %26 = llvm.icmp "eq" %i, %i : i32
  %27 = llvm.icmp "ne" %i, %i : i32
  %28 = llvm.icmp "slt" %i, %i : i32
  %29 = llvm.icmp "sle" %i, %i : i32
  %30 = llvm.icmp "sgt" %i, %i : i32
  %31 = llvm.icmp "sge" %i, %i : i32
  %32 = llvm.icmp "ult" %i, %i : i32
  %33 = llvm.icmp "ule" %i, %i : i32
  %34 = llvm.icmp "ugt" %i, %i : i32
  %35 = llvm.icmp "uge" %i, %i : i32
  %36 = llvm.icmp "eq" %p, %p : !llvm.ptr
  %37 = llvm.icmp "ne" %v, %v : vector<4xi64>
  llvm.return
}

// CHECK-NEXT:   llvm.func @floats(%arg0: f32, %arg1: vector<4xf16>, %arg2: i1) {
// CHECK-NEXT:     %0 = llvm.fadd %arg0, %arg0 : f32
// CHECK-NEXT:     %1 = llvm.fadd %arg1, %arg1 {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
// CHECK-NEXT:     %2 = llvm.fsub %arg0, %arg0 : f32
// CHECK-NEXT:     %3 = llvm.fsub %arg1, %arg1 {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
// CHECK-NEXT:     %4 = llvm.fmul %arg0, %arg0 : f32
// CHECK-NEXT:     %5 = llvm.fmul %arg1, %arg1 {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
// CHECK-NEXT:     %6 = llvm.fdiv %arg0, %arg0 : f32
// CHECK-NEXT:     %7 = llvm.fdiv %arg1, %arg1 {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
// CHECK-NEXT:     %8 = llvm.frem %arg0, %arg0 : f32
// CHECK-NEXT:     %9 = llvm.frem %arg1, %arg1 {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
// CHECK-NEXT:     %10 = llvm.fneg %arg0 : f32
// CHECK-NEXT:     %11 = llvm.fneg %arg0 {fastmathFlags = #llvm.fastmath<nnan, nsz>} : f32
// CHECK-NEXT:     %12 = llvm.fcmp "_false" %arg0, %arg0 : f32
// CHECK-NEXT:     %13 = llvm.fcmp "oeq" %arg0, %arg0 : f32
// CHECK-NEXT:     %14 = llvm.fcmp "ogt" %arg0, %arg0 : f32
// CHECK-NEXT:     %15 = llvm.fcmp "oge" %arg0, %arg0 : f32
// CHECK-NEXT:     %16 = llvm.fcmp "olt" %arg0, %arg0 : f32
// CHECK-NEXT:     %17 = llvm.fcmp "ole" %arg0, %arg0 : f32
// CHECK-NEXT:     %18 = llvm.fcmp "one" %arg0, %arg0 : f32
// CHECK-NEXT:     %19 = llvm.fcmp "ord" %arg0, %arg0 : f32
// CHECK-NEXT:     %20 = llvm.fcmp "ueq" %arg0, %arg0 : f32
// CHECK-NEXT:     %21 = llvm.fcmp "ugt" %arg0, %arg0 : f32
// CHECK-NEXT:     %22 = llvm.fcmp "uge" %arg0, %arg0 : f32
// CHECK-NEXT:     %23 = llvm.fcmp "ult" %arg0, %arg0 : f32
// CHECK-NEXT:     %24 = llvm.fcmp "ule" %arg0, %arg0 : f32
// CHECK-NEXT:     %25 = llvm.fcmp "une" %arg0, %arg0 : f32
// CHECK-NEXT:     %26 = llvm.fcmp "uno" %arg0, %arg0 : f32
// CHECK-NEXT:     %27 = llvm.fcmp "_true" %arg0, %arg0 : f32
// CHECK-NEXT:     %28 = llvm.fcmp "olt" %arg0, %arg0 {fastmathFlags = #llvm.fastmath<ninf, arcp, contract, afn, reassoc>} : f32
// CHECK-NEXT:     %29 = llvm.select %arg2, %arg0, %arg0 : i1, f32
// CHECK-NEXT:     %30 = llvm.select %arg2, %arg0, %arg0 {fastmathFlags = #llvm.fastmath<nnan>} : i1, f32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @floats(%f: f32, %v: vector<4xf16>, %c: i1) {
  %0 = llvm.fadd %f, %f : f32
  %1 = llvm.fadd %v, %v {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
  %2 = llvm.fsub %f, %f : f32
  %3 = llvm.fsub %v, %v {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
  %4 = llvm.fmul %f, %f : f32
  %5 = llvm.fmul %v, %v {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
  %6 = llvm.fdiv %f, %f : f32
  %7 = llvm.fdiv %v, %v {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
  %8 = llvm.frem %f, %f : f32
  %9 = llvm.frem %v, %v {fastmathFlags = #llvm.fastmath<fast>} : vector<4xf16>
  %10 = llvm.fneg %f : f32
  %11 = llvm.fneg %f {fastmathFlags = #llvm.fastmath<nnan, nsz>} : f32
  %12 = llvm.fcmp "_false" %f, %f : f32
  %13 = llvm.fcmp "oeq" %f, %f : f32
  %14 = llvm.fcmp "ogt" %f, %f : f32
  %15 = llvm.fcmp "oge" %f, %f : f32
  %16 = llvm.fcmp "olt" %f, %f : f32
  %17 = llvm.fcmp "ole" %f, %f : f32
  %18 = llvm.fcmp "one" %f, %f : f32
  %19 = llvm.fcmp "ord" %f, %f : f32
  %20 = llvm.fcmp "ueq" %f, %f : f32
  %21 = llvm.fcmp "ugt" %f, %f : f32
  %22 = llvm.fcmp "uge" %f, %f : f32
  %23 = llvm.fcmp "ult" %f, %f : f32
  %24 = llvm.fcmp "ule" %f, %f : f32
  %25 = llvm.fcmp "une" %f, %f : f32
  %26 = llvm.fcmp "uno" %f, %f : f32
  %27 = llvm.fcmp "_true" %f, %f : f32
  %28 = llvm.fcmp "olt" %f, %f {fastmathFlags = #llvm.fastmath<ninf, arcp, contract, afn, reassoc>} : f32
  %29 = llvm.select %c, %f, %f : i1, f32
  %30 = llvm.select %c, %f, %f {fastmathFlags = #llvm.fastmath<nnan>} : i1, f32
  llvm.return
}

// CHECK-NEXT:   llvm.func @conversions(%arg0: i32, %arg1: i64, %arg2: f32, %arg3: !llvm.ptr) {
// CHECK-NEXT:     %0 = llvm.sext %arg0 : i32 to i64
// CHECK-NEXT:     %1 = llvm.zext %arg0 : i32 to i64
// CHECK-NEXT:     %2 = llvm.zext nneg %arg0 : i32 to i64
// CHECK-NEXT:     %3 = llvm.trunc %arg0 : i32 to i8
// CHECK-NEXT:     %4 = llvm.trunc %arg0 overflow<nsw, nuw> : i32 to i8
// CHECK-NEXT:     %5 = llvm.fpext %arg2 : f32 to f64
// CHECK-NEXT:     %6 = llvm.fptrunc %arg2 : f32 to f16
// CHECK-NEXT:     %7 = llvm.sitofp %arg0 : i32 to f32
// CHECK-NEXT:     %8 = llvm.uitofp %arg0 : i32 to f32
// CHECK-NEXT:     %9 = llvm.uitofp nneg %arg0 : i32 to f32
// CHECK-NEXT:     %10 = llvm.fptosi %arg2 : f32 to i32
// CHECK-NEXT:     %11 = llvm.fptoui %arg2 : f32 to i32
// CHECK-NEXT:     %12 = llvm.bitcast %arg0 : i32 to f32
// CHECK-NEXT:     %13 = llvm.ptrtoint %arg3 : !llvm.ptr to i64
// CHECK-NEXT:     %14 = llvm.inttoptr %arg1 : i64 to !llvm.ptr
// CHECK-NEXT:     %15 = llvm.inttoptr %arg1 dereferenceable<bytes = 8> : i64 to !llvm.ptr
// CHECK-NEXT:     %16 = llvm.inttoptr %arg1 dereferenceable<bytes = 8, mayBeNull = true> : i64 to !llvm.ptr
// CHECK-NEXT:     %17 = llvm.addrspacecast %arg3 : !llvm.ptr to !llvm.ptr<3>
// CHECK-NEXT:     %18 = llvm.freeze %arg0 : i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @conversions(%i: i32, %l: i64, %f: f32, %p: !llvm.ptr) {
  %0 = llvm.sext %i : i32 to i64
  %1 = llvm.zext %i : i32 to i64
  %2 = llvm.zext nneg %i : i32 to i64
  %3 = llvm.trunc %i : i32 to i8
  %4 = llvm.trunc %i overflow<nsw, nuw> : i32 to i8
  %5 = llvm.fpext %f : f32 to f64
  %6 = llvm.fptrunc %f : f32 to f16
  %7 = llvm.sitofp %i : i32 to f32
  %8 = llvm.uitofp %i : i32 to f32
  %9 = llvm.uitofp nneg %i : i32 to f32
  %10 = llvm.fptosi %f : f32 to i32
  %11 = llvm.fptoui %f : f32 to i32
  %12 = llvm.bitcast %i : i32 to f32
  %13 = llvm.ptrtoint %p : !llvm.ptr to i64
  %14 = llvm.inttoptr %l : i64 to !llvm.ptr
  %15 = llvm.inttoptr %l dereferenceable<bytes = 8> : i64 to !llvm.ptr
  %16 = llvm.inttoptr %l dereferenceable<bytes = 8, mayBeNull = true> : i64 to !llvm.ptr
  %17 = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
  %18 = llvm.freeze %i : i32
  llvm.return
}

// CHECK-NEXT:   llvm.func @aggregates(%arg0: i32, %arg1: f32, %arg2: vector<4xf32>, %arg3: !llvm.struct<(i32, array<2 x f32>)>) {
// CHECK-NEXT:     %0 = llvm.mlir.undef : !llvm.struct<(i32, array<2 x f32>)>
// CHECK-NEXT:     %1 = llvm.mlir.poison : i32
// CHECK-NEXT:     %2 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %3 = llvm.mlir.none : !llvm.token
// CHECK-NEXT:     %4 = llvm.insertvalue %arg0, %arg3[0] : !llvm.struct<(i32, array<2 x f32>)> 
// CHECK-NEXT:     %5 = llvm.insertvalue %arg1, %arg3[1, 1] : !llvm.struct<(i32, array<2 x f32>)> 
// CHECK-NEXT:     %6 = llvm.extractvalue %arg3[0] : !llvm.struct<(i32, array<2 x f32>)> 
// CHECK-NEXT:     %7 = llvm.extractvalue %arg3[1, 0] : !llvm.struct<(i32, array<2 x f32>)> 
// CHECK-NEXT:     %8 = llvm.insertelement %arg1, %arg2[%arg0 : i32] : vector<4xf32>
// CHECK-NEXT:     %9 = llvm.extractelement %arg2[%arg0 : i32] : vector<4xf32>
// CHECK-NEXT:     %10 = llvm.shufflevector %arg2, %arg2 [0, 4, 1, 5] : vector<4xf32> 
// CHECK-NEXT:     %11 = llvm.shufflevector %arg2, %arg2 [3, -1] : vector<4xf32> 
// CHECK-NEXT:     %12 = llvm.mlir.constant(42 : i32) : i32
// CHECK-NEXT:     %13 = llvm.mlir.constant(1.500000e+00 : f32) : f32
// CHECK-NEXT:     %14 = llvm.mlir.constant(dense<1> : vector<4xi32>) : vector<4xi32>
// CHECK-NEXT:     %15 = llvm.mlir.constant("text") : !llvm.array<4 x i8>
// CHECK-NEXT:     %16 = llvm.mlir.constant([1 : i32, 2 : i32]) : !llvm.struct<(i32, i32)>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @aggregates(%i: i32, %f: f32, %v: vector<4xf32>, %s: !llvm.struct<(i32, array<2 x f32>)>) {
  %0 = llvm.mlir.undef : !llvm.struct<(i32, array<2 x f32>)>
  %1 = llvm.mlir.poison : i32
  %2 = llvm.mlir.zero : !llvm.ptr
  %3 = llvm.mlir.none : !llvm.token
  %4 = llvm.insertvalue %i, %s[0] : !llvm.struct<(i32, array<2 x f32>)>
  %5 = llvm.insertvalue %f, %s[1, 1] : !llvm.struct<(i32, array<2 x f32>)>
  %6 = llvm.extractvalue %s[0] : !llvm.struct<(i32, array<2 x f32>)>
  %7 = llvm.extractvalue %s[1, 0] : !llvm.struct<(i32, array<2 x f32>)>
  %8 = llvm.insertelement %f, %v[%i : i32] : vector<4xf32>
  %9 = llvm.extractelement %v[%i : i32] : vector<4xf32>
  %10 = llvm.shufflevector %v, %v [0, 4, 1, 5] : vector<4xf32>
  %11 = llvm.shufflevector %v, %v [3, -1] : vector<4xf32>
  %12 = llvm.mlir.constant(42 : i32) : i32
  %13 = llvm.mlir.constant(1.5 : f32) : f32
  %14 = llvm.mlir.constant(dense<1> : vector<4xi32>) : vector<4xi32>
  %15 = llvm.mlir.constant("text") : !llvm.array<4 x i8>
  %16 = llvm.mlir.constant([1 : i32, 2 : i32]) : !llvm.struct<(i32, i32)>
  llvm.return
}

// CHECK-NEXT:   llvm.func @memory(%arg0: !llvm.ptr, %arg1: i32, %arg2: f32) {
// CHECK-NEXT:     %0 = llvm.load %arg0 : !llvm.ptr -> i32
// CHECK-NEXT:     %1 = llvm.load volatile %arg0 : !llvm.ptr -> i32
// CHECK-NEXT:     %2 = llvm.load %arg0 {alignment = 4 : i64, nontemporal} : !llvm.ptr -> i32
// CHECK-NEXT:     %3 = llvm.load %arg0 invariant : !llvm.ptr -> i32
// CHECK-NEXT:     %4 = llvm.load %arg0 invariant_group : !llvm.ptr -> i32
// CHECK-NEXT:     %5 = llvm.load %arg0 dereferenceable<bytes = 8> : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:     %6 = llvm.load %arg0 atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NEXT:     %7 = llvm.load %arg0 atomic syncscope("block") seq_cst {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT:     %8 = llvm.load %arg0 atomic unordered {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:     llvm.store %arg1, %arg0 : i32, !llvm.ptr
// CHECK-NEXT:     llvm.store volatile %arg1, %arg0 {alignment = 4 : i64, nontemporal} : i32, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg1, %arg0 invariant_group : i32, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg2, %arg0 atomic release {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT:     llvm.store %arg1, %arg0 atomic syncscope("agent") monotonic {alignment = 4 : i64} : i32, !llvm.ptr
// CHECK-NEXT:     %9 = llvm.alloca %arg1 x f32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %10 = llvm.alloca inalloca %arg1 x i32 {alignment = 16 : i64} : (i32) -> !llvm.ptr<5>
// CHECK-NEXT:     %11 = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:     %12 = llvm.getelementptr inbounds %arg0[0, 1, %arg1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, array<2 x f32>)>
// CHECK-NEXT:     %13 = llvm.getelementptr inbounds|nuw %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:     %14 = llvm.getelementptr nusw|nuw %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @memory(%p: !llvm.ptr, %i: i32, %f: f32) {
  %0 = llvm.load %p : !llvm.ptr -> i32
  %1 = llvm.load volatile %p : !llvm.ptr -> i32
  %2 = llvm.load %p {alignment = 4 : i64, nontemporal} : !llvm.ptr -> i32
  %3 = llvm.load %p invariant : !llvm.ptr -> i32
  %4 = llvm.load %p invariant_group : !llvm.ptr -> i32
  %5 = llvm.load %p dereferenceable<bytes = 8> : !llvm.ptr -> !llvm.ptr
  %6 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %7 = llvm.load %p atomic syncscope("block") seq_cst {alignment = 4 : i64} : !llvm.ptr -> f32
  %8 = llvm.load %p atomic unordered {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  llvm.store %i, %p : i32, !llvm.ptr
  llvm.store volatile %i, %p {alignment = 4 : i64, nontemporal} : i32, !llvm.ptr
  llvm.store %i, %p invariant_group : i32, !llvm.ptr
  llvm.store %f, %p atomic release {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.store %i, %p atomic syncscope("agent") monotonic {alignment = 4 : i64} : i32, !llvm.ptr
  %9 = llvm.alloca %i x f32 : (i32) -> !llvm.ptr
  %10 = llvm.alloca inalloca %i x i32 {alignment = 16 : i64} : (i32) -> !llvm.ptr<5>
  %11 = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %12 = llvm.getelementptr inbounds %p[0, 1, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, array<2 x f32>)>
  %13 = llvm.getelementptr inbounds|nuw %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  %14 = llvm.getelementptr nusw|nuw %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return
}

// CHECK-NEXT:   llvm.func @atomics(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: f32) {
// CHECK-NEXT:     %0 = llvm.atomicrmw xchg %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %1 = llvm.atomicrmw add %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %2 = llvm.atomicrmw sub %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %3 = llvm.atomicrmw _and %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %4 = llvm.atomicrmw nand %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %5 = llvm.atomicrmw _or %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %6 = llvm.atomicrmw _xor %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %7 = llvm.atomicrmw max %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %8 = llvm.atomicrmw min %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %9 = llvm.atomicrmw umax %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %10 = llvm.atomicrmw umin %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %11 = llvm.atomicrmw uinc_wrap %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %12 = llvm.atomicrmw udec_wrap %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %13 = llvm.atomicrmw usub_cond %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %14 = llvm.atomicrmw usub_sat %arg0, %arg2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %15 = llvm.atomicrmw fadd %arg0, %arg3 acq_rel : !llvm.ptr, f32
// CHECK-NEXT:     %16 = llvm.atomicrmw fsub %arg0, %arg3 acq_rel : !llvm.ptr, f32
// CHECK-NEXT:     %17 = llvm.atomicrmw fmax %arg0, %arg3 acq_rel : !llvm.ptr, f32
// CHECK-NEXT:     %18 = llvm.atomicrmw fmin %arg0, %arg3 acq_rel : !llvm.ptr, f32
// CHECK-NEXT:     %19 = llvm.atomicrmw fmaximum %arg0, %arg3 acq_rel : !llvm.ptr, f32
// CHECK-NEXT:     %20 = llvm.atomicrmw fminimum %arg0, %arg3 acq_rel : !llvm.ptr, f32
// CHECK-NEXT:     %21 = llvm.atomicrmw volatile add %arg0, %arg2 syncscope("agent") seq_cst {alignment = 4 : i64} : !llvm.ptr, i32
// CHECK-NEXT:     %22 = llvm.atomicrmw xchg %arg0, %arg1 acquire : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     %23 = llvm.cmpxchg %arg0, %arg2, %arg2 acq_rel monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %24 = llvm.cmpxchg weak volatile %arg0, %arg2, %arg2 syncscope("block") seq_cst acquire {alignment = 4 : i64} : !llvm.ptr, i32
// CHECK-NEXT:     llvm.fence acquire
// CHECK-NEXT:     llvm.fence syncscope("agent") seq_cst
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @atomics(%p: !llvm.ptr, %q: !llvm.ptr, %i: i32, %f: f32) {
  %0 = llvm.atomicrmw xchg %p, %i monotonic : !llvm.ptr, i32
  %1 = llvm.atomicrmw add %p, %i monotonic : !llvm.ptr, i32
  %2 = llvm.atomicrmw sub %p, %i monotonic : !llvm.ptr, i32
  %3 = llvm.atomicrmw _and %p, %i monotonic : !llvm.ptr, i32
  %4 = llvm.atomicrmw nand %p, %i monotonic : !llvm.ptr, i32
  %5 = llvm.atomicrmw _or %p, %i monotonic : !llvm.ptr, i32
  %6 = llvm.atomicrmw _xor %p, %i monotonic : !llvm.ptr, i32
  %7 = llvm.atomicrmw max %p, %i monotonic : !llvm.ptr, i32
  %8 = llvm.atomicrmw min %p, %i monotonic : !llvm.ptr, i32
  %9 = llvm.atomicrmw umax %p, %i monotonic : !llvm.ptr, i32
  %10 = llvm.atomicrmw umin %p, %i monotonic : !llvm.ptr, i32
  %11 = llvm.atomicrmw uinc_wrap %p, %i monotonic : !llvm.ptr, i32
  %12 = llvm.atomicrmw udec_wrap %p, %i monotonic : !llvm.ptr, i32
  %13 = llvm.atomicrmw usub_cond %p, %i monotonic : !llvm.ptr, i32
  %14 = llvm.atomicrmw usub_sat %p, %i monotonic : !llvm.ptr, i32
  %15 = llvm.atomicrmw fadd %p, %f acq_rel : !llvm.ptr, f32
  %16 = llvm.atomicrmw fsub %p, %f acq_rel : !llvm.ptr, f32
  %17 = llvm.atomicrmw fmax %p, %f acq_rel : !llvm.ptr, f32
  %18 = llvm.atomicrmw fmin %p, %f acq_rel : !llvm.ptr, f32
  %19 = llvm.atomicrmw fmaximum %p, %f acq_rel : !llvm.ptr, f32
  %20 = llvm.atomicrmw fminimum %p, %f acq_rel : !llvm.ptr, f32
  %21 = llvm.atomicrmw volatile add %p, %i syncscope("agent") seq_cst {alignment = 4 : i64} : !llvm.ptr, i32
  %22 = llvm.atomicrmw xchg %p, %q acquire : !llvm.ptr, !llvm.ptr
  %23 = llvm.cmpxchg %p, %i, %i acq_rel monotonic : !llvm.ptr, i32
  %24 = llvm.cmpxchg weak volatile %p, %i, %i syncscope("block") seq_cst acquire {alignment = 4 : i64} : !llvm.ptr, i32
  llvm.fence acquire
  llvm.fence syncscope("agent") seq_cst
  llvm.return
}

// CHECK-NEXT:   llvm.func @assembly(%arg0: i32) {
// CHECK-NEXT:     llvm.inline_asm has_side_effects "bar.sync 0;", ""  : () -> ()
// CHECK-NEXT:     %0 = llvm.inline_asm "add.s32 $0, $1, $2;", "=r,r,r" %arg0, %arg0 : (i32, i32) -> i32
// CHECK-NEXT:     %1 = llvm.inline_asm is_align_stack asm_dialect = intel "mov $0, $1", "=r,r" %arg0 : (i32) -> i32
// CHECK-NEXT:     %2 = llvm.inline_asm has_side_effects asm_dialect = att operand_attrs = [] "nop", "=r,=r"  : () -> !llvm.struct<(i32, i32)>
// CHECK-NEXT:     %3 = llvm.inline_asm tail_call_kind = <tail> "nop", "=r"  : () -> i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @assembly(%i: i32) {
  llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
  %0 = llvm.inline_asm "add.s32 $0, $1, $2;", "=r,r,r" %i, %i : (i32, i32) -> i32
  %1 = llvm.inline_asm is_align_stack asm_dialect = intel "mov $0, $1", "=r,r" %i : (i32) -> i32
  %2 = llvm.inline_asm has_side_effects asm_dialect = att operand_attrs = [] "nop", "=r,=r" : () -> !llvm.struct<(i32, i32)>
  %3 = llvm.inline_asm tail_call_kind = <tail> "nop", "=r" : () -> i32
  llvm.return
}
