// RUN: xgpu-opt %s --pass-pipeline="builtin.module(circular-buffer{stages=4 prefetch=1},canonicalize,cse)" | filecheck %s --match-full-lines
// Up to two bulk stores may read stages while the third is filled; none may when the loop begins again.

!tile = memref<64xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @stored(%arg0: memref<?xf32>, %arg1: !nvgpu.tensormap.descriptor<tensor = memref<64xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %arg2: index) workgroup(%arg3 : memref<4x64xf32, #gpu.address_space<workgroup>>) kernel attributes {xgpu.own} {
// CHECK-NEXT:       %c4 = arith.constant 4 : index
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %c64 = arith.constant 64 : index
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %0 = arith.cmpi eq, %thread_id_x, %c0 : index
// CHECK-NEXT:       scf.for %arg4 = %c0 to %arg2 step %c1 {
// CHECK-NEXT:         %1 = arith.maxsi %arg2, %c0 : index
// CHECK-NEXT:         %2 = arith.minsi %1, %c1 : index
// CHECK-NEXT:         scf.for %arg5 = %c0 to %2 step %c1 {
// CHECK-NEXT:           %5 = arith.remui %arg5, %c4 : index
// CHECK-NEXT:           %subview = memref.subview %arg3[%5, 0] [1, 64] [1, 1] : memref<4x64xf32, #gpu.address_space<workgroup>> to memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %6 = arith.muli %arg5, %c64 : index
// CHECK-NEXT:           %7 = arith.addi %6, %thread_id_x : index
// CHECK-NEXT:           %8 = memref.load %arg0[%7] : memref<?xf32>
// CHECK-NEXT:           memref.store %8, %subview[%thread_id_x] : memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:         }
// CHECK-NEXT:         %3 = arith.subi %1, %c1 : index
// CHECK-NEXT:         %4 = arith.maxsi %3, %c0 : index
// CHECK-NEXT:         scf.for %arg5 = %c0 to %4 step %c1 {
// CHECK-NEXT:           nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:           gpu.barrier
// CHECK-NEXT:           %5 = arith.addi %arg5, %c1 : index
// CHECK-NEXT:           %6 = arith.remui %5, %c4 : index
// CHECK-NEXT:           %subview = memref.subview %arg3[%6, 0] [1, 64] [1, 1] : memref<4x64xf32, #gpu.address_space<workgroup>> to memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %7 = arith.muli %5, %c64 : index
// CHECK-NEXT:           %8 = arith.addi %7, %thread_id_x : index
// CHECK-NEXT:           %9 = memref.load %arg0[%8] : memref<?xf32>
// CHECK-NEXT:           memref.store %9, %subview[%thread_id_x] : memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %10 = arith.remui %arg5, %c4 : index
// CHECK-NEXT:           %subview_0 = memref.subview %arg3[%10, 0] [1, 64] [1, 1] : memref<4x64xf32, #gpu.address_space<workgroup>> to memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %11 = arith.muli %arg5, %c64 : index
// CHECK-NEXT:           nvgpu.tma.async.store %subview_0 to %arg1[%11], predicate = %0 : memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>> -> <tensor = memref<64xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
// CHECK-NEXT:           nvvm.cp.async.bulk.commit.group
// CHECK-NEXT:           nvvm.cp.async.bulk.wait_group 2 {read}
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.for %arg5 = %4 to %1 step %c1 {
// CHECK-NEXT:           nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:           gpu.barrier
// CHECK-NEXT:           %5 = arith.remui %arg5, %c4 : index
// CHECK-NEXT:           %subview = memref.subview %arg3[%5, 0] [1, 64] [1, 1] : memref<4x64xf32, #gpu.address_space<workgroup>> to memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %6 = arith.muli %arg5, %c64 : index
// CHECK-NEXT:           nvgpu.tma.async.store %subview to %arg1[%6], predicate = %0 : memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>> -> <tensor = memref<64xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
// CHECK-NEXT:           nvvm.cp.async.bulk.commit.group
// CHECK-NEXT:           nvvm.cp.async.bulk.wait_group 2 {read}
// CHECK-NEXT:         }
// CHECK-NEXT:         nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @stored(%in: memref<?xf32>, %map: !map, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.for %o = %c0 to %n step %c1 {
      scf.for %i = %c0 to %n step %c1 {
        %row = arith.muli %i, %c64 : index
        %k = arith.addi %row, %t : index
        %v = memref.load %in[%k] : memref<?xf32>
        memref.store %v, %tile[%t] : !tile
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        gpu.barrier
        nvgpu.tma.async.store %tile to %map[%row], predicate = %first : !tile -> !map
        nvvm.cp.async.bulk.commit.group
        gpu.barrier
      } {xgpu.circular_buffer}
    }
    gpu.return
  }
}
