// RUN: xgpu-opt %s --pass-pipeline="builtin.module(circular-buffer{mode=pipelined},canonicalize,cse)" | filecheck %s --match-full-lines
// The deeper buffer is filled three iterations ahead, the other one: its copies come two steps later.

!tile = memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @two(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) workgroup(%arg3 : memref<2x32xf32, #gpu.address_space<workgroup>>, %arg4 : memref<4x32xf32, #gpu.address_space<workgroup>>) kernel attributes {xgpu.own} {
// CHECK-NEXT:       %c4 = arith.constant 4 : index
// CHECK-NEXT:       %c2 = arith.constant 2 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c3 = arith.constant 3 : index
// CHECK-NEXT:       %c31 = arith.constant 31 : index
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c32 = arith.constant 32 : index
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %0 = arith.maxsi %arg2, %c0 : index
// CHECK-NEXT:       %1 = arith.addi %0, %c31 : index
// CHECK-NEXT:       %2 = arith.divui %1, %c32 : index
// CHECK-NEXT:       %3 = nvgpu.device_async_create_group  {xgpu.empty}
// CHECK-NEXT:       %4 = scf.for %arg5 = %c0 to %c3 step %c1 iter_args(%arg6 = %3) -> (!nvgpu.device.async.token) {
// CHECK-NEXT:         %9 = arith.addi %2, %c2 : index
// CHECK-NEXT:         %10 = arith.minsi %9, %c3 : index
// CHECK-NEXT:         %11 = arith.cmpi ult, %arg5, %10 : index
// CHECK-NEXT:         %12 = arith.cmpi uge, %arg5, %c2 : index
// CHECK-NEXT:         %13 = arith.andi %11, %12 : i1
// CHECK-NEXT:         %14 = arith.subi %arg5, %c2 : index
// CHECK-NEXT:         scf.if %13 {
// CHECK-NEXT:           %18 = arith.muli %14, %c32 : index
// CHECK-NEXT:           %19 = arith.remui %14, %c2 : index
// CHECK-NEXT:           %subview = memref.subview %arg3[%19, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %20 = arith.addi %18, %thread_id_x : index
// CHECK-NEXT:           %21 = nvgpu.device_async_copy %arg0[%20], %subview[%thread_id_x], 1 : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         }
// CHECK-NEXT:         %15 = arith.minsi %2, %c3 : index
// CHECK-NEXT:         %16 = arith.cmpi ult, %arg5, %15 : index
// CHECK-NEXT:         scf.if %16 {
// CHECK-NEXT:           %18 = arith.muli %arg5, %c32 : index
// CHECK-NEXT:           %19 = arith.remui %arg5, %c4 : index
// CHECK-NEXT:           %subview = memref.subview %arg4[%19, 0] [1, 32] [1, 1] : memref<4x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %20 = arith.addi %18, %thread_id_x : index
// CHECK-NEXT:           %21 = nvgpu.device_async_copy %arg0[%20], %subview[%thread_id_x], 1 : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         }
// CHECK-NEXT:         %17 = nvgpu.device_async_create_group  {xgpu.empty}
// CHECK-NEXT:         scf.yield %17 : !nvgpu.device.async.token
// CHECK-NEXT:       }
// CHECK-NEXT:       %5 = arith.subi %2, %c3 : index
// CHECK-NEXT:       %6 = arith.maxsi %5, %c0 : index
// CHECK-NEXT:       %7 = scf.for %arg5 = %c0 to %6 step %c1 iter_args(%arg6 = %4) -> (!nvgpu.device.async.token) {
// CHECK-NEXT:         nvgpu.device_async_wait %arg6 {numGroups = 0 : i32}
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %9 = arith.addi %arg5, %c1 : index
// CHECK-NEXT:         %10 = arith.muli %9, %c32 : index
// CHECK-NEXT:         %11 = arith.remui %9, %c2 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%11, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %12 = arith.addi %10, %thread_id_x : index
// CHECK-NEXT:         %13 = nvgpu.device_async_copy %arg0[%12], %subview[%thread_id_x], 1 : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %14 = arith.addi %arg5, %c3 : index
// CHECK-NEXT:         %15 = arith.muli %14, %c32 : index
// CHECK-NEXT:         %16 = arith.remui %14, %c4 : index
// CHECK-NEXT:         %subview_0 = memref.subview %arg4[%16, 0] [1, 32] [1, 1] : memref<4x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %17 = arith.addi %15, %thread_id_x : index
// CHECK-NEXT:         %18 = nvgpu.device_async_copy %arg0[%17], %subview_0[%thread_id_x], 1 : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %19 = nvgpu.device_async_create_group %13, %18
// CHECK-NEXT:         %20 = arith.muli %arg5, %c32 : index
// CHECK-NEXT:         %21 = arith.remui %arg5, %c2 : index
// CHECK-NEXT:         %subview_1 = memref.subview %arg3[%21, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %22 = arith.remui %arg5, %c4 : index
// CHECK-NEXT:         %subview_2 = memref.subview %arg4[%22, 0] [1, 32] [1, 1] : memref<4x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %23 = arith.addi %20, %thread_id_x : index
// CHECK-NEXT:         %24 = memref.load %subview_1[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %25 = memref.load %subview_2[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %26 = arith.addf %24, %25 : f32
// CHECK-NEXT:         memref.store %26, %arg1[%23] : memref<?xf32>
// CHECK-NEXT:         scf.yield %19 : !nvgpu.device.async.token
// CHECK-NEXT:       }
// CHECK-NEXT:       %8 = scf.for %arg5 = %6 to %2 step %c1 iter_args(%arg6 = %7) -> (!nvgpu.device.async.token) {
// CHECK-NEXT:         nvgpu.device_async_wait %arg6 {numGroups = 0 : i32}
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %9 = arith.addi %arg5, %c1 : index
// CHECK-NEXT:         %10 = arith.cmpi ult, %9, %2 : index
// CHECK-NEXT:         scf.if %10 {
// CHECK-NEXT:           %19 = arith.muli %9, %c32 : index
// CHECK-NEXT:           %20 = arith.remui %9, %c2 : index
// CHECK-NEXT:           %subview_1 = memref.subview %arg3[%20, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %21 = arith.addi %19, %thread_id_x : index
// CHECK-NEXT:           %22 = nvgpu.device_async_copy %arg0[%21], %subview_1[%thread_id_x], 1 : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         }
// CHECK-NEXT:         %11 = nvgpu.device_async_create_group  {xgpu.empty}
// CHECK-NEXT:         %12 = arith.muli %arg5, %c32 : index
// CHECK-NEXT:         %13 = arith.remui %arg5, %c2 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%13, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %14 = arith.remui %arg5, %c4 : index
// CHECK-NEXT:         %subview_0 = memref.subview %arg4[%14, 0] [1, 32] [1, 1] : memref<4x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %15 = arith.addi %12, %thread_id_x : index
// CHECK-NEXT:         %16 = memref.load %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %17 = memref.load %subview_0[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %18 = arith.addf %16, %17 : f32
// CHECK-NEXT:         memref.store %18, %arg1[%15] : memref<?xf32>
// CHECK-NEXT:         scf.yield %11 : !nvgpu.device.async.token
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @two(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) workgroup(%near: !tile, %far: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      %a = nvgpu.device_async_copy %in[%k], %near[%t], 1 : memref<?xf32> to !tile
      %b = nvgpu.device_async_copy %in[%k], %far[%t], 1 {xgpu.circular_buffer = {stages = 4, prefetch = 3}} : memref<?xf32> to !tile
      %g = nvgpu.device_async_create_group %a, %b
      nvgpu.device_async_wait %g
      gpu.barrier
      %x = memref.load %near[%t] : !tile
      %y = memref.load %far[%t] : !tile
      %z = arith.addf %x, %y : f32
      memref.store %z, %out[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer = {stages = 2, prefetch = 1}}
    gpu.return
  }
}
