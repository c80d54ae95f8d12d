// A marked loop runs its copy ahead, into two buffers used in turn.
// RUN: xgpu-opt %s --circular-buffer | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @f(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) workgroup(%arg3 : memref<2x32xf32, #gpu.address_space<workgroup>>) kernel attributes {xgpu.own} {
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c32 = arith.constant 32 : index
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %c0_0 = arith.constant 0 : index
// CHECK-NEXT:       %0 = arith.maxsi %arg2, %c0_0 : index
// CHECK-NEXT:       %c31 = arith.constant 31 : index
// CHECK-NEXT:       %1 = arith.addi %0, %c31 : index
// CHECK-NEXT:       %c32_1 = arith.constant 32 : index
// CHECK-NEXT:       %2 = arith.divui %1, %c32_1 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %3 = arith.minsi %2, %c1 : index
// CHECK-NEXT:       %c0_2 = arith.constant 0 : index
// CHECK-NEXT:       %c1_3 = arith.constant 1 : index
// CHECK-NEXT:       scf.for %arg4 = %c0_2 to %3 step %c1_3 {
// CHECK-NEXT:         %c32_9 = arith.constant 32 : index
// CHECK-NEXT:         %6 = arith.muli %arg4, %c32_9 : index
// CHECK-NEXT:         %c2 = arith.constant 2 : index
// CHECK-NEXT:         %7 = arith.remui %arg4, %c2 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%7, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %c0_10 = arith.constant 0 : index
// CHECK-NEXT:         %8 = arith.addi %6, %thread_id_x : index
// CHECK-NEXT:         %9 = memref.load %arg0[%8] : memref<?xf32>
// CHECK-NEXT:         memref.store %9, %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:       }
// CHECK-NEXT:       %c1_4 = arith.constant 1 : index
// CHECK-NEXT:       %4 = arith.subi %2, %c1_4 : index
// CHECK-NEXT:       %c0_5 = arith.constant 0 : index
// CHECK-NEXT:       %5 = arith.maxsi %4, %c0_5 : index
// CHECK-NEXT:       %c0_6 = arith.constant 0 : index
// CHECK-NEXT:       %c1_7 = arith.constant 1 : index
// CHECK-NEXT:       scf.for %arg4 = %c0_6 to %5 step %c1_7 {
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %c1_9 = arith.constant 1 : index
// CHECK-NEXT:         %6 = arith.addi %arg4, %c1_9 : index
// CHECK-NEXT:         %c32_10 = arith.constant 32 : index
// CHECK-NEXT:         %7 = arith.muli %6, %c32_10 : index
// CHECK-NEXT:         %c2 = arith.constant 2 : index
// CHECK-NEXT:         %8 = arith.remui %6, %c2 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%8, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %c0_11 = arith.constant 0 : index
// CHECK-NEXT:         %9 = arith.addi %7, %thread_id_x : index
// CHECK-NEXT:         %10 = memref.load %arg0[%9] : memref<?xf32>
// CHECK-NEXT:         memref.store %10, %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %c32_12 = arith.constant 32 : index
// CHECK-NEXT:         %11 = arith.muli %arg4, %c32_12 : index
// CHECK-NEXT:         %c2_13 = arith.constant 2 : index
// CHECK-NEXT:         %12 = arith.remui %arg4, %c2_13 : index
// CHECK-NEXT:         %subview_14 = memref.subview %arg3[%12, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %c0_15 = arith.constant 0 : index
// CHECK-NEXT:         %13 = arith.addi %11, %thread_id_x : index
// CHECK-NEXT:         %14 = memref.load %arg0[%13] : memref<?xf32>
// CHECK-NEXT:         %15 = memref.load %subview_14[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         memref.store %15, %arg1[%13] : memref<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %c1_8 = arith.constant 1 : index
// CHECK-NEXT:       scf.for %arg4 = %5 to %2 step %c1_8 {
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %c32_9 = arith.constant 32 : index
// CHECK-NEXT:         %6 = arith.muli %arg4, %c32_9 : index
// CHECK-NEXT:         %c2 = arith.constant 2 : index
// CHECK-NEXT:         %7 = arith.remui %arg4, %c2 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%7, 0] [1, 32] [1, 1] : memref<2x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %c0_10 = arith.constant 0 : index
// CHECK-NEXT:         %8 = arith.addi %6, %thread_id_x : index
// CHECK-NEXT:         %9 = memref.load %arg0[%8] : memref<?xf32>
// CHECK-NEXT:         %10 = memref.load %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         memref.store %10, %arg1[%8] : memref<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @f(%in: memref<?xf32>, %out: memref<?xf32>, %n: index)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c32 {
      %j = arith.addi %i, %t : index
      %v = memref.load %in[%j] : memref<?xf32>
      memref.store %v, %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = arith.subi %c32, %t : index
      %w = memref.load %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %w, %out[%j] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer = {stages = 2 : i64}}
    gpu.return
  }
}
