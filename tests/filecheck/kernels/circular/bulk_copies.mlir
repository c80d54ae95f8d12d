// RUN: xgpu-opt %s --pass-pipeline="builtin.module(circular-buffer{mode=pipelined},canonicalize,cse)" | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --pass-pipeline="builtin.module(circular-buffer{mode=pipelined-mbarrier},canonicalize,cse)" | filecheck %s --match-full-lines --check-prefix=EMPTY
// RUN: xgpu-opt %s --pass-pipeline="builtin.module(circular-buffer{mode=warp-specialized producer-warps=4 registers=24,240},canonicalize,cse)" | filecheck %s --match-full-lines --check-prefix=ROLES

!map = !nvgpu.tensormap.descriptor<tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
// CHECK: module {
// CHECK-NEXT:   func.func @persistent(%arg0: !nvgpu.tensormap.descriptor<tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c32_i32 = arith.constant 32 : i32
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c512 = arith.constant 512 : index
// CHECK-NEXT:     %c10000000 = arith.constant 10000000 : index
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %c132 = arith.constant 132 : index
// CHECK-NEXT:     gpu.launch blocks(%arg4, %arg5, %arg6) in (%arg10 = %c132, %arg11 = %c1, %arg12 = %c1) threads(%arg7, %arg8, %arg9) in (%arg13 = %c128, %arg14 = %c1, %arg15 = %c1) workgroup(%arg16 : memref<4x128xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       nvvm.fence.mbarrier.init
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %0 = arith.cmpi eq, %thread_id_x, %c0 : index
// CHECK-NEXT:       %thread_id_y = gpu.thread_id  y
// CHECK-NEXT:       %1 = arith.cmpi eq, %thread_id_y, %c0 : index
// CHECK-NEXT:       %2 = arith.andi %0, %1 : i1
// CHECK-NEXT:       %thread_id_z = gpu.thread_id  z
// CHECK-NEXT:       %3 = arith.cmpi eq, %thread_id_z, %c0 : index
// CHECK-NEXT:       %4 = arith.andi %2, %3 : i1
// CHECK-NEXT:       %5 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:       nvgpu.mbarrier.init %5[%c0], %c1, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:       nvgpu.mbarrier.init %5[%c1], %c1, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:       nvgpu.mbarrier.init %5[%c2], %c1, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:       nvgpu.mbarrier.init %5[%c3], %c1, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:       nvvm.fence.mbarrier.init
// CHECK-NEXT:       gpu.barrier
// CHECK-NEXT:       %6 = arith.index_cast %thread_id_x : index to i32
// CHECK-NEXT:       %shuffleResult, %valid = gpu.shuffle  idx %6, %c0_i32, %c32_i32 : i32
// CHECK-NEXT:       %7 = arith.index_cast %shuffleResult : i32 to index
// CHECK-NEXT:       %8 = arith.cmpi eq, %7, %c0 : index
// CHECK-NEXT:       %9 = nvvm.elect.sync -> i1
// CHECK-NEXT:       %10 = arith.andi %8, %9 : i1
// CHECK-NEXT:       %11:2 = scf.for %arg17 = %arg4 to %arg2 step %arg10 iter_args(%arg18 = %false, %arg19 = %c0) -> (i1, index) {
// CHECK-NEXT:         %12 = arith.muli %arg17, %arg3 : index
// CHECK-NEXT:         %13 = arith.maxsi %arg3, %c0 : index
// CHECK-NEXT:         %14 = arith.addi %arg19, %13 : index
// CHECK-NEXT:         %15 = arith.minsi %13, %c3 : index
// CHECK-NEXT:         scf.for %arg20 = %c0 to %15 step %c1 {
// CHECK-NEXT:           %21 = arith.addi %arg19, %arg20 : index
// CHECK-NEXT:           scf.if %10 {
// CHECK-NEXT:             %22 = arith.remui %21, %c4 : index
// CHECK-NEXT:             %subview = memref.subview %arg16[%22, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:             %23 = arith.addi %12, %arg20 : index
// CHECK-NEXT:             %24 = arith.muli %23, %c128 : index
// CHECK-NEXT:             nvgpu.mbarrier.arrive.expect_tx %5[%22], %c512 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:             nvgpu.tma.async.load %arg0[%24], %5[%22] to %subview : <tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           }
// CHECK-NEXT:         }
// CHECK-NEXT:         %16 = arith.subi %13, %c3 : index
// CHECK-NEXT:         %17 = arith.maxsi %16, %c0 : index
// CHECK-NEXT:         %18:2 = scf.for %arg20 = %c0 to %17 step %c1 iter_args(%arg21 = %cst, %arg22 = %arg18) -> (f32, i1) {
// CHECK-NEXT:           %21 = arith.addi %arg20, %c3 : index
// CHECK-NEXT:           %22 = arith.addi %arg19, %21 : index
// CHECK-NEXT:           scf.if %10 {
// CHECK-NEXT:             %31 = arith.remui %22, %c4 : index
// CHECK-NEXT:             %subview_0 = memref.subview %arg16[%31, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:             %32 = arith.addi %12, %21 : index
// CHECK-NEXT:             %33 = arith.muli %32, %c128 : index
// CHECK-NEXT:             nvgpu.mbarrier.arrive.expect_tx %5[%31], %c512 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:             nvgpu.tma.async.load %arg0[%33], %5[%31] to %subview_0 : <tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           }
// CHECK-NEXT:           %23 = arith.addi %arg19, %arg20 : index
// CHECK-NEXT:           %24 = arith.divui %23, %c4 : index
// CHECK-NEXT:           %25 = arith.remui %24, %c2 : index
// CHECK-NEXT:           %26 = arith.cmpi ne, %25, %c0 : index
// CHECK-NEXT:           %27 = arith.remui %23, %c4 : index
// CHECK-NEXT:           nvgpu.mbarrier.try_wait.parity %5[%27], %26, %c10000000 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:           %subview = memref.subview %arg16[%27, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %28 = memref.load %subview[%arg7] : memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %29 = arith.addf %arg21, %28 : f32
// CHECK-NEXT:           %30 = arith.xori %arg22, %true : i1
// CHECK-NEXT:           gpu.barrier
// CHECK-NEXT:           scf.yield %29, %30 : f32, i1
// CHECK-NEXT:         }
// CHECK-NEXT:         %19:2 = scf.for %arg20 = %17 to %13 step %c1 iter_args(%arg21 = %18#0, %arg22 = %18#1) -> (f32, i1) {
// CHECK-NEXT:           %21 = arith.addi %arg19, %arg20 : index
// CHECK-NEXT:           %22 = arith.divui %21, %c4 : index
// CHECK-NEXT:           %23 = arith.remui %22, %c2 : index
// CHECK-NEXT:           %24 = arith.cmpi ne, %23, %c0 : index
// CHECK-NEXT:           %25 = arith.remui %21, %c4 : index
// CHECK-NEXT:           nvgpu.mbarrier.try_wait.parity %5[%25], %24, %c10000000 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// CHECK-NEXT:           %subview = memref.subview %arg16[%25, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %26 = memref.load %subview[%arg7] : memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %27 = arith.addf %arg21, %26 : f32
// CHECK-NEXT:           %28 = arith.xori %arg22, %true : i1
// CHECK-NEXT:           gpu.barrier
// CHECK-NEXT:           scf.yield %27, %28 : f32, i1
// CHECK-NEXT:         }
// CHECK-NEXT:         %20 = arith.addi %arg17, %arg7 : index
// CHECK-NEXT:         memref.store %19#0, %arg1[%20] : memref<?xf32>
// CHECK-NEXT:         scf.yield %19#1, %14 : i1, index
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.if %4 {
// CHECK-NEXT:         %12 = nvgpu.mbarrier.get %5[%c0] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// CHECK-NEXT:         %13 = llvm.inttoptr %12 : i64 to !llvm.ptr<3>
// CHECK-NEXT:         nvvm.mbarrier.inval %13 : !llvm.ptr<3>
// CHECK-NEXT:         %14 = nvgpu.mbarrier.get %5[%c1] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// CHECK-NEXT:         %15 = llvm.inttoptr %14 : i64 to !llvm.ptr<3>
// CHECK-NEXT:         nvvm.mbarrier.inval %15 : !llvm.ptr<3>
// CHECK-NEXT:         %16 = nvgpu.mbarrier.get %5[%c2] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// CHECK-NEXT:         %17 = llvm.inttoptr %16 : i64 to !llvm.ptr<3>
// CHECK-NEXT:         nvvm.mbarrier.inval %17 : !llvm.ptr<3>
// CHECK-NEXT:         %18 = nvgpu.mbarrier.get %5[%c3] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// CHECK-NEXT:         %19 = llvm.inttoptr %18 : i64 to !llvm.ptr<3>
// CHECK-NEXT:         nvvm.mbarrier.inval %19 : !llvm.ptr<3>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {workgroup_attrib_attrs = [{llvm.align = 128 : i64}], xgpu.own}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// EMPTY: module {
// EMPTY-NEXT:   func.func @persistent(%arg0: !nvgpu.tensormap.descriptor<tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) {
// EMPTY-NEXT:     %c4 = arith.constant 4 : index
// EMPTY-NEXT:     %c32_i32 = arith.constant 32 : i32
// EMPTY-NEXT:     %c0_i32 = arith.constant 0 : i32
// EMPTY-NEXT:     %c3 = arith.constant 3 : index
// EMPTY-NEXT:     %c2 = arith.constant 2 : index
// EMPTY-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// EMPTY-NEXT:     %c512 = arith.constant 512 : index
// EMPTY-NEXT:     %c10000000 = arith.constant 10000000 : index
// EMPTY-NEXT:     %true = arith.constant true
// EMPTY-NEXT:     %false = arith.constant false
// EMPTY-NEXT:     %c0 = arith.constant 0 : index
// EMPTY-NEXT:     %c1 = arith.constant 1 : index
// EMPTY-NEXT:     %c128 = arith.constant 128 : index
// EMPTY-NEXT:     %c132 = arith.constant 132 : index
// EMPTY-NEXT:     gpu.launch blocks(%arg4, %arg5, %arg6) in (%arg10 = %c132, %arg11 = %c1, %arg12 = %c1) threads(%arg7, %arg8, %arg9) in (%arg13 = %c128, %arg14 = %c1, %arg15 = %c1) workgroup(%arg16 : memref<4x128xf32, #gpu.address_space<workgroup>>) {
// EMPTY-NEXT:       nvvm.fence.mbarrier.init
// EMPTY-NEXT:       gpu.barrier
// EMPTY-NEXT:       %block_dim_x = gpu.block_dim  x
// EMPTY-NEXT:       %block_dim_y = gpu.block_dim  y
// EMPTY-NEXT:       %0 = arith.muli %block_dim_x, %block_dim_y : index
// EMPTY-NEXT:       %block_dim_z = gpu.block_dim  z
// EMPTY-NEXT:       %1 = arith.muli %0, %block_dim_z : index
// EMPTY-NEXT:       %thread_id_x = gpu.thread_id  x
// EMPTY-NEXT:       %2 = arith.cmpi eq, %thread_id_x, %c0 : index
// EMPTY-NEXT:       %thread_id_y = gpu.thread_id  y
// EMPTY-NEXT:       %3 = arith.cmpi eq, %thread_id_y, %c0 : index
// EMPTY-NEXT:       %4 = arith.andi %2, %3 : i1
// EMPTY-NEXT:       %thread_id_z = gpu.thread_id  z
// EMPTY-NEXT:       %5 = arith.cmpi eq, %thread_id_z, %c0 : index
// EMPTY-NEXT:       %6 = arith.andi %4, %5 : i1
// EMPTY-NEXT:       %7 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       %8 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvgpu.mbarrier.init %7[%c0], %c1, predicate = %6 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvgpu.mbarrier.init %7[%c1], %c1, predicate = %6 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvgpu.mbarrier.init %7[%c2], %c1, predicate = %6 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvgpu.mbarrier.init %7[%c3], %c1, predicate = %6 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvgpu.mbarrier.init %8[%c0], %1, predicate = %6 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvgpu.mbarrier.init %8[%c1], %1, predicate = %6 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvgpu.mbarrier.init %8[%c2], %1, predicate = %6 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvgpu.mbarrier.init %8[%c3], %1, predicate = %6 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:       nvvm.fence.mbarrier.init
// EMPTY-NEXT:       gpu.barrier
// EMPTY-NEXT:       %9 = arith.index_cast %thread_id_x : index to i32
// EMPTY-NEXT:       %shuffleResult, %valid = gpu.shuffle  idx %9, %c0_i32, %c32_i32 : i32
// EMPTY-NEXT:       %10 = arith.index_cast %shuffleResult : i32 to index
// EMPTY-NEXT:       %11 = arith.cmpi eq, %10, %c0 : index
// EMPTY-NEXT:       %12 = nvvm.elect.sync -> i1
// EMPTY-NEXT:       %13 = arith.andi %11, %12 : i1
// EMPTY-NEXT:       %14:2 = scf.for %arg17 = %arg4 to %arg2 step %arg10 iter_args(%arg18 = %false, %arg19 = %c0) -> (i1, index) {
// EMPTY-NEXT:         %15 = arith.muli %arg17, %arg3 : index
// EMPTY-NEXT:         %16 = arith.maxsi %arg3, %c0 : index
// EMPTY-NEXT:         %17 = arith.addi %arg19, %16 : index
// EMPTY-NEXT:         %18 = arith.minsi %16, %c3 : index
// EMPTY-NEXT:         scf.for %arg20 = %c0 to %18 step %c1 {
// EMPTY-NEXT:           %24 = arith.addi %arg19, %arg20 : index
// EMPTY-NEXT:           scf.if %13 {
// EMPTY-NEXT:             %25 = arith.remui %24, %c4 : index
// EMPTY-NEXT:             %subview = memref.subview %arg16[%25, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// EMPTY-NEXT:             %26 = arith.addi %15, %arg20 : index
// EMPTY-NEXT:             %27 = arith.muli %26, %c128 : index
// EMPTY-NEXT:             %28 = arith.divui %24, %c4 : index
// EMPTY-NEXT:             %29 = arith.remui %28, %c2 : index
// EMPTY-NEXT:             %30 = arith.cmpi eq, %29, %c0 : index
// EMPTY-NEXT:             nvgpu.mbarrier.try_wait.parity %8[%25], %30, %c10000000 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:             nvgpu.mbarrier.arrive.expect_tx %7[%25], %c512 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:             nvgpu.tma.async.load %arg0[%27], %7[%25] to %subview : <tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// EMPTY-NEXT:           }
// EMPTY-NEXT:         }
// EMPTY-NEXT:         %19 = arith.subi %16, %c3 : index
// EMPTY-NEXT:         %20 = arith.maxsi %19, %c0 : index
// EMPTY-NEXT:         %21:2 = scf.for %arg20 = %c0 to %20 step %c1 iter_args(%arg21 = %cst, %arg22 = %arg18) -> (f32, i1) {
// EMPTY-NEXT:           %24 = arith.addi %arg20, %c3 : index
// EMPTY-NEXT:           %25 = arith.addi %arg19, %24 : index
// EMPTY-NEXT:           scf.if %13 {
// EMPTY-NEXT:             %35 = arith.remui %25, %c4 : index
// EMPTY-NEXT:             %subview_0 = memref.subview %arg16[%35, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// EMPTY-NEXT:             %36 = arith.addi %15, %24 : index
// EMPTY-NEXT:             %37 = arith.muli %36, %c128 : index
// EMPTY-NEXT:             %38 = arith.divui %25, %c4 : index
// EMPTY-NEXT:             %39 = arith.remui %38, %c2 : index
// EMPTY-NEXT:             %40 = arith.cmpi eq, %39, %c0 : index
// EMPTY-NEXT:             nvgpu.mbarrier.try_wait.parity %8[%35], %40, %c10000000 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:             nvgpu.mbarrier.arrive.expect_tx %7[%35], %c512 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:             nvgpu.tma.async.load %arg0[%37], %7[%35] to %subview_0 : <tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// EMPTY-NEXT:           }
// EMPTY-NEXT:           %26 = arith.addi %arg19, %arg20 : index
// EMPTY-NEXT:           %27 = arith.divui %26, %c4 : index
// EMPTY-NEXT:           %28 = arith.remui %27, %c2 : index
// EMPTY-NEXT:           %29 = arith.cmpi ne, %28, %c0 : index
// EMPTY-NEXT:           %30 = arith.remui %26, %c4 : index
// EMPTY-NEXT:           nvgpu.mbarrier.try_wait.parity %7[%30], %29, %c10000000 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:           %subview = memref.subview %arg16[%30, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// EMPTY-NEXT:           %31 = memref.load %subview[%arg7] : memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// EMPTY-NEXT:           %32 = arith.addf %arg21, %31 : f32
// EMPTY-NEXT:           %33 = arith.xori %arg22, %true : i1
// EMPTY-NEXT:           %34 = nvgpu.mbarrier.arrive %8[%30] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> !nvgpu.mbarrier.token
// EMPTY-NEXT:           scf.yield %32, %33 : f32, i1
// EMPTY-NEXT:         }
// EMPTY-NEXT:         %22:2 = scf.for %arg20 = %20 to %16 step %c1 iter_args(%arg21 = %21#0, %arg22 = %21#1) -> (f32, i1) {
// EMPTY-NEXT:           %24 = arith.addi %arg19, %arg20 : index
// EMPTY-NEXT:           %25 = arith.divui %24, %c4 : index
// EMPTY-NEXT:           %26 = arith.remui %25, %c2 : index
// EMPTY-NEXT:           %27 = arith.cmpi ne, %26, %c0 : index
// EMPTY-NEXT:           %28 = arith.remui %24, %c4 : index
// EMPTY-NEXT:           nvgpu.mbarrier.try_wait.parity %7[%28], %27, %c10000000 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// EMPTY-NEXT:           %subview = memref.subview %arg16[%28, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// EMPTY-NEXT:           %29 = memref.load %subview[%arg7] : memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// EMPTY-NEXT:           %30 = arith.addf %arg21, %29 : f32
// EMPTY-NEXT:           %31 = arith.xori %arg22, %true : i1
// EMPTY-NEXT:           %32 = nvgpu.mbarrier.arrive %8[%28] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> !nvgpu.mbarrier.token
// EMPTY-NEXT:           scf.yield %30, %31 : f32, i1
// EMPTY-NEXT:         }
// EMPTY-NEXT:         %23 = arith.addi %arg17, %arg7 : index
// EMPTY-NEXT:         memref.store %22#0, %arg1[%23] : memref<?xf32>
// EMPTY-NEXT:         scf.yield %22#1, %17 : i1, index
// EMPTY-NEXT:       }
// EMPTY-NEXT:       gpu.barrier
// EMPTY-NEXT:       scf.if %6 {
// EMPTY-NEXT:         %15 = nvgpu.mbarrier.get %7[%c0] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// EMPTY-NEXT:         %16 = llvm.inttoptr %15 : i64 to !llvm.ptr<3>
// EMPTY-NEXT:         nvvm.mbarrier.inval %16 : !llvm.ptr<3>
// EMPTY-NEXT:         %17 = nvgpu.mbarrier.get %7[%c1] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// EMPTY-NEXT:         %18 = llvm.inttoptr %17 : i64 to !llvm.ptr<3>
// EMPTY-NEXT:         nvvm.mbarrier.inval %18 : !llvm.ptr<3>
// EMPTY-NEXT:         %19 = nvgpu.mbarrier.get %7[%c2] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// EMPTY-NEXT:         %20 = llvm.inttoptr %19 : i64 to !llvm.ptr<3>
// EMPTY-NEXT:         nvvm.mbarrier.inval %20 : !llvm.ptr<3>
// EMPTY-NEXT:         %21 = nvgpu.mbarrier.get %7[%c3] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// EMPTY-NEXT:         %22 = llvm.inttoptr %21 : i64 to !llvm.ptr<3>
// EMPTY-NEXT:         nvvm.mbarrier.inval %22 : !llvm.ptr<3>
// EMPTY-NEXT:         %23 = nvgpu.mbarrier.get %8[%c0] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// EMPTY-NEXT:         %24 = llvm.inttoptr %23 : i64 to !llvm.ptr<3>
// EMPTY-NEXT:         nvvm.mbarrier.inval %24 : !llvm.ptr<3>
// EMPTY-NEXT:         %25 = nvgpu.mbarrier.get %8[%c1] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// EMPTY-NEXT:         %26 = llvm.inttoptr %25 : i64 to !llvm.ptr<3>
// EMPTY-NEXT:         nvvm.mbarrier.inval %26 : !llvm.ptr<3>
// EMPTY-NEXT:         %27 = nvgpu.mbarrier.get %8[%c2] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// EMPTY-NEXT:         %28 = llvm.inttoptr %27 : i64 to !llvm.ptr<3>
// EMPTY-NEXT:         nvvm.mbarrier.inval %28 : !llvm.ptr<3>
// EMPTY-NEXT:         %29 = nvgpu.mbarrier.get %8[%c3] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// EMPTY-NEXT:         %30 = llvm.inttoptr %29 : i64 to !llvm.ptr<3>
// EMPTY-NEXT:         nvvm.mbarrier.inval %30 : !llvm.ptr<3>
// EMPTY-NEXT:       }
// EMPTY-NEXT:       gpu.terminator
// EMPTY-NEXT:     } {workgroup_attrib_attrs = [{llvm.align = 128 : i64}], xgpu.own}
// EMPTY-NEXT:     return
// EMPTY-NEXT:   }
// EMPTY-NEXT: }
// ROLES: module {
// ROLES-NEXT:   func.func @persistent(%arg0: !nvgpu.tensormap.descriptor<tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %arg1: memref<?xf32>, %arg2: index, %arg3: index) {
// ROLES-NEXT:     %c128_i32 = arith.constant 128 : i32
// ROLES-NEXT:     %c1_i32 = arith.constant 1 : i32
// ROLES-NEXT:     %c4 = arith.constant 4 : index
// ROLES-NEXT:     %c32_i32 = arith.constant 32 : i32
// ROLES-NEXT:     %c0_i32 = arith.constant 0 : i32
// ROLES-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// ROLES-NEXT:     %c512 = arith.constant 512 : index
// ROLES-NEXT:     %c10000000 = arith.constant 10000000 : index
// ROLES-NEXT:     %true = arith.constant true
// ROLES-NEXT:     %false = arith.constant false
// ROLES-NEXT:     %c3 = arith.constant 3 : index
// ROLES-NEXT:     %c2 = arith.constant 2 : index
// ROLES-NEXT:     %c0 = arith.constant 0 : index
// ROLES-NEXT:     %c1 = arith.constant 1 : index
// ROLES-NEXT:     %c128 = arith.constant 128 : index
// ROLES-NEXT:     %c132 = arith.constant 132 : index
// ROLES-NEXT:     %c256 = arith.constant 256 : index
// ROLES-NEXT:     gpu.launch blocks(%arg4, %arg5, %arg6) in (%arg10 = %c132, %arg11 = %c1, %arg12 = %c1) threads(%arg7, %arg8, %arg9) in (%arg13 = %c256, %arg14 = %c1, %arg15 = %c1) workgroup(%arg16 : memref<4x128xf32, #gpu.address_space<workgroup>>) {
// ROLES-NEXT:       %thread_id_x = gpu.thread_id  x
// ROLES-NEXT:       %0 = arith.cmpi eq, %thread_id_x, %c0 : index
// ROLES-NEXT:       %thread_id_y = gpu.thread_id  y
// ROLES-NEXT:       %1 = arith.cmpi eq, %thread_id_y, %c0 : index
// ROLES-NEXT:       %2 = arith.andi %0, %1 : i1
// ROLES-NEXT:       %thread_id_z = gpu.thread_id  z
// ROLES-NEXT:       %3 = arith.cmpi eq, %thread_id_z, %c0 : index
// ROLES-NEXT:       %4 = arith.andi %2, %3 : i1
// ROLES-NEXT:       %5 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       %6 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvgpu.mbarrier.init %5[%c0], %c1, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvgpu.mbarrier.init %5[%c1], %c1, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvgpu.mbarrier.init %5[%c2], %c1, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvgpu.mbarrier.init %5[%c3], %c1, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvgpu.mbarrier.init %6[%c0], %c128, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvgpu.mbarrier.init %6[%c1], %c128, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvgpu.mbarrier.init %6[%c2], %c128, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvgpu.mbarrier.init %6[%c3], %c128, predicate = %4 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:       nvvm.fence.mbarrier.init
// ROLES-NEXT:       gpu.barrier
// ROLES-NEXT:       %7 = arith.index_cast %thread_id_x : index to i32
// ROLES-NEXT:       %shuffleResult, %valid = gpu.shuffle  idx %7, %c0_i32, %c32_i32 : i32
// ROLES-NEXT:       %8 = arith.index_cast %shuffleResult : i32 to index
// ROLES-NEXT:       %9 = arith.cmpi uge, %8, %c128 : index
// ROLES-NEXT:       scf.if %9 {
// ROLES-NEXT:         nvvm.setmaxregister  decrease 24
// ROLES-NEXT:         %10 = arith.cmpi eq, %8, %c128 : index
// ROLES-NEXT:         %11 = nvvm.elect.sync -> i1
// ROLES-NEXT:         %12 = arith.andi %10, %11 : i1
// ROLES-NEXT:         scf.if %12 {
// ROLES-NEXT:           %13 = scf.for %arg17 = %arg4 to %arg2 step %arg10 iter_args(%arg18 = %c0) -> (index) {
// ROLES-NEXT:             %14 = arith.muli %arg17, %arg3 : index
// ROLES-NEXT:             %15 = arith.maxsi %arg3, %c0 : index
// ROLES-NEXT:             %16 = arith.addi %arg18, %15 : index
// ROLES-NEXT:             scf.for %arg19 = %c0 to %15 step %c1 {
// ROLES-NEXT:               %17 = arith.addi %arg18, %arg19 : index
// ROLES-NEXT:               %18 = arith.remui %17, %c4 : index
// ROLES-NEXT:               %subview = memref.subview %arg16[%18, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// ROLES-NEXT:               %19 = arith.addi %14, %arg19 : index
// ROLES-NEXT:               %20 = arith.muli %19, %c128 : index
// ROLES-NEXT:               %21 = arith.divui %17, %c4 : index
// ROLES-NEXT:               %22 = arith.remui %21, %c2 : index
// ROLES-NEXT:               %23 = arith.cmpi eq, %22, %c0 : index
// ROLES-NEXT:               nvgpu.mbarrier.try_wait.parity %6[%18], %23, %c10000000 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:               nvgpu.mbarrier.arrive.expect_tx %5[%18], %c512 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:               nvgpu.tma.async.load %arg0[%20], %5[%18] to %subview : <tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// ROLES-NEXT:             }
// ROLES-NEXT:             scf.yield %16 : index
// ROLES-NEXT:           }
// ROLES-NEXT:         }
// ROLES-NEXT:       } else {
// ROLES-NEXT:         nvvm.setmaxregister  increase 240
// ROLES-NEXT:         nvvm.fence.mbarrier.init
// ROLES-NEXT:         nvvm.barrier id = %c1_i32 number_of_threads = %c128_i32
// ROLES-NEXT:         %10:2 = scf.for %arg17 = %arg4 to %arg2 step %arg10 iter_args(%arg18 = %false, %arg19 = %c0) -> (i1, index) {
// ROLES-NEXT:           %11 = arith.maxsi %arg3, %c0 : index
// ROLES-NEXT:           %12 = arith.addi %arg19, %11 : index
// ROLES-NEXT:           %13:2 = scf.for %arg20 = %c0 to %11 step %c1 iter_args(%arg21 = %cst, %arg22 = %arg18) -> (f32, i1) {
// ROLES-NEXT:             %15 = arith.addi %arg19, %arg20 : index
// ROLES-NEXT:             %16 = arith.divui %15, %c4 : index
// ROLES-NEXT:             %17 = arith.remui %16, %c2 : index
// ROLES-NEXT:             %18 = arith.cmpi ne, %17, %c0 : index
// ROLES-NEXT:             %19 = arith.remui %15, %c4 : index
// ROLES-NEXT:             nvgpu.mbarrier.try_wait.parity %5[%19], %18, %c10000000 : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
// ROLES-NEXT:             %subview = memref.subview %arg16[%19, 0] [1, 128] [1, 1] : memref<4x128xf32, #gpu.address_space<workgroup>> to memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// ROLES-NEXT:             %20 = memref.load %subview[%arg7] : memref<128xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// ROLES-NEXT:             %21 = arith.addf %arg21, %20 : f32
// ROLES-NEXT:             %22 = arith.xori %arg22, %true : i1
// ROLES-NEXT:             %23 = nvgpu.mbarrier.arrive %6[%19] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> !nvgpu.mbarrier.token
// ROLES-NEXT:             scf.yield %21, %22 : f32, i1
// ROLES-NEXT:           }
// ROLES-NEXT:           %14 = arith.addi %arg17, %arg7 : index
// ROLES-NEXT:           memref.store %13#0, %arg1[%14] : memref<?xf32>
// ROLES-NEXT:           scf.yield %13#1, %12 : i1, index
// ROLES-NEXT:         }
// ROLES-NEXT:       }
// ROLES-NEXT:       gpu.barrier
// ROLES-NEXT:       scf.if %4 {
// ROLES-NEXT:         %10 = nvgpu.mbarrier.get %5[%c0] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// ROLES-NEXT:         %11 = llvm.inttoptr %10 : i64 to !llvm.ptr<3>
// ROLES-NEXT:         nvvm.mbarrier.inval %11 : !llvm.ptr<3>
// ROLES-NEXT:         %12 = nvgpu.mbarrier.get %5[%c1] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// ROLES-NEXT:         %13 = llvm.inttoptr %12 : i64 to !llvm.ptr<3>
// ROLES-NEXT:         nvvm.mbarrier.inval %13 : !llvm.ptr<3>
// ROLES-NEXT:         %14 = nvgpu.mbarrier.get %5[%c2] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// ROLES-NEXT:         %15 = llvm.inttoptr %14 : i64 to !llvm.ptr<3>
// ROLES-NEXT:         nvvm.mbarrier.inval %15 : !llvm.ptr<3>
// ROLES-NEXT:         %16 = nvgpu.mbarrier.get %5[%c3] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// ROLES-NEXT:         %17 = llvm.inttoptr %16 : i64 to !llvm.ptr<3>
// ROLES-NEXT:         nvvm.mbarrier.inval %17 : !llvm.ptr<3>
// ROLES-NEXT:         %18 = nvgpu.mbarrier.get %6[%c0] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// ROLES-NEXT:         %19 = llvm.inttoptr %18 : i64 to !llvm.ptr<3>
// ROLES-NEXT:         nvvm.mbarrier.inval %19 : !llvm.ptr<3>
// ROLES-NEXT:         %20 = nvgpu.mbarrier.get %6[%c1] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// ROLES-NEXT:         %21 = llvm.inttoptr %20 : i64 to !llvm.ptr<3>
// ROLES-NEXT:         nvvm.mbarrier.inval %21 : !llvm.ptr<3>
// ROLES-NEXT:         %22 = nvgpu.mbarrier.get %6[%c2] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// ROLES-NEXT:         %23 = llvm.inttoptr %22 : i64 to !llvm.ptr<3>
// ROLES-NEXT:         nvvm.mbarrier.inval %23 : !llvm.ptr<3>
// ROLES-NEXT:         %24 = nvgpu.mbarrier.get %6[%c3] : <memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i64
// ROLES-NEXT:         %25 = llvm.inttoptr %24 : i64 to !llvm.ptr<3>
// ROLES-NEXT:         nvvm.mbarrier.inval %25 : !llvm.ptr<3>
// ROLES-NEXT:       }
// ROLES-NEXT:       gpu.terminator
// ROLES-NEXT:     } {workgroup_attrib_attrs = [{llvm.align = 128 : i64}], xgpu.own}
// ROLES-NEXT:     return
// ROLES-NEXT:   }
// ROLES-NEXT: }
func.func @persistent(%map: !map, %out: memref<?xf32>, %tiles: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c132 = arith.constant 132 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c132, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1)
      workgroup(%tile : memref<128xf32, #gpu.address_space<workgroup>>) {
    %bar = nvgpu.mbarrier.create -> !bars
    %first = arith.cmpi eq, %t, %c0 : index
    nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %first : !bars
    nvvm.fence.mbarrier.init
    gpu.barrier
    %false = arith.constant false
    %true = arith.constant true
    %ticks = arith.constant 10000000 : index
    %bytes = arith.constant 512 : index
    %f0 = arith.constant 0.0 : f32
    %left = scf.for %o = %bx to %tiles step %gx iter_args(%parity = %false) -> i1 {
      %base = arith.muli %o, %n : index
      %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %f0, %phase = %parity) -> (f32, i1) {
        %tile_at = arith.addi %base, %i : index
        %at = arith.muli %tile_at, %c128 : index
        nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes, predicate = %first : !bars
        nvgpu.tma.async.load %map[%at], %bar[%c0] to %tile, predicate = %first : !map, !bars -> memref<128xf32, #gpu.address_space<workgroup>>
        nvgpu.mbarrier.try_wait.parity %bar[%c0], %phase, %ticks : !bars
        %x = memref.load %tile[%t] : memref<128xf32, #gpu.address_space<workgroup>>
        %sum = arith.addf %acc, %x : f32
        gpu.barrier
        %next = arith.xori %phase, %true : i1
        scf.yield %sum, %next : f32, i1
      } {xgpu.circular_buffer = {stages = 4, prefetch = -1}}
      %k = arith.addi %o, %t : index
      memref.store %end#0, %out[%k] : memref<?xf32>
      scf.yield %end#1 : i1
    }
    gpu.terminator
  }
  return
}
