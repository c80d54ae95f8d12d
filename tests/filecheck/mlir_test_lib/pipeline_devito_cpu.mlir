// RUN: xgpu-opt %s "--pass-pipeline=builtin.module(canonicalize,cse,loop-invariant-code-motion,canonicalize,cse,loop-invariant-code-motion,cse,canonicalize,fold-memref-alias-ops,expand-strided-metadata,loop-invariant-code-motion,lower-affine,convert-scf-to-cf,convert-math-to-llvm,convert-func-to-llvm{use-bare-ptr-memref-call-conv},finalize-memref-to-llvm,canonicalize,cse)" | filecheck %s --match-full-lines

// A time step as Devito writes it: two buffers that change places, a stencil of three
// points within, taken through all of Devito's list for processors.

func.func @apply_kernel(%buffers: memref<2x68x68xf32>, %steps: index, %dt: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %half = arith.constant 5.000000e-01 : f32
  %minus_two = arith.constant -2 : i32
  %first = memref.subview %buffers[0, 0, 0] [1, 68, 68] [1, 1, 1] : memref<2x68x68xf32> to memref<68x68xf32, strided<[68, 1]>>
  %second = memref.subview %buffers[1, 0, 0] [1, 68, 68] [1, 1, 1] : memref<2x68x68xf32> to memref<68x68xf32, strided<[68, 1], offset: 4624>>
  %from = memref.cast %first : memref<68x68xf32, strided<[68, 1]>> to memref<68x68xf32, strided<[68, 1], offset: ?>>
  %into = memref.cast %second : memref<68x68xf32, strided<[68, 1], offset: 4624>> to memref<68x68xf32, strided<[68, 1], offset: ?>>
  %last:2 = scf.for %time = %c0 to %steps step %c1 iter_args(%old = %from, %new = %into) -> (memref<68x68xf32, strided<[68, 1], offset: ?>>, memref<68x68xf32, strided<[68, 1], offset: ?>>) {
    %inner = memref.subview %new[2, 2] [64, 64] [1, 1] : memref<68x68xf32, strided<[68, 1], offset: ?>> to memref<64x64xf32, strided<[68, 1], offset: ?>>
    scf.parallel (%x, %y) = (%c0, %c0) to (%c64, %c64) step (%c1, %c1) {
      %x2 = arith.addi %x, %c2 : index
      %y2 = arith.addi %y, %c2 : index
      %left = affine.apply affine_map<(d0) -> (d0 + 1)>(%x)
      %right = affine.apply affine_map<(d0) -> (d0 + 3)>(%x)
      %a = memref.load %old[%x2, %y2] : memref<68x68xf32, strided<[68, 1], offset: ?>>
      %b = memref.load %old[%left, %y2] : memref<68x68xf32, strided<[68, 1], offset: ?>>
      %c = memref.load %old[%right, %y2] : memref<68x68xf32, strided<[68, 1], offset: ?>>
      %scale = math.fpowi %dt, %minus_two : f32, i32
      %bc = arith.addf %b, %c : f32
      %mean = arith.mulf %bc, %half : f32
      %change = arith.subf %mean, %a : f32
      %scaled = arith.mulf %change, %scale : f32
      %result = arith.addf %a, %scaled : f32
      memref.store %result, %inner[%x, %y] : memref<64x64xf32, strided<[68, 1], offset: ?>>
      scf.reduce
    }
    scf.yield %new, %old : memref<68x68xf32, strided<[68, 1], offset: ?>>, memref<68x68xf32, strided<[68, 1], offset: ?>>
  }
  return
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @apply_kernel(%arg0: !llvm.ptr, %arg1: i64, %arg2: f32) {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %c-2_i32 = arith.constant -2 : i32
// CHECK-NEXT:     %cst = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %2 = llvm.mlir.constant(68 : index) : i64
// CHECK-NEXT:     %3 = llvm.mlir.constant(4624 : index) : i64
// CHECK-NEXT:     %4 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %5 = builtin.unrealized_conversion_cast %arg1 : i64 to index
// CHECK-NEXT:     %6 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %7 = llvm.insertvalue %arg0, %6[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %8 = llvm.insertvalue %4, %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %9 = llvm.insertvalue %2, %8[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %10 = llvm.insertvalue %2, %9[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %11 = llvm.insertvalue %2, %10[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %12 = llvm.insertvalue %1, %11[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %13 = builtin.unrealized_conversion_cast %12 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to memref<68x68xf32, strided<[68, 1], offset: ?>>
// CHECK-NEXT:     %14 = llvm.insertvalue %3, %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %15 = llvm.insertvalue %2, %14[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %16 = llvm.insertvalue %2, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %17 = llvm.insertvalue %2, %16[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %18 = llvm.insertvalue %1, %17[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %19 = builtin.unrealized_conversion_cast %18 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to memref<68x68xf32, strided<[68, 1], offset: ?>>
// CHECK-NEXT:     %20 = llvm.intr.powi(%arg2, %c-2_i32) : (f32, i32) -> f32
// CHECK-NEXT:     cf.br ^bb1(%c0, %13, %19 : index, memref<68x68xf32, strided<[68, 1], offset: ?>>, memref<68x68xf32, strided<[68, 1], offset: ?>>)
// CHECK-NEXT:   ^bb1(%21: index, %22: memref<68x68xf32, strided<[68, 1], offset: ?>>, %23: memref<68x68xf32, strided<[68, 1], offset: ?>>):  // 2 preds: ^bb0, ^bb6
// CHECK-NEXT:     %24 = builtin.unrealized_conversion_cast %23 : memref<68x68xf32, strided<[68, 1], offset: ?>> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %25 = builtin.unrealized_conversion_cast %22 : memref<68x68xf32, strided<[68, 1], offset: ?>> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %26 = arith.cmpi slt, %21, %5 : index
// CHECK-NEXT:     cf.cond_br %26, ^bb2(%c0 : index), ^bb7
// CHECK-NEXT:   ^bb2(%27: index):  // 2 preds: ^bb1, ^bb5
// CHECK-NEXT:     %28 = arith.cmpi slt, %27, %c64 : index
// CHECK-NEXT:     cf.cond_br %28, ^bb3(%c0 : index), ^bb6
// CHECK-NEXT:   ^bb3(%29: index):  // 2 preds: ^bb2, ^bb4
// CHECK-NEXT:     %30 = arith.cmpi slt, %29, %c64 : index
// CHECK-NEXT:     cf.cond_br %30, ^bb4, ^bb5
// CHECK-NEXT:   ^bb4:  // pred: ^bb3
// CHECK-NEXT:     %31 = arith.addi %27, %c2 : index
// CHECK-NEXT:     %32 = builtin.unrealized_conversion_cast %31 : index to i64
// CHECK-NEXT:     %33 = arith.addi %29, %c2 : index
// CHECK-NEXT:     %34 = builtin.unrealized_conversion_cast %33 : index to i64
// CHECK-NEXT:     %35 = arith.addi %27, %c1 : index
// CHECK-NEXT:     %36 = builtin.unrealized_conversion_cast %35 : index to i64
// CHECK-NEXT:     %37 = arith.addi %27, %c3 : index
// CHECK-NEXT:     %38 = builtin.unrealized_conversion_cast %37 : index to i64
// CHECK-NEXT:     %39 = llvm.extractvalue %25[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %40 = llvm.extractvalue %25[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %41 = llvm.getelementptr %39[%40] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %42 = llvm.mul %32, %2 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %43 = llvm.add %42, %34 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %44 = llvm.getelementptr inbounds|nuw %41[%43] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %45 = llvm.load %44 : !llvm.ptr -> f32
// CHECK-NEXT:     %46 = llvm.mul %36, %2 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %47 = llvm.add %46, %34 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %48 = llvm.getelementptr inbounds|nuw %41[%47] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %49 = llvm.load %48 : !llvm.ptr -> f32
// CHECK-NEXT:     %50 = llvm.mul %38, %2 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %51 = llvm.add %50, %34 overflow<nsw, nuw> : i64
// CHECK-NEXT:     %52 = llvm.getelementptr inbounds|nuw %41[%51] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %53 = llvm.load %52 : !llvm.ptr -> f32
// CHECK-NEXT:     %54 = arith.addf %49, %53 : f32
// CHECK-NEXT:     %55 = arith.mulf %54, %cst : f32
// CHECK-NEXT:     %56 = arith.subf %55, %45 : f32
// CHECK-NEXT:     %57 = arith.mulf %56, %20 : f32
// CHECK-NEXT:     %58 = arith.addf %45, %57 : f32
// CHECK-NEXT:     %59 = llvm.extractvalue %24[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %60 = llvm.extractvalue %24[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %61 = llvm.getelementptr %59[%60] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %62 = llvm.getelementptr inbounds|nuw %61[%43] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     llvm.store %58, %62 : f32, !llvm.ptr
// CHECK-NEXT:     %63 = arith.addi %29, %c1 : index
// CHECK-NEXT:     cf.br ^bb3(%63 : index)
// CHECK-NEXT:   ^bb5:  // pred: ^bb3
// CHECK-NEXT:     %64 = arith.addi %27, %c1 : index
// CHECK-NEXT:     cf.br ^bb2(%64 : index)
// CHECK-NEXT:   ^bb6:  // pred: ^bb2
// CHECK-NEXT:     %65 = arith.addi %21, %c1 : index
// CHECK-NEXT:     cf.br ^bb1(%65, %23, %22 : index, memref<68x68xf32, strided<[68, 1], offset: ?>>, memref<68x68xf32, strided<[68, 1], offset: ?>>)
// CHECK-NEXT:   ^bb7:  // pred: ^bb1
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
