// RUN: xgpu-opt %s --gpu-to-llvm --reconcile-unrealized-casts | filecheck %s --match-full-lines
// async.execute takes and gives what gpu operations have become: values in descriptors, tokens as
// events of the stream that the body has of its own.

func.func @forward(%n: index) -> i32 {
  %t0, %f0 = async.execute () -> !async.value<memref<?xi32>> {
    %w = gpu.wait async
    %b, %w1 = gpu.alloc async [%w] (%n) : memref<?xi32>
    gpu.wait [%w1]
    async.yield %b : memref<?xi32>
  }
  %t1, %f1 = async.execute (%f0 as %b: !async.value<memref<?xi32>>) -> !async.value<!gpu.async.token> {
    %w = gpu.wait async
    %w1 = gpu.dealloc async [%w] %b : memref<?xi32>
    async.yield %w1 : !gpu.async.token
  }
  %r = async.await %f1 : !async.value<!gpu.async.token>
  gpu.wait [%r]
  %c = arith.constant 0 : i32
  return %c : i32
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @forward(%arg0: i64) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %token, %bodyResults = async.execute -> !async.value<!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>> {
// CHECK-NEXT:       %2 = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
// CHECK-NEXT:       %3 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:       %4 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:       %5 = llvm.getelementptr %4[%arg0] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:       %6 = llvm.ptrtoint %5 : !llvm.ptr to i64
// CHECK-NEXT:       %7 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:       %8 = llvm.mlir.constant(0 : i8) : i8
// CHECK-NEXT:       %9 = llvm.call @mgpuMemAlloc(%6, %2, %8) : (i64, !llvm.ptr, i8) -> !llvm.ptr
// CHECK-NEXT:       %10 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %11 = llvm.insertvalue %9, %10[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %12 = llvm.insertvalue %9, %11[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %13 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:       %14 = llvm.insertvalue %13, %12[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %15 = llvm.insertvalue %arg0, %14[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %16 = llvm.insertvalue %3, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       llvm.call @mgpuStreamSynchronize(%2) : (!llvm.ptr) -> ()
// CHECK-NEXT:       llvm.call @mgpuStreamDestroy(%2) : (!llvm.ptr) -> ()
// CHECK-NEXT:       async.yield %16 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     }
// CHECK-NEXT:     %token_0, %bodyResults_1 = async.execute (%bodyResults as %arg1: !async.value<!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>>) -> !async.value<!llvm.ptr> {
// CHECK-NEXT:       %2 = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
// CHECK-NEXT:       %3 = llvm.extractvalue %arg1[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       llvm.call @mgpuMemFree(%3, %2) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:       %4 = llvm.call @mgpuEventCreate() : () -> !llvm.ptr
// CHECK-NEXT:       llvm.call @mgpuEventRecord(%4, %2) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:       llvm.call @mgpuStreamDestroy(%2) : (!llvm.ptr) -> ()
// CHECK-NEXT:       async.yield %4 : !llvm.ptr
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = async.await %bodyResults_1 : !async.value<!llvm.ptr>
// CHECK-NEXT:     llvm.call @mgpuEventSynchronize(%1) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.call @mgpuEventDestroy(%1) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuStreamCreate() -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuMemAlloc(i64, !llvm.ptr, i8) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuStreamSynchronize(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuStreamDestroy(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuMemFree(!llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuEventCreate() -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuEventRecord(!llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuEventSynchronize(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuEventDestroy(!llvm.ptr)
// CHECK-NEXT: }
