// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Intrinsics on vectors: reductions, masks, matrices, and those with an explicit length.

// CHECK: module {
// CHECK-NEXT:   llvm.func @vectors(%arg0: vector<4xi32>, %arg1: vector<4xf32>, %arg2: vector<[4]xf32>, %arg3: f32, %arg4: i64) {
// CHECK-NEXT:     %0 = "llvm.intr.vector.reduce.add"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %1 = "llvm.intr.vector.reduce.and"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %2 = "llvm.intr.vector.reduce.mul"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %3 = "llvm.intr.vector.reduce.or"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %4 = "llvm.intr.vector.reduce.smax"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %5 = "llvm.intr.vector.reduce.smin"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %6 = "llvm.intr.vector.reduce.umax"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %7 = "llvm.intr.vector.reduce.umin"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %8 = "llvm.intr.vector.reduce.xor"(%arg0) : (vector<4xi32>) -> i32
// CHECK-NEXT:     %9 = llvm.intr.vector.reduce.fmax(%arg1) : (vector<4xf32>) -> f32
// CHECK-NEXT:     %10 = llvm.intr.vector.reduce.fmax(%arg1) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
// CHECK-NEXT:     %11 = llvm.intr.vector.reduce.fmaximum(%arg1) : (vector<4xf32>) -> f32
// CHECK-NEXT:     %12 = llvm.intr.vector.reduce.fmaximum(%arg1) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
// CHECK-NEXT:     %13 = llvm.intr.vector.reduce.fmin(%arg1) : (vector<4xf32>) -> f32
// CHECK-NEXT:     %14 = llvm.intr.vector.reduce.fmin(%arg1) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
// CHECK-NEXT:     %15 = llvm.intr.vector.reduce.fminimum(%arg1) : (vector<4xf32>) -> f32
// CHECK-NEXT:     %16 = llvm.intr.vector.reduce.fminimum(%arg1) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
// CHECK-NEXT:     %17 = "llvm.intr.vector.reduce.fadd"(%arg3, %arg1) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
// CHECK-NEXT:     %18 = "llvm.intr.vector.reduce.fadd"(%arg3, %arg1) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
// CHECK-NEXT:     %19 = "llvm.intr.vector.reduce.fmul"(%arg3, %arg1) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
// CHECK-NEXT:     %20 = "llvm.intr.vector.reduce.fmul"(%arg3, %arg1) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
// CHECK-NEXT:     %21 = llvm.intr.vector.insert %arg1, %arg2[4] : vector<4xf32> into vector<[4]xf32>
// CHECK-NEXT:     %22 = llvm.intr.vector.extract %arg2[0] : vector<4xf32> from vector<[4]xf32>
// CHECK-NEXT:     %23 = "llvm.intr.vector.interleave2"(%arg1, %arg1) : (vector<4xf32>, vector<4xf32>) -> vector<8xf32>
// CHECK-NEXT:     %24 = "llvm.intr.vector.deinterleave2"(%arg1) : (vector<4xf32>) -> !llvm.struct<(vector<2xf32>, vector<2xf32>)>
// CHECK-NEXT:     %25 = llvm.intr.stepvector : vector<[4]xi32>
// CHECK-NEXT:     %26 = "llvm.intr.vscale"() : () -> i64
// CHECK-NEXT:     %27 = llvm.intr.get.active.lane.mask %arg4, %arg4 : i64, i64 to vector<4xi1>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @vectors(%v: vector<4xi32>, %w: vector<4xf32>, %sv: vector<[4]xf32>, %f: f32, %l: i64) {
  %0 = "llvm.intr.vector.reduce.add"(%v) : (vector<4xi32>) -> i32
  %1 = "llvm.intr.vector.reduce.and"(%v) : (vector<4xi32>) -> i32
  %2 = "llvm.intr.vector.reduce.mul"(%v) : (vector<4xi32>) -> i32
  %3 = "llvm.intr.vector.reduce.or"(%v) : (vector<4xi32>) -> i32
  %4 = "llvm.intr.vector.reduce.smax"(%v) : (vector<4xi32>) -> i32
  %5 = "llvm.intr.vector.reduce.smin"(%v) : (vector<4xi32>) -> i32
  %6 = "llvm.intr.vector.reduce.umax"(%v) : (vector<4xi32>) -> i32
  %7 = "llvm.intr.vector.reduce.umin"(%v) : (vector<4xi32>) -> i32
  %8 = "llvm.intr.vector.reduce.xor"(%v) : (vector<4xi32>) -> i32
  %9 = llvm.intr.vector.reduce.fmax(%w) : (vector<4xf32>) -> f32
  %10 = llvm.intr.vector.reduce.fmax(%w) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
  %11 = llvm.intr.vector.reduce.fmaximum(%w) : (vector<4xf32>) -> f32
  %12 = llvm.intr.vector.reduce.fmaximum(%w) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
  %13 = llvm.intr.vector.reduce.fmin(%w) : (vector<4xf32>) -> f32
  %14 = llvm.intr.vector.reduce.fmin(%w) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
  %15 = llvm.intr.vector.reduce.fminimum(%w) : (vector<4xf32>) -> f32
  %16 = llvm.intr.vector.reduce.fminimum(%w) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
  %17 = "llvm.intr.vector.reduce.fadd"(%f, %w) : (f32, vector<4xf32>) -> f32
  %18 = "llvm.intr.vector.reduce.fadd"(%f, %w) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  %19 = "llvm.intr.vector.reduce.fmul"(%f, %w) : (f32, vector<4xf32>) -> f32
  %20 = "llvm.intr.vector.reduce.fmul"(%f, %w) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  %21 = llvm.intr.vector.insert %w, %sv[4] : vector<4xf32> into vector<[4]xf32>
  %22 = llvm.intr.vector.extract %sv[0] : vector<4xf32> from vector<[4]xf32>
  %23 = "llvm.intr.vector.interleave2"(%w, %w) : (vector<4xf32>, vector<4xf32>) -> vector<8xf32>
  %24 = "llvm.intr.vector.deinterleave2"(%w) : (vector<4xf32>) -> !llvm.struct<(vector<2xf32>, vector<2xf32>)>
  %25 = llvm.intr.stepvector : vector<[4]xi32>
  %26 = "llvm.intr.vscale"() : () -> i64
  %27 = llvm.intr.get.active.lane.mask %l, %l : i64, i64 to vector<4xi1>
  llvm.return
}

// CHECK-NEXT:   llvm.func @masked(%arg0: !llvm.ptr, %arg1: vector<4x!llvm.ptr>, %arg2: vector<4xi1>, %arg3: vector<4xf32>) {
// CHECK-NEXT:     %0 = llvm.intr.masked.load %arg0, %arg2 {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>) -> vector<4xf32>
// CHECK-NEXT:     %1 = llvm.intr.masked.load %arg0, %arg2, %arg3 {alignment = 4 : i32, nontemporal} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     llvm.intr.masked.store %arg3, %arg0, %arg2 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
// CHECK-NEXT:     %2 = llvm.intr.masked.gather %arg1, %arg2 {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>) -> vector<4xf32>
// CHECK-NEXT:     %3 = llvm.intr.masked.gather %arg1, %arg2, %arg3 {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     llvm.intr.masked.scatter %arg3, %arg1, %arg2 {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
// CHECK-NEXT:     %4 = "llvm.intr.masked.expandload"(%arg0, %arg2, %arg3) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     "llvm.intr.masked.compressstore"(%arg3, %arg0, %arg2) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @masked(%p: !llvm.ptr, %ps: vector<4x!llvm.ptr>, %m: vector<4xi1>, %w: vector<4xf32>) {
  %0 = llvm.intr.masked.load %p, %m {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>) -> vector<4xf32>
  %1 = llvm.intr.masked.load %p, %m, %w {alignment = 4 : i32, nontemporal} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.store %w, %p, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  %2 = llvm.intr.masked.gather %ps, %m {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>) -> vector<4xf32>
  %3 = llvm.intr.masked.gather %ps, %m, %w {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.scatter %w, %ps, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
  %4 = "llvm.intr.masked.expandload"(%p, %m, %w) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  "llvm.intr.masked.compressstore"(%w, %p, %m) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
  llvm.return
}

// CHECK-NEXT:   llvm.func @matrices(%arg0: !llvm.ptr, %arg1: vector<4xf32>, %arg2: i64) {
// CHECK-NEXT:     %0 = llvm.intr.matrix.multiply %arg1, %arg1 {lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     %1 = llvm.intr.matrix.transpose %arg1 {columns = 2 : i32, rows = 2 : i32} : vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     %2 = llvm.intr.matrix.column.major.load %arg0, <stride = %arg2> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xf32> from !llvm.ptr stride i64
// CHECK-NEXT:     llvm.intr.matrix.column.major.store %arg1, %arg0, <stride = %arg2> {columns = 2 : i32, isVolatile = true, rows = 2 : i32} : vector<4xf32> to !llvm.ptr stride i64
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @matrices(%p: !llvm.ptr, %w: vector<4xf32>, %l: i64) {
  %0 = llvm.intr.matrix.multiply %w, %w {lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  %1 = llvm.intr.matrix.transpose %w {columns = 2 : i32, rows = 2 : i32} : vector<4xf32> into vector<4xf32>
  %2 = llvm.intr.matrix.column.major.load %p, <stride = %l> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xf32> from !llvm.ptr stride i64
  llvm.intr.matrix.column.major.store %w, %p, <stride = %l> {columns = 2 : i32, isVolatile = true, rows = 2 : i32} : vector<4xf32> to !llvm.ptr stride i64
  llvm.return
}

// CHECK-NEXT:   llvm.func @explicit_length(%arg0: !llvm.ptr, %arg1: vector<4x!llvm.ptr>, %arg2: vector<4xi32>, %arg3: vector<4xf32>, %arg4: vector<4xi1>, %arg5: i32, %arg6: f32) {
// CHECK-NEXT:     %0 = "llvm.intr.vp.add"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %1 = "llvm.intr.vp.and"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %2 = "llvm.intr.vp.ashr"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %3 = "llvm.intr.vp.lshr"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %4 = "llvm.intr.vp.mul"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %5 = "llvm.intr.vp.or"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %6 = "llvm.intr.vp.sdiv"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %7 = "llvm.intr.vp.shl"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %8 = "llvm.intr.vp.smax"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %9 = "llvm.intr.vp.smin"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %10 = "llvm.intr.vp.srem"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %11 = "llvm.intr.vp.sub"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %12 = "llvm.intr.vp.udiv"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %13 = "llvm.intr.vp.umax"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %14 = "llvm.intr.vp.umin"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %15 = "llvm.intr.vp.urem"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %16 = "llvm.intr.vp.xor"(%arg2, %arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %17 = "llvm.intr.vp.fadd"(%arg3, %arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %18 = "llvm.intr.vp.fdiv"(%arg3, %arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %19 = "llvm.intr.vp.fmul"(%arg3, %arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %20 = "llvm.intr.vp.frem"(%arg3, %arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %21 = "llvm.intr.vp.fsub"(%arg3, %arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %22 = "llvm.intr.vp.fma"(%arg3, %arg3, %arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %23 = "llvm.intr.vp.fmuladd"(%arg3, %arg3, %arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %24 = "llvm.intr.vp.fneg"(%arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %25 = "llvm.intr.vp.fpext"(%arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf64>
// CHECK-NEXT:     %26 = "llvm.intr.vp.fptrunc"(%arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf16>
// CHECK-NEXT:     %27 = "llvm.intr.vp.fptosi"(%arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %28 = "llvm.intr.vp.fptoui"(%arg3, %arg4, %arg5) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     %29 = "llvm.intr.vp.sitofp"(%arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %30 = "llvm.intr.vp.uitofp"(%arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xf32>
// CHECK-NEXT:     %31 = "llvm.intr.vp.sext"(%arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi64>
// CHECK-NEXT:     %32 = "llvm.intr.vp.zext"(%arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi64>
// CHECK-NEXT:     %33 = "llvm.intr.vp.trunc"(%arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi8>
// CHECK-NEXT:     %34 = "llvm.intr.vp.inttoptr"(%arg2, %arg4, %arg5) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4x!llvm.ptr>
// CHECK-NEXT:     %35 = "llvm.intr.vp.ptrtoint"(%arg1, %arg4, %arg5) : (vector<4x!llvm.ptr>, vector<4xi1>, i32) -> vector<4xi64>
// CHECK-NEXT:     %36 = "llvm.intr.vp.merge"(%arg4, %arg2, %arg2, %arg5) : (vector<4xi1>, vector<4xi32>, vector<4xi32>, i32) -> vector<4xi32>
// CHECK-NEXT:     %37 = "llvm.intr.vp.select"(%arg4, %arg2, %arg2, %arg5) : (vector<4xi1>, vector<4xi32>, vector<4xi32>, i32) -> vector<4xi32>
// CHECK-NEXT:     %38 = "llvm.intr.vp.reduce.add"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %39 = "llvm.intr.vp.reduce.and"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %40 = "llvm.intr.vp.reduce.mul"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %41 = "llvm.intr.vp.reduce.or"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %42 = "llvm.intr.vp.reduce.smax"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %43 = "llvm.intr.vp.reduce.smin"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %44 = "llvm.intr.vp.reduce.umax"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %45 = "llvm.intr.vp.reduce.umin"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %46 = "llvm.intr.vp.reduce.xor"(%arg5, %arg2, %arg4, %arg5) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
// CHECK-NEXT:     %47 = "llvm.intr.vp.reduce.fadd"(%arg6, %arg3, %arg4, %arg5) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
// CHECK-NEXT:     %48 = "llvm.intr.vp.reduce.fmax"(%arg6, %arg3, %arg4, %arg5) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
// CHECK-NEXT:     %49 = "llvm.intr.vp.reduce.fmin"(%arg6, %arg3, %arg4, %arg5) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
// CHECK-NEXT:     %50 = "llvm.intr.vp.reduce.fmul"(%arg6, %arg3, %arg4, %arg5) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
// CHECK-NEXT:     %51 = "llvm.intr.vp.load"(%arg0, %arg4, %arg5) : (!llvm.ptr, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     "llvm.intr.vp.store"(%arg2, %arg0, %arg4, %arg5) : (vector<4xi32>, !llvm.ptr, vector<4xi1>, i32) -> ()
// CHECK-NEXT:     %52 = "llvm.intr.experimental.vp.strided.load"(%arg0, %arg5, %arg4, %arg5) : (!llvm.ptr, i32, vector<4xi1>, i32) -> vector<4xi32>
// CHECK-NEXT:     "llvm.intr.experimental.vp.strided.store"(%arg2, %arg0, %arg5, %arg4, %arg5) : (vector<4xi32>, !llvm.ptr, i32, vector<4xi1>, i32) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @explicit_length(%p: !llvm.ptr, %ps: vector<4x!llvm.ptr>, %v: vector<4xi32>, %w: vector<4xf32>, %m: vector<4xi1>, %i: i32, %f: f32) {
  %0 = "llvm.intr.vp.add"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %1 = "llvm.intr.vp.and"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %2 = "llvm.intr.vp.ashr"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %3 = "llvm.intr.vp.lshr"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %4 = "llvm.intr.vp.mul"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %5 = "llvm.intr.vp.or"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %6 = "llvm.intr.vp.sdiv"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %7 = "llvm.intr.vp.shl"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %8 = "llvm.intr.vp.smax"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %9 = "llvm.intr.vp.smin"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %10 = "llvm.intr.vp.srem"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %11 = "llvm.intr.vp.sub"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %12 = "llvm.intr.vp.udiv"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %13 = "llvm.intr.vp.umax"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %14 = "llvm.intr.vp.umin"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %15 = "llvm.intr.vp.urem"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %16 = "llvm.intr.vp.xor"(%v, %v, %m, %i) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %17 = "llvm.intr.vp.fadd"(%w, %w, %m, %i) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %18 = "llvm.intr.vp.fdiv"(%w, %w, %m, %i) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %19 = "llvm.intr.vp.fmul"(%w, %w, %m, %i) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %20 = "llvm.intr.vp.frem"(%w, %w, %m, %i) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %21 = "llvm.intr.vp.fsub"(%w, %w, %m, %i) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %22 = "llvm.intr.vp.fma"(%w, %w, %w, %m, %i) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %23 = "llvm.intr.vp.fmuladd"(%w, %w, %w, %m, %i) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %24 = "llvm.intr.vp.fneg"(%w, %m, %i) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %25 = "llvm.intr.vp.fpext"(%w, %m, %i) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf64>
  %26 = "llvm.intr.vp.fptrunc"(%w, %m, %i) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf16>
  %27 = "llvm.intr.vp.fptosi"(%w, %m, %i) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xi32>
  %28 = "llvm.intr.vp.fptoui"(%w, %m, %i) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xi32>
  %29 = "llvm.intr.vp.sitofp"(%v, %m, %i) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xf32>
  %30 = "llvm.intr.vp.uitofp"(%v, %m, %i) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xf32>
  %31 = "llvm.intr.vp.sext"(%v, %m, %i) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi64>
  %32 = "llvm.intr.vp.zext"(%v, %m, %i) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi64>
  %33 = "llvm.intr.vp.trunc"(%v, %m, %i) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi8>
  %34 = "llvm.intr.vp.inttoptr"(%v, %m, %i) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4x!llvm.ptr>
  %35 = "llvm.intr.vp.ptrtoint"(%ps, %m, %i) : (vector<4x!llvm.ptr>, vector<4xi1>, i32) -> vector<4xi64>
  %36 = "llvm.intr.vp.merge"(%m, %v, %v, %i) : (vector<4xi1>, vector<4xi32>, vector<4xi32>, i32) -> vector<4xi32>
  %37 = "llvm.intr.vp.select"(%m, %v, %v, %i) : (vector<4xi1>, vector<4xi32>, vector<4xi32>, i32) -> vector<4xi32>
  %38 = "llvm.intr.vp.reduce.add"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %39 = "llvm.intr.vp.reduce.and"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %40 = "llvm.intr.vp.reduce.mul"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %41 = "llvm.intr.vp.reduce.or"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %42 = "llvm.intr.vp.reduce.smax"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %43 = "llvm.intr.vp.reduce.smin"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %44 = "llvm.intr.vp.reduce.umax"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %45 = "llvm.intr.vp.reduce.umin"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %46 = "llvm.intr.vp.reduce.xor"(%i, %v, %m, %i) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  %47 = "llvm.intr.vp.reduce.fadd"(%f, %w, %m, %i) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
  %48 = "llvm.intr.vp.reduce.fmax"(%f, %w, %m, %i) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
  %49 = "llvm.intr.vp.reduce.fmin"(%f, %w, %m, %i) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
  %50 = "llvm.intr.vp.reduce.fmul"(%f, %w, %m, %i) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
  %51 = "llvm.intr.vp.load"(%p, %m, %i) : (!llvm.ptr, vector<4xi1>, i32) -> vector<4xi32>
  "llvm.intr.vp.store"(%v, %p, %m, %i) : (vector<4xi32>, !llvm.ptr, vector<4xi1>, i32) -> ()
  %52 = "llvm.intr.experimental.vp.strided.load"(%p, %i, %m, %i) : (!llvm.ptr, i32, vector<4xi1>, i32) -> vector<4xi32>
  "llvm.intr.experimental.vp.strided.store"(%v, %p, %i, %m, %i) : (vector<4xi32>, !llvm.ptr, i32, vector<4xi1>, i32) -> ()
  llvm.return
}
