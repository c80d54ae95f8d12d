// RUN: xgpu-opt --gpu-to-llvm --split-input-file %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --convert-mgpu-to-llvm --split-input-file %s | filecheck %s --match-full-lines --check-prefix=MGPU

// Indices of the host have 64 bits, whatever the data layout says.

// MGPU: module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>, gpu.container_module} {
// MGPU-NEXT:   func.func @f(%arg0: index, %arg1: f32, %arg2: memref<*xf32>) {
// MGPU-NEXT:     %0 = gpu.wait async
// MGPU-NEXT:     %memref, %asyncToken = gpu.alloc async [%0] (%arg0) : memref<?xf32>
// MGPU-NEXT:     %1 = gpu.memset async [%asyncToken] %memref, %arg1 : memref<?xf32>, f32
// MGPU-NEXT:     gpu.host_register %arg2 : memref<*xf32>
// MGPU-NEXT:     gpu.wait [%1]
// MGPU-NEXT:     return
// MGPU-NEXT:   }
// MGPU-NEXT: }
module attributes {gpu.container_module, dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  func.func @f(%n: index, %c: f32, %u: memref<*xf32>) {
    %t = gpu.wait async
    %m, %t1 = gpu.alloc async [%t] (%n) : memref<?xf32>
    %t2 = gpu.memset async [%t1] %m, %c : memref<?xf32>, f32
    gpu.host_register %u : memref<*xf32>
    gpu.wait [%t2]
    return
  }
}

// CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>, gpu.container_module} {
// CHECK-NEXT:   llvm.func @f(%arg0: i64, %arg1: f32, %arg2: i64, %arg3: !llvm.ptr) {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg2, %0[0] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg3, %1[1] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %3 = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
// CHECK-NEXT:     %4 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %5 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %6 = llvm.getelementptr %5[%arg0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %7 = llvm.ptrtoint %6 : !llvm.ptr to i64
// CHECK-NEXT:     %8 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %9 = llvm.mlir.constant(0 : i8) : i8
// CHECK-NEXT:     %10 = llvm.call @mgpuMemAlloc(%7, %3, %9) : (i64, !llvm.ptr, i8) -> !llvm.ptr
// CHECK-NEXT:     %11 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %12 = llvm.insertvalue %10, %11[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %13 = llvm.insertvalue %10, %12[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %14 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %15 = llvm.insertvalue %14, %13[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %16 = llvm.insertvalue %arg0, %15[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %17 = llvm.insertvalue %4, %16[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %18 = llvm.extractvalue %17[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %19 = llvm.bitcast %arg1 : f32 to i32
// CHECK-NEXT:     %20 = llvm.extractvalue %17[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     llvm.call @mgpuMemset32(%20, %19, %18, %3) : (!llvm.ptr, i32, i64, !llvm.ptr) -> ()
// CHECK-NEXT:     %21 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %22 = llvm.getelementptr %21[1] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT:     %23 = llvm.ptrtoint %22 : !llvm.ptr to i64
// CHECK-NEXT:     %24 = llvm.extractvalue %2[0] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %25 = llvm.extractvalue %2[1] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     llvm.call @mgpuMemHostRegisterMemRef(%24, %25, %23) : (i64, !llvm.ptr, i64) -> ()
// CHECK-NEXT:     llvm.call @mgpuStreamSynchronize(%3) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.call @mgpuStreamDestroy(%3) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuStreamCreate() -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuMemAlloc(i64, !llvm.ptr, i8) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuMemset32(!llvm.ptr, i32, i64, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuMemHostRegisterMemRef(i64, !llvm.ptr, i64)
// CHECK-NEXT:   llvm.func @mgpuStreamSynchronize(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuStreamDestroy(!llvm.ptr)
// CHECK-NEXT: }

// -----

// Sizes of 32 bits are widened to what the runtime takes.

module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  func.func @f(%s: !mgpu.stream, %n: index) -> memref<?xf32> {
    %m = mgpu.alloc_async %s, (%n) : memref<?xf32>
    return %m : memref<?xf32>
  }
}

// CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
// CHECK-NEXT:   llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %1 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[%arg1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %3 = llvm.ptrtoint %2 : !llvm.ptr to i64
// CHECK-NEXT:     %4 = llvm.call @mgpuMemAllocAsync(%3, %arg0) : (i64, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     %5 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %6 = llvm.insertvalue %4, %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %7 = llvm.insertvalue %4, %6[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %8 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %9 = llvm.insertvalue %8, %7[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %10 = llvm.insertvalue %arg1, %9[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %11 = llvm.insertvalue %0, %10[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     llvm.return %11 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuMemAllocAsync(i64, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT: }

// MGPU: module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
// MGPU-NEXT:   func.func @f(%arg0: !mgpu.stream, %arg1: index) -> memref<?xf32> {
// MGPU-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : index to i32
// MGPU-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : !mgpu.stream to !llvm.ptr
// MGPU-NEXT:     %2 = llvm.mlir.constant(1 : index) : i32
// MGPU-NEXT:     %3 = llvm.mlir.zero : !llvm.ptr
// MGPU-NEXT:     %4 = llvm.getelementptr %3[%0] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// MGPU-NEXT:     %5 = llvm.ptrtoint %4 : !llvm.ptr to i32
// MGPU-NEXT:     %6 = llvm.zext %5 : i32 to i64
// MGPU-NEXT:     %7 = llvm.call @mgpuMemAllocAsync(%6, %1) : (i64, !llvm.ptr) -> !llvm.ptr
// MGPU-NEXT:     %8 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// MGPU-NEXT:     %9 = llvm.insertvalue %7, %8[0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// MGPU-NEXT:     %10 = llvm.insertvalue %7, %9[1] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// MGPU-NEXT:     %11 = llvm.mlir.constant(0 : index) : i32
// MGPU-NEXT:     %12 = llvm.insertvalue %11, %10[2] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// MGPU-NEXT:     %13 = llvm.insertvalue %0, %12[3, 0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// MGPU-NEXT:     %14 = llvm.insertvalue %2, %13[4, 0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// MGPU-NEXT:     %15 = builtin.unrealized_conversion_cast %14 : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)> to memref<?xf32>
// MGPU-NEXT:     return %15 : memref<?xf32>
// MGPU-NEXT:   }
// MGPU-NEXT:   llvm.func @mgpuMemAllocAsync(i64, !llvm.ptr) -> !llvm.ptr
// MGPU-NEXT: }
