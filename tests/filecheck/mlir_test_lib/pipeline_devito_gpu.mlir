// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s "--pass-pipeline=builtin.module(test-math-algebraic-simplification,scf-parallel-loop-tiling{parallel-loop-tile-sizes=32,4,8},func.func(gpu-map-parallel-loops),convert-parallel-loops-to-gpu,lower-affine,canonicalize,cse,fold-memref-alias-ops,gpu-launch-sink-index-computations,gpu-kernel-outlining,canonicalize{region-simplify=aggressive},cse,fold-memref-alias-ops,expand-strided-metadata,lower-affine,canonicalize,cse,func.func(gpu-async-region),canonicalize,cse,convert-arith-to-llvm{index-bitwidth=64},convert-scf-to-cf,convert-cf-to-llvm{index-bitwidth=64},canonicalize,cse,convert-func-to-llvm{use-bare-ptr-memref-call-conv},nvvm-attach-target{O=3 ftz fast},gpu.module(convert-gpu-to-nvvm,canonicalize,cse),gpu-to-llvm,canonicalize,cse)" | filecheck %s --match-full-lines

// A time step as Devito writes it: two buffers that change places, a stencil of three
// points within, taken to the device through all of Devito's list for graphics cards.

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

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   llvm.func @apply_kernel(%arg0: !llvm.ptr, %arg1: i64, %arg2: f32) {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %1 = llvm.mlir.constant(16 : index) : i64
// CHECK-NEXT:     %2 = llvm.mlir.constant(4 : index) : i64
// CHECK-NEXT:     %3 = llvm.mlir.constant(32 : index) : i64
// CHECK-NEXT:     %4 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %5 = llvm.mlir.constant(68 : index) : i64
// CHECK-NEXT:     %6 = llvm.mlir.constant(4624 : index) : i64
// CHECK-NEXT:     %7 = llvm.mlir.constant(2 : index) : i64
// CHECK-NEXT:     %8 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %9 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %10 = llvm.insertvalue %arg0, %9[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %11 = llvm.insertvalue %8, %10[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %12 = llvm.insertvalue %5, %11[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %13 = llvm.insertvalue %5, %12[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %14 = llvm.insertvalue %5, %13[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %15 = llvm.insertvalue %4, %14[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %16 = llvm.insertvalue %6, %10[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %17 = llvm.insertvalue %5, %16[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %18 = llvm.insertvalue %5, %17[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %19 = llvm.insertvalue %5, %18[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %20 = llvm.insertvalue %4, %19[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     llvm.br ^bb1(%8, %15, %20 : i64, !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>, !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>)
// CHECK-NEXT:   ^bb1(%21: i64, %22: !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>, %23: !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     %24 = llvm.icmp "slt" %21, %arg1 : i64
// CHECK-NEXT:     llvm.cond_br %24, ^bb2, ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     %25 = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
// CHECK-NEXT:     %26 = llvm.extractvalue %22[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %27 = llvm.extractvalue %22[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %28 = llvm.extractvalue %22[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %29 = llvm.extractvalue %22[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %30 = llvm.extractvalue %22[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %31 = llvm.extractvalue %22[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %32 = llvm.extractvalue %22[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %33 = llvm.extractvalue %23[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %34 = llvm.extractvalue %23[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %35 = llvm.extractvalue %23[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %36 = llvm.extractvalue %23[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %37 = llvm.extractvalue %23[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %38 = llvm.extractvalue %23[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %39 = llvm.extractvalue %23[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     gpu.launch_func <%25 : !llvm.ptr> @apply_kernel_kernel::@apply_kernel_kernel blocks in (%7, %1, %4) threads in (%3, %2, %4) : i64 args(%26 : !llvm.ptr, %27 : !llvm.ptr, %28 : i64, %29 : i64, %30 : i64, %31 : i64, %32 : i64, %arg2 : f32, %33 : !llvm.ptr, %34 : !llvm.ptr, %35 : i64, %36 : i64, %37 : i64, %38 : i64, %39 : i64)
// CHECK-NEXT:     llvm.call @mgpuStreamSynchronize(%25) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.call @mgpuStreamDestroy(%25) : (!llvm.ptr) -> ()
// CHECK-NEXT:     %40 = llvm.add %21, %4 : i64
// CHECK-NEXT:     llvm.br ^bb1(%40, %23, %22 : i64, !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>, !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>)
// CHECK-NEXT:   ^bb3:  // pred: ^bb1
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   gpu.module @apply_kernel_kernel [#nvvm.target<O = 3, flags = {fast, ftz}>] {
// CHECK-NEXT:     llvm.func @apply_kernel_kernel(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64, %arg7: f32, %arg8: !llvm.ptr, %arg9: !llvm.ptr, %arg10: i64, %arg11: i64, %arg12: i64, %arg13: i64, %arg14: i64) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 4, 1>, gpu.known_grid_size = array<i32: 2, 16, 1>, nvvm.kernel, nvvm.maxntid = array<i32: 32, 4, 1>} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(68 : index) : i64
// CHECK-NEXT:       %1 = llvm.mlir.constant(32 : index) : i64
// CHECK-NEXT:       %2 = llvm.mlir.constant(4 : index) : i64
// CHECK-NEXT:       %3 = llvm.mlir.constant(2 : index) : i64
// CHECK-NEXT:       %4 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:       %5 = llvm.mlir.constant(3 : index) : i64
// CHECK-NEXT:       %6 = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK-NEXT:       %7 = llvm.mlir.constant(5.000000e-01 : f32) : f32
// CHECK-NEXT:       %8 = nvvm.read.ptx.sreg.ctaid.x range <i32, 0, 2> : i32
// CHECK-NEXT:       %9 = llvm.sext %8 : i32 to i64
// CHECK-NEXT:       %10 = nvvm.read.ptx.sreg.ctaid.y range <i32, 0, 16> : i32
// CHECK-NEXT:       %11 = llvm.sext %10 : i32 to i64
// CHECK-NEXT:       %12 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
// CHECK-NEXT:       %13 = llvm.sext %12 : i32 to i64
// CHECK-NEXT:       %14 = nvvm.read.ptx.sreg.tid.y range <i32, 0, 4> : i32
// CHECK-NEXT:       %15 = llvm.sext %14 : i32 to i64
// CHECK-NEXT:       %16 = llvm.mul %9, %1 overflow<nsw> : i64
// CHECK-NEXT:       %17 = llvm.mul %11, %2 overflow<nsw> : i64
// CHECK-NEXT:       %18 = llvm.add %13, %16 : i64
// CHECK-NEXT:       %19 = llvm.add %15, %17 : i64
// CHECK-NEXT:       %20 = llvm.add %18, %3 : i64
// CHECK-NEXT:       %21 = llvm.add %19, %3 : i64
// CHECK-NEXT:       %22 = llvm.add %18, %4 : i64
// CHECK-NEXT:       %23 = llvm.add %18, %5 : i64
// CHECK-NEXT:       %24 = llvm.getelementptr %arg1[%arg2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:       %25 = llvm.mul %20, %0 overflow<nsw, nuw> : i64
// CHECK-NEXT:       %26 = llvm.add %25, %21 overflow<nsw, nuw> : i64
// CHECK-NEXT:       %27 = llvm.getelementptr inbounds|nuw %24[%26] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:       %28 = llvm.load %27 : !llvm.ptr -> f32
// CHECK-NEXT:       %29 = llvm.mul %22, %0 overflow<nsw, nuw> : i64
// CHECK-NEXT:       %30 = llvm.add %29, %21 overflow<nsw, nuw> : i64
// CHECK-NEXT:       %31 = llvm.getelementptr inbounds|nuw %24[%30] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:       %32 = llvm.load %31 : !llvm.ptr -> f32
// CHECK-NEXT:       %33 = llvm.mul %23, %0 overflow<nsw, nuw> : i64
// CHECK-NEXT:       %34 = llvm.add %33, %21 overflow<nsw, nuw> : i64
// CHECK-NEXT:       %35 = llvm.getelementptr inbounds|nuw %24[%34] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:       %36 = llvm.load %35 : !llvm.ptr -> f32
// CHECK-NEXT:       %37 = llvm.fmul %arg7, %arg7 : f32
// CHECK-NEXT:       %38 = llvm.fdiv %6, %37 : f32
// CHECK-NEXT:       %39 = llvm.fadd %32, %36 : f32
// CHECK-NEXT:       %40 = llvm.fmul %39, %7 : f32
// CHECK-NEXT:       %41 = llvm.fsub %40, %28 : f32
// CHECK-NEXT:       %42 = llvm.fmul %41, %38 : f32
// CHECK-NEXT:       %43 = llvm.fadd %28, %42 : f32
// CHECK-NEXT:       %44 = llvm.getelementptr %arg9[%arg10] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:       %45 = llvm.getelementptr inbounds|nuw %44[%26] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:       llvm.store %43, %45 : f32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuStreamCreate() -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuStreamSynchronize(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuStreamDestroy(!llvm.ptr)
// CHECK-NEXT: }
