// RUN: xgpu-opt %s "--pass-pipeline=builtin.module(canonicalize,cse,loop-invariant-code-motion,convert-linalg-to-loops,convert-scf-to-cf,convert-cf-to-llvm{index-bitwidth=64},fold-memref-alias-ops,lower-affine,finalize-memref-to-llvm,convert-arith-to-llvm{index-bitwidth=64},convert-func-to-llvm,math-uplift-to-fma,convert-math-to-llvm,convert-math-to-funcs,fold-memref-alias-ops,lower-affine,finalize-memref-to-llvm,reconcile-unrealized-casts)" | filecheck %s --match-full-lines

// What ftn makes of a small Fortran program: memory behind a memref of memrefs, a matrix
// product as a Linalg operation, a power of integers.

func.func @multiply(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

func.func @power(%base: i32, %exponent: i32, %x: f32, %y: f32) -> (i32, f32) {
  %0 = math.ipowi %base, %exponent : i32
  %1 = arith.mulf %x, %y fastmath<fast> : f32
  %2 = arith.addf %1, %x fastmath<fast> : f32
  return %0, %2 : i32, f32
}

func.func @sum(%n: index, %row: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.000000e+00 : f64
  %array = memref.alloc(%n, %n) : memref<?x?xf64>
  %slice = memref.subview %array[%row, 0] [1, %n] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %zero) -> f64 {
    %more = arith.cmpi sgt, %i, %row : index
    %next = scf.if %more -> f64 {
      %value = memref.load %slice[%i] : memref<?xf64, strided<[1], offset: ?>>
      %root = math.sqrt %value : f64
      %added = arith.addf %so_far, %root : f64
      scf.yield %added : f64
    } else {
      scf.yield %so_far : f64
    }
    scf.yield %next : f64
  }
  memref.dealloc %array : memref<?x?xf64>
  return %sum : f64
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @free(!llvm.ptr)
// CHECK-NEXT:   llvm.func @malloc(i64) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @multiply(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64, %arg7: !llvm.ptr, %arg8: !llvm.ptr, %arg9: i64, %arg10: i64, %arg11: i64, %arg12: i64, %arg13: i64, %arg14: !llvm.ptr, %arg15: !llvm.ptr, %arg16: i64, %arg17: i64, %arg18: i64, %arg19: i64, %arg20: i64) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %1 = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK-NEXT:     %2 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     llvm.br ^bb1(%0 : i64)
// CHECK-NEXT:   ^bb1(%3: i64):  // 2 preds: ^bb0, ^bb5
// CHECK-NEXT:     %4 = llvm.icmp "slt" %3, %arg17 : i64
// CHECK-NEXT:     llvm.cond_br %4, ^bb2, ^bb6
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     llvm.br ^bb3(%0 : i64)
// CHECK-NEXT:   ^bb3(%5: i64):  // 2 preds: ^bb2, ^bb4
// CHECK-NEXT:     %6 = llvm.icmp "slt" %5, %arg18 : i64
// CHECK-NEXT:     llvm.cond_br %6, ^bb4, ^bb5
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     %7 = llvm.mul %3, %arg19 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %8 = llvm.add %7, %5 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %9 = llvm.getelementptr inbounds|nuw %arg15[%8] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     llvm.store %1, %9 : f32, !llvm.ptr
// CHECK-NEXT:     %10 = llvm.add %5, %2 : i64
// CHECK-NEXT:     llvm.br ^bb3(%10 : i64)
// CHECK-NEXT:   ^bb5:  // pred: ^bb3
// CHECK-NEXT:     %11 = llvm.add %3, %2 : i64
// CHECK-NEXT:     llvm.br ^bb1(%11 : i64)
// CHECK-NEXT:   ^bb6:  // pred: ^bb1
// CHECK-NEXT:     llvm.br ^bb7(%0 : i64)
// CHECK-NEXT:   ^bb7(%12: i64):  // 2 preds: ^bb6, ^bb14
// CHECK-NEXT:     %13 = llvm.icmp "slt" %12, %arg3 : i64
// CHECK-NEXT:     llvm.cond_br %13, ^bb8, ^bb15
// CHECK-NEXT:   ^bb8:  // pred: ^bb7
// CHECK-NEXT:     llvm.br ^bb9(%0 : i64)
// CHECK-NEXT:   ^bb9(%14: i64):  // 2 preds: ^bb8, ^bb13
// CHECK-NEXT:     %15 = llvm.icmp "slt" %14, %arg11 : i64
// CHECK-NEXT:     llvm.cond_br %15, ^bb10, ^bb14
// CHECK-NEXT:   ^bb10:  // pred: ^bb9
// CHECK-NEXT:     llvm.br ^bb11(%0 : i64)
// CHECK-NEXT:   ^bb11(%16: i64):  // 2 preds: ^bb10, ^bb12
// CHECK-NEXT:     %17 = llvm.icmp "slt" %16, %arg4 : i64
// CHECK-NEXT:     llvm.cond_br %17, ^bb12, ^bb13
// CHECK-NEXT:   ^bb12:  // pred: ^bb11
// CHECK-NEXT:     %18 = llvm.mul %12, %arg5 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %19 = llvm.add %18, %16 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %20 = llvm.getelementptr inbounds|nuw %arg1[%19] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %21 = llvm.load %20 : !llvm.ptr -> f32
// CHECK-NEXT:     %22 = llvm.mul %16, %arg12 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %23 = llvm.add %22, %14 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %24 = llvm.getelementptr inbounds|nuw %arg8[%23] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %25 = llvm.load %24 : !llvm.ptr -> f32
// CHECK-NEXT:     %26 = llvm.mul %12, %arg19 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %27 = llvm.add %26, %14 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %28 = llvm.getelementptr inbounds|nuw %arg15[%27] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %29 = llvm.load %28 : !llvm.ptr -> f32
// CHECK-NEXT:     %30 = llvm.fmul %21, %25 : f32
// CHECK-NEXT:     %31 = llvm.fadd %29, %30 : f32
// CHECK-NEXT:     %32 = llvm.mul %12, %arg19 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %33 = llvm.add %32, %14 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %34 = llvm.getelementptr inbounds|nuw %arg15[%33] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     llvm.store %31, %34 : f32, !llvm.ptr
// CHECK-NEXT:     %35 = llvm.add %16, %2 : i64
// CHECK-NEXT:     llvm.br ^bb11(%35 : i64)
// CHECK-NEXT:   ^bb13:  // pred: ^bb11
// CHECK-NEXT:     %36 = llvm.add %14, %2 : i64
// CHECK-NEXT:     llvm.br ^bb9(%36 : i64)
// CHECK-NEXT:   ^bb14:  // pred: ^bb9
// CHECK-NEXT:     %37 = llvm.add %12, %2 : i64
// CHECK-NEXT:     llvm.br ^bb7(%37 : i64)
// CHECK-NEXT:   ^bb15:  // pred: ^bb7
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @power(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32) -> !llvm.struct<(i32, f32)> {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(i32, f32)>
// CHECK-NEXT:     %1 = func.call @__mlir_math_ipowi_i32(%arg0, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:     %2 = llvm.fmul %arg2, %arg3 {fastmathFlags = #llvm.fastmath<fast>} : f32
// CHECK-NEXT:     %3 = llvm.fadd %2, %arg2 {fastmathFlags = #llvm.fastmath<fast>} : f32
// CHECK-NEXT:     %4 = llvm.insertvalue %1, %0[0] : !llvm.struct<(i32, f32)>
// CHECK-NEXT:     %5 = llvm.insertvalue %3, %4[1] : !llvm.struct<(i32, f32)>
// CHECK-NEXT:     llvm.return %5 : !llvm.struct<(i32, f32)>
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @sum(%arg0: i64, %arg1: i64) -> f64 {
// CHECK-NEXT:     %0 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %1 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %2 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %3 = llvm.mlir.constant(0.000000e+00 : f64) : f64
// CHECK-NEXT:     %4 = llvm.mul %arg0, %arg0 : i64
// CHECK-NEXT:     %5 = llvm.getelementptr %0[%4] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK-NEXT:     %6 = llvm.ptrtoint %5 : !llvm.ptr to i64
// CHECK-NEXT:     %7 = llvm.call @malloc(%6) : (i64) -> !llvm.ptr
// CHECK-NEXT:     llvm.br ^bb1(%1, %3 : i64, f64)
// CHECK-NEXT:   ^bb1(%8: i64, %9: f64):  // 2 preds: ^bb0, ^bb6
// CHECK-NEXT:     %10 = llvm.icmp "slt" %8, %arg0 : i64
// CHECK-NEXT:     llvm.cond_br %10, ^bb2, ^bb7
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     %11 = llvm.icmp "sgt" %8, %arg1 : i64
// CHECK-NEXT:     llvm.cond_br %11, ^bb3, ^bb4
// CHECK-NEXT:   ^bb3:  // pred: ^bb2
// CHECK-NEXT:     %12 = llvm.mul %arg1, %arg0 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %13 = llvm.add %12, %8 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %14 = llvm.getelementptr inbounds|nuw %7[%13] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK-NEXT:     %15 = llvm.load %14 : !llvm.ptr -> f64
// CHECK-NEXT:     %16 = llvm.intr.sqrt(%15) : (f64) -> f64
// CHECK-NEXT:     %17 = llvm.fadd %9, %16 : f64
// CHECK-NEXT:     llvm.br ^bb5(%17 : f64)
// CHECK-NEXT:   ^bb4:  // pred: ^bb2
// CHECK-NEXT:     llvm.br ^bb5(%9 : f64)
// CHECK-NEXT:   ^bb5(%18: f64):  // 2 preds: ^bb3, ^bb4
// CHECK-NEXT:     llvm.br ^bb6
// CHECK-NEXT:   ^bb6:  // pred: ^bb5
// CHECK-NEXT:     %19 = llvm.add %8, %2 : i64
// CHECK-NEXT:     llvm.br ^bb1(%19, %18 : i64, f64)
// CHECK-NEXT:   ^bb7:  // pred: ^bb1
// CHECK-NEXT:     llvm.call @free(%7) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.return %9 : f64
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @__mlir_math_ipowi_i32(%arg0: i32, %arg1: i32) -> i32 attributes {llvm.linkage = #llvm.linkage<linkonce_odr>} {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT:     %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %0, ^bb1(%c1_i32 : i32), ^bb2
// CHECK-NEXT:   ^bb1(%1: i32):  // 6 preds: ^bb0, ^bb5, ^bb6, ^bb7, ^bb7, ^bb10
// CHECK-NEXT:     return %1 : i32
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %2 = arith.cmpi sle, %arg1, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %2, ^bb3, ^bb8(%c1_i32, %arg0, %arg1 : i32, i32, i32)
// CHECK-NEXT:   ^bb3:  // pred: ^bb2
// CHECK-NEXT:     %3 = arith.cmpi eq, %arg0, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %3, ^bb4, ^bb5
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     %4 = arith.divsi %c1_i32, %c0_i32 : i32
// CHECK-NEXT:     return %4 : i32
// CHECK-NEXT:   ^bb5:  // pred: ^bb3
// CHECK-NEXT:     %5 = arith.cmpi eq, %arg0, %c1_i32 : i32
// CHECK-NEXT:     cf.cond_br %5, ^bb1(%c1_i32 : i32), ^bb6
// CHECK-NEXT:   ^bb6:  // pred: ^bb5
// CHECK-NEXT:     %6 = arith.cmpi eq, %arg0, %c-1_i32 : i32
// CHECK-NEXT:     cf.cond_br %6, ^bb7, ^bb1(%c0_i32 : i32)
// CHECK-NEXT:   ^bb7:  // pred: ^bb6
// CHECK-NEXT:     %7 = arith.andi %arg1, %c1_i32 : i32
// CHECK-NEXT:     %8 = arith.cmpi ne, %7, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %8, ^bb1(%c-1_i32 : i32), ^bb1(%c1_i32 : i32)
// CHECK-NEXT:   ^bb8(%9: i32, %10: i32, %11: i32):  // 2 preds: ^bb2, ^bb11
// CHECK-NEXT:     %12 = arith.andi %11, %c1_i32 : i32
// CHECK-NEXT:     %13 = arith.cmpi ne, %12, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %13, ^bb9, ^bb10(%9 : i32)
// CHECK-NEXT:   ^bb9:  // pred: ^bb8
// CHECK-NEXT:     %14 = arith.muli %9, %10 : i32
// CHECK-NEXT:     cf.br ^bb10(%14 : i32)
// CHECK-NEXT:   ^bb10(%15: i32):  // 2 preds: ^bb8, ^bb9
// CHECK-NEXT:     %16 = arith.shrui %11, %c1_i32 : i32
// CHECK-NEXT:     %17 = arith.cmpi eq, %16, %c0_i32 : i32
// CHECK-NEXT:     cf.cond_br %17, ^bb1(%15 : i32), ^bb11
// CHECK-NEXT:   ^bb11:  // pred: ^bb10
// CHECK-NEXT:     %18 = arith.muli %10, %10 : i32
// CHECK-NEXT:     cf.br ^bb8(%15, %18, %16 : i32, i32, i32)
// CHECK-NEXT:   }
// CHECK-NEXT: }
