// RUN: xgpu-opt %s --convert-mgpu-to-llvm | filecheck %s

func.func @calls(%s: !mgpu.stream, %a: memref<8xf32>, %b: memref<?xf32>, %peer: i32, %comm: !mpi.comm) {
  mgpu.comm_group_start %s
  mgpu.comm_all_reduce %s, %a, %b, MPI_MAX, %comm : memref<8xf32>, memref<?xf32>
  mgpu.comm_reduce_scatter %s, %b, %a, MPI_SUM, %comm : memref<?xf32>, memref<8xf32>
  mgpu.comm_all_gather %s, %a, %b, %comm : memref<8xf32>, memref<?xf32>
  mgpu.comm_all_to_all %s, %b, %b, %comm : memref<?xf32>, memref<?xf32>
  mgpu.comm_broadcast %s, %a, %peer, %comm : memref<8xf32>
  mgpu.comm_send %s, %a, %peer, %comm : memref<8xf32>
  mgpu.comm_receive %s, %b, %peer, %comm : memref<?xf32>
  mgpu.comm_group_end %s
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @calls(%arg0: !mgpu.stream, %arg1: memref<8xf32>, %arg2: memref<?xf32>, %arg3: i32, %arg4: !mpi.comm) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg4 : !mpi.comm to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg2 : memref<?xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg1 : memref<8xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = builtin.unrealized_conversion_cast %arg0 : !mgpu.stream to !llvm.ptr
// CHECK-NEXT:     llvm.call @mgpuCommGroupStart(%3) : (!llvm.ptr) -> ()
// CHECK-NEXT:     %4 = llvm.extractvalue %2[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %5 = llvm.mlir.constant(8 : index) : i64
// CHECK-NEXT:     %6 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %7 = llvm.extractvalue %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %8 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     %9 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:     llvm.call @mgpuCommAllReduce(%4, %6, %5, %8, %9, %0, %3) : (!llvm.ptr, !llvm.ptr, i64, i32, i32, i64, !llvm.ptr) -> ()
// CHECK-NEXT:     %10 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %11 = llvm.extractvalue %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %12 = llvm.extractvalue %2[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %13 = llvm.mlir.constant(8 : index) : i64
// CHECK-NEXT:     %14 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     %15 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     llvm.call @mgpuCommReduceScatter(%10, %12, %13, %14, %15, %0, %3) : (!llvm.ptr, !llvm.ptr, i64, i32, i32, i64, !llvm.ptr) -> ()
// CHECK-NEXT:     %16 = llvm.extractvalue %2[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %17 = llvm.mlir.constant(8 : index) : i64
// CHECK-NEXT:     %18 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %19 = llvm.extractvalue %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %20 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     llvm.call @mgpuCommAllGather(%16, %18, %17, %20, %0, %3) : (!llvm.ptr, !llvm.ptr, i64, i32, i64, !llvm.ptr) -> ()
// CHECK-NEXT:     %21 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %22 = llvm.extractvalue %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %23 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %24 = llvm.extractvalue %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %25 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     llvm.call @mgpuCommAllToAll(%21, %23, %22, %25, %0, %3) : (!llvm.ptr, !llvm.ptr, i64, i32, i64, !llvm.ptr) -> ()
// CHECK-NEXT:     %26 = llvm.extractvalue %2[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %27 = llvm.mlir.constant(8 : index) : i64
// CHECK-NEXT:     %28 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     llvm.call @mgpuCommBroadcast(%26, %27, %28, %arg3, %0, %3) : (!llvm.ptr, i64, i32, i32, i64, !llvm.ptr) -> ()
// CHECK-NEXT:     %29 = llvm.extractvalue %2[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %30 = llvm.mlir.constant(8 : index) : i64
// CHECK-NEXT:     %31 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     llvm.call @mgpuCommSend(%29, %30, %31, %arg3, %0, %3) : (!llvm.ptr, i64, i32, i32, i64, !llvm.ptr) -> ()
// CHECK-NEXT:     %32 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %33 = llvm.extractvalue %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %34 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     llvm.call @mgpuCommReceive(%32, %33, %34, %arg3, %0, %3) : (!llvm.ptr, i64, i32, i32, i64, !llvm.ptr) -> ()
// CHECK-NEXT:     llvm.call @mgpuCommGroupEnd(%3) : (!llvm.ptr) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuCommGroupStart(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuCommAllReduce(!llvm.ptr, !llvm.ptr, i64, i32, i32, i64, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuCommReduceScatter(!llvm.ptr, !llvm.ptr, i64, i32, i32, i64, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuCommAllGather(!llvm.ptr, !llvm.ptr, i64, i32, i64, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuCommAllToAll(!llvm.ptr, !llvm.ptr, i64, i32, i64, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuCommBroadcast(!llvm.ptr, i64, i32, i32, i64, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuCommSend(!llvm.ptr, i64, i32, i32, i64, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuCommReceive(!llvm.ptr, i64, i32, i32, i64, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuCommGroupEnd(!llvm.ptr)
// CHECK-NEXT: }
