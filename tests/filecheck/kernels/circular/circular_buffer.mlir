// RUN: xgpu-opt %s --pass-pipeline="builtin.module(circular-buffer{stages=3 prefetch=2 mode=pipelined},canonicalize,cse)" | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --pass-pipeline="builtin.module(circular-buffer{stages=2 prefetch=-2},canonicalize,cse)" | filecheck %s --match-full-lines --check-prefix=NOW

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @stores(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) workgroup(%arg3 : memref<3x32xf32, #gpu.address_space<workgroup>>) kernel attributes {xgpu.own} {
// CHECK-NEXT:       %c3 = arith.constant 3 : index
// CHECK-NEXT:       %c2 = arith.constant 2 : index
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c31 = arith.constant 31 : index
// CHECK-NEXT:       %c32 = arith.constant 32 : index
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %0 = arith.subi %c31, %thread_id_x : index
// CHECK-NEXT:       %1 = arith.maxsi %arg2, %c0 : index
// CHECK-NEXT:       %2 = arith.addi %1, %c31 : index
// CHECK-NEXT:       %3 = arith.divui %2, %c32 : index
// CHECK-NEXT:       %4 = arith.minsi %3, %c2 : index
// CHECK-NEXT:       scf.for %arg4 = %c0 to %4 step %c1 {
// CHECK-NEXT:         %7 = arith.muli %arg4, %c32 : index
// CHECK-NEXT:         %8 = arith.remui %arg4, %c3 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%8, 0] [1, 32] [1, 1] : memref<3x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %9 = arith.addi %7, %thread_id_x : index
// CHECK-NEXT:         %10 = memref.load %arg0[%9] : memref<?xf32>
// CHECK-NEXT:         memref.store %10, %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:       }
// CHECK-NEXT:       %5 = arith.subi %3, %c2 : index
// CHECK-NEXT:       %6 = arith.maxsi %5, %c0 : index
// CHECK-NEXT:       scf.for %arg4 = %c0 to %6 step %c1 {
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %7 = arith.addi %arg4, %c2 : index
// CHECK-NEXT:         %8 = arith.muli %7, %c32 : index
// CHECK-NEXT:         %9 = arith.remui %7, %c3 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%9, 0] [1, 32] [1, 1] : memref<3x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %10 = arith.addi %8, %thread_id_x : index
// CHECK-NEXT:         %11 = memref.load %arg0[%10] : memref<?xf32>
// CHECK-NEXT:         memref.store %11, %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %12 = arith.muli %arg4, %c32 : index
// CHECK-NEXT:         %13 = arith.remui %arg4, %c3 : index
// CHECK-NEXT:         %subview_0 = memref.subview %arg3[%13, 0] [1, 32] [1, 1] : memref<3x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %14 = arith.addi %12, %thread_id_x : index
// CHECK-NEXT:         %15 = memref.load %subview_0[%0] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         memref.store %15, %arg1[%14] : memref<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.for %arg4 = %6 to %3 step %c1 {
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %7 = arith.muli %arg4, %c32 : index
// CHECK-NEXT:         %8 = arith.remui %arg4, %c3 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%8, 0] [1, 32] [1, 1] : memref<3x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %9 = arith.addi %7, %thread_id_x : index
// CHECK-NEXT:         %10 = memref.load %subview[%0] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         memref.store %10, %arg1[%9] : memref<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.func @groups(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) workgroup(%arg3 : memref<3x32xf32, #gpu.address_space<workgroup>>) kernel attributes {xgpu.own} {
// CHECK-NEXT:       %c3 = arith.constant 3 : index
// CHECK-NEXT:       %c2 = arith.constant 2 : index
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c31 = arith.constant 31 : index
// CHECK-NEXT:       %c32 = arith.constant 32 : index
// CHECK-NEXT:       %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %0 = arith.subi %c31, %thread_id_x : index
// CHECK-NEXT:       %1 = arith.maxsi %arg2, %c0 : index
// CHECK-NEXT:       %2 = nvgpu.device_async_create_group  {xgpu.empty}
// CHECK-NEXT:       %3:2 = scf.for %arg4 = %c0 to %c2 step %c1 iter_args(%arg5 = %2, %arg6 = %2) -> (!nvgpu.device.async.token, !nvgpu.device.async.token) {
// CHECK-NEXT:         %8 = arith.minsi %1, %c2 : index
// CHECK-NEXT:         %9 = arith.cmpi ult, %arg4, %8 : index
// CHECK-NEXT:         scf.if %9 {
// CHECK-NEXT:           %11 = arith.remui %arg4, %c3 : index
// CHECK-NEXT:           %subview = memref.subview %arg3[%11, 0] [1, 32] [1, 1] : memref<3x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %12 = arith.muli %arg4, %c32 : index
// CHECK-NEXT:           %13 = arith.addi %12, %thread_id_x : index
// CHECK-NEXT:           %14 = nvgpu.device_async_copy %arg0[%13], %subview[%thread_id_x], 1 : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         }
// CHECK-NEXT:         %10 = nvgpu.device_async_create_group  {xgpu.empty}
// CHECK-NEXT:         scf.yield %arg6, %10 : !nvgpu.device.async.token, !nvgpu.device.async.token
// CHECK-NEXT:       }
// CHECK-NEXT:       %4 = arith.subi %1, %c2 : index
// CHECK-NEXT:       %5 = arith.maxsi %4, %c0 : index
// CHECK-NEXT:       %6:3 = scf.for %arg4 = %c0 to %5 step %c1 iter_args(%arg5 = %cst, %arg6 = %3#0, %arg7 = %3#1) -> (f32, !nvgpu.device.async.token, !nvgpu.device.async.token) {
// CHECK-NEXT:         nvgpu.device_async_wait %arg6 {numGroups = 1 : i32}
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %8 = arith.addi %arg4, %c2 : index
// CHECK-NEXT:         %9 = arith.remui %8, %c3 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%9, 0] [1, 32] [1, 1] : memref<3x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %10 = arith.muli %8, %c32 : index
// CHECK-NEXT:         %11 = arith.addi %10, %thread_id_x : index
// CHECK-NEXT:         %12 = nvgpu.device_async_copy %arg0[%11], %subview[%thread_id_x], 1 : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %13 = nvgpu.device_async_create_group %12
// CHECK-NEXT:         %14 = arith.remui %arg4, %c3 : index
// CHECK-NEXT:         %subview_0 = memref.subview %arg3[%14, 0] [1, 32] [1, 1] : memref<3x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %15 = memref.load %subview_0[%0] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %16 = arith.addf %arg5, %15 : f32
// CHECK-NEXT:         scf.yield %16, %arg7, %13 : f32, !nvgpu.device.async.token, !nvgpu.device.async.token
// CHECK-NEXT:       }
// CHECK-NEXT:       %7:3 = scf.for %arg4 = %5 to %1 step %c1 iter_args(%arg5 = %6#0, %arg6 = %6#1, %arg7 = %6#2) -> (f32, !nvgpu.device.async.token, !nvgpu.device.async.token) {
// CHECK-NEXT:         nvgpu.device_async_wait %arg6 {numGroups = 1 : i32}
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %8 = nvgpu.device_async_create_group  {xgpu.empty}
// CHECK-NEXT:         %9 = arith.remui %arg4, %c3 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%9, 0] [1, 32] [1, 1] : memref<3x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %10 = memref.load %subview[%0] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %11 = arith.addf %arg5, %10 : f32
// CHECK-NEXT:         scf.yield %11, %arg7, %8 : f32, !nvgpu.device.async.token, !nvgpu.device.async.token
// CHECK-NEXT:       }
// CHECK-NEXT:       memref.store %7#0, %arg1[%thread_id_x] : memref<?xf32>
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// NOW: module {
// NOW-NEXT:   gpu.module @kernels {
// NOW-NEXT:     gpu.func @stores(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) workgroup(%arg3 : memref<2x32xf32, #gpu.address_space<workgroup>>) kernel attributes {xgpu.own} {
// NOW-NEXT:       %c2 = arith.constant 2 : index
// NOW-NEXT:       %c0 = arith.constant 0 : index
// NOW-NEXT:       %c1 = arith.constant 1 : index
// NOW-NEXT:       %c31 = arith.constant 31 : index
// NOW-NEXT:       %c32 = arith.constant 32 : index
// NOW-NEXT:       %thread_id_x = gpu.thread_id  x
// NOW-NEXT:       %0 = arith.subi %c31, %thread_id_x : index
// NOW-NEXT:       %1 = arith.maxsi %arg2, %c0 : index
// NOW-NEXT:       %2 = arith.addi %1, %c31 : index
// NOW-NEXT:       %3 = arith.divui %2, %c32 : index
// NOW-NEXT:       %4 = arith.maxsi %3, %c0 : index
// NOW-NEXT:       scf.for %arg4 = %c0 to %4 step %c1 {
// NOW-NEXT:         %5 = arith.muli %arg4, %c32 : index
// NOW-NEXT:         %6 = arith.remui %arg4, %c2 : index
// NOW-NEXT:         %subview = memref.subview %arg3[%6, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// NOW-NEXT:         %7 = arith.addi %5, %thread_id_x : index
// NOW-NEXT:         %8 = memref.load %arg0[%7] : memref<?xf32>
// NOW-NEXT:         memref.store %8, %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// NOW-NEXT:         gpu.barrier
// NOW-NEXT:         %9 = memref.load %subview[%0] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// NOW-NEXT:         memref.store %9, %arg1[%7] : memref<?xf32>
// NOW-NEXT:       }
// NOW-NEXT:       gpu.return
// NOW-NEXT:     }
// NOW-NEXT:     gpu.func @groups(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) workgroup(%arg3 : memref<2x32xf32, #gpu.address_space<workgroup>>) kernel attributes {xgpu.own} {
// NOW-NEXT:       %c2 = arith.constant 2 : index
// NOW-NEXT:       %c0 = arith.constant 0 : index
// NOW-NEXT:       %c1 = arith.constant 1 : index
// NOW-NEXT:       %c31 = arith.constant 31 : index
// NOW-NEXT:       %c32 = arith.constant 32 : index
// NOW-NEXT:       %cst = arith.constant 0.000000e+00 : f32
// NOW-NEXT:       %thread_id_x = gpu.thread_id  x
// NOW-NEXT:       %0 = arith.subi %c31, %thread_id_x : index
// NOW-NEXT:       %1 = arith.maxsi %arg2, %c0 : index
// NOW-NEXT:       %2 = arith.maxsi %1, %c0 : index
// NOW-NEXT:       %3 = scf.for %arg4 = %c0 to %2 step %c1 iter_args(%arg5 = %cst) -> (f32) {
// NOW-NEXT:         %4 = arith.remui %arg4, %c2 : index
// NOW-NEXT:         %subview = memref.subview %arg3[%4, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// NOW-NEXT:         %5 = arith.muli %arg4, %c32 : index
// NOW-NEXT:         %6 = arith.addi %5, %thread_id_x : index
// NOW-NEXT:         %7 = nvgpu.device_async_copy %arg0[%6], %subview[%thread_id_x], 1 : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// NOW-NEXT:         %8 = nvgpu.device_async_create_group %7
// NOW-NEXT:         nvgpu.device_async_wait %8 {numGroups = 0 : i32}
// NOW-NEXT:         gpu.barrier
// NOW-NEXT:         %9 = memref.load %subview[%0] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// NOW-NEXT:         %10 = arith.addf %arg5, %9 : f32
// NOW-NEXT:         scf.yield %10 : f32
// NOW-NEXT:       }
// NOW-NEXT:       memref.store %3, %arg1[%thread_id_x] : memref<?xf32>
// NOW-NEXT:       gpu.return
// NOW-NEXT:     }
// NOW-NEXT:   }
// NOW-NEXT: }
gpu.module @kernels {
  gpu.func @stores(%in: memref<?xf32>, %out: memref<?xf32>, %n: index)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %other = arith.subi %c31, %t : index
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      %v = memref.load %in[%k] : memref<?xf32>
      memref.store %v, %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = memref.load %tile[%other] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer}
    gpu.return
  }
  gpu.func @groups(%in: memref<?xf32>, %out: memref<?xf32>, %n: index)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %f0 = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %other = arith.subi %c31, %t : index
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %f0) -> f32 {
      %row = arith.muli %i, %c32 : index
      %k = arith.addi %row, %t : index
      %token = nvgpu.device_async_copy %in[%k], %tile[%t], 1 : memref<?xf32> to memref<32xf32, #gpu.address_space<workgroup>>
      %group = nvgpu.device_async_create_group %token
      nvgpu.device_async_wait %group
      gpu.barrier
      %x = memref.load %tile[%other] : memref<32xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %acc, %x : f32
      gpu.barrier
      scf.yield %next : f32
    } {xgpu.circular_buffer}
    memref.store %sum, %out[%t] : memref<?xf32>
    gpu.return
  }
}
