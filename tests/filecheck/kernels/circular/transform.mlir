// RUN: xgpu-opt %s --transform-interpreter --canonicalize --cse | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @stores(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: index) workgroup(%arg3 : memref<4x32xf32, #gpu.address_space<workgroup>>) kernel {
// CHECK-NEXT:       %c4 = arith.constant 4 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c2 = arith.constant 2 : index
// CHECK-NEXT:       %c31 = arith.constant 31 : index
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c32 = arith.constant 32 : index
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %0 = arith.maxsi %arg2, %c0 : index
// CHECK-NEXT:       %1 = arith.addi %0, %c31 : index
// CHECK-NEXT:       %2 = arith.divui %1, %c32 : index
// CHECK-NEXT:       %3 = arith.minsi %2, %c2 : index
// CHECK-NEXT:       scf.for %arg4 = %c0 to %3 step %c1 {
// CHECK-NEXT:         %6 = arith.muli %arg4, %c32 : index
// CHECK-NEXT:         %7 = arith.remui %arg4, %c4 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%7, 0] [1, 32] [1, 1] : memref<4x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %8 = arith.addi %6, %thread_id_x : index
// CHECK-NEXT:         %9 = memref.load %arg0[%8] : memref<?xf32>
// CHECK-NEXT:         memref.store %9, %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:       }
// CHECK-NEXT:       %4 = arith.subi %2, %c2 : index
// CHECK-NEXT:       %5 = arith.maxsi %4, %c0 : index
// CHECK-NEXT:       scf.for %arg4 = %c0 to %5 step %c1 {
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %6 = arith.addi %arg4, %c2 : index
// CHECK-NEXT:         %7 = arith.muli %6, %c32 : index
// CHECK-NEXT:         %8 = arith.remui %6, %c4 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%8, 0] [1, 32] [1, 1] : memref<4x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %9 = arith.addi %7, %thread_id_x : index
// CHECK-NEXT:         %10 = memref.load %arg0[%9] : memref<?xf32>
// CHECK-NEXT:         memref.store %10, %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %11 = arith.muli %arg4, %c32 : index
// CHECK-NEXT:         %12 = arith.remui %arg4, %c4 : index
// CHECK-NEXT:         %subview_0 = memref.subview %arg3[%12, 0] [1, 32] [1, 1] : memref<4x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %13 = arith.addi %11, %thread_id_x : index
// CHECK-NEXT:         %14 = memref.load %subview_0[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         memref.store %14, %arg1[%13] : memref<?xf32>
// CHECK-NEXT:       } {main_loop}
// CHECK-NEXT:       scf.for %arg4 = %5 to %2 step %c1 {
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %6 = arith.muli %arg4, %c32 : index
// CHECK-NEXT:         %7 = arith.remui %arg4, %c4 : index
// CHECK-NEXT:         %subview = memref.subview %arg3[%7, 0] [1, 32] [1, 1] : memref<4x32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %8 = arith.addi %6, %thread_id_x : index
// CHECK-NEXT:         %9 = memref.load %subview[%thread_id_x] : memref<32xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         memref.store %9, %arg1[%8] : memref<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
gpu.module @kernels {
  gpu.func @stores(%in: memref<?xf32>, %out: memref<?xf32>, %n: index)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      %v = memref.load %in[%k] : memref<?xf32>
      memref.store %v, %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = memref.load %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
    }
    gpu.return
  }
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.xgpu.circular_buffer %0 {mode = "pipelined", prefetch = 2 : i64, stages = 4 : i64} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.annotate %1 "main_loop" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %main = transform.xgpu.circular_buffer %loop {stages = 4, prefetch = 2, mode = "pipelined"} : (!transform.any_op) -> !transform.any_op
    transform.annotate %main "main_loop" : !transform.any_op
    transform.yield
  }
}
