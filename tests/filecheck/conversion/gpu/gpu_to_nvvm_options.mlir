// RUN: xgpu-opt --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm{index-bitwidth=32}))" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true}))" %s | filecheck %s --match-full-lines --check-prefix=BARE
// RUN: xgpu-opt --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm{allowed-dialects=func,math}))" %s | filecheck %s --match-full-lines --check-prefix=ALLOWED

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     llvm.func @__nv_expf(f32) -> f32
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: f32) attributes {gpu.kernel, nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// CHECK-NEXT:       %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// CHECK-NEXT:       %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// CHECK-NEXT:       %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// CHECK-NEXT:       %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// CHECK-NEXT:       %5 = llvm.insertvalue %arg4, %4[4, 0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// CHECK-NEXT:       %6 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:       %7 = llvm.call @__nv_expf(%arg5) : (f32) -> f32
// CHECK-NEXT:       %8 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// CHECK-NEXT:       %9 = llvm.getelementptr inbounds|nuw %8[%6] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       llvm.store %7, %9 : f32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// BARE: module {
// BARE-NEXT:   gpu.module @kernels {
// BARE-NEXT:     llvm.func @__nv_expf(f32) -> f32
// BARE-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: f32) attributes {gpu.kernel, nvvm.kernel} {
// BARE-NEXT:       %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BARE-NEXT:       %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BARE-NEXT:       %2 = llvm.insertvalue %arg0, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BARE-NEXT:       %3 = llvm.mlir.constant(0 : index) : i64
// BARE-NEXT:       %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BARE-NEXT:       %5 = llvm.mlir.constant(16 : index) : i64
// BARE-NEXT:       %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BARE-NEXT:       %7 = llvm.mlir.constant(1 : index) : i64
// BARE-NEXT:       %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BARE-NEXT:       %9 = nvvm.read.ptx.sreg.tid.x : i32
// BARE-NEXT:       %10 = llvm.sext %9 : i32 to i64
// BARE-NEXT:       %11 = llvm.call @__nv_expf(%arg1) : (f32) -> f32
// BARE-NEXT:       %12 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BARE-NEXT:       %13 = llvm.getelementptr inbounds|nuw %12[%10] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// BARE-NEXT:       llvm.store %11, %13 : f32, !llvm.ptr
// BARE-NEXT:       llvm.return
// BARE-NEXT:     }
// BARE-NEXT:   }
// BARE-NEXT: }
// ALLOWED: module {
// ALLOWED-NEXT:   gpu.module @kernels {
// ALLOWED-NEXT:     llvm.func @__nv_expf(f32) -> f32
// ALLOWED-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: f32) attributes {gpu.kernel, nvvm.kernel} {
// ALLOWED-NEXT:       %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// ALLOWED-NEXT:       %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// ALLOWED-NEXT:       %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// ALLOWED-NEXT:       %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// ALLOWED-NEXT:       %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// ALLOWED-NEXT:       %5 = llvm.insertvalue %arg4, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// ALLOWED-NEXT:       %6 = builtin.unrealized_conversion_cast %5 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<16xf32>
// ALLOWED-NEXT:       %7 = nvvm.read.ptx.sreg.tid.x : i32
// ALLOWED-NEXT:       %8 = llvm.sext %7 : i32 to i64
// ALLOWED-NEXT:       %9 = builtin.unrealized_conversion_cast %8 : i64 to index
// ALLOWED-NEXT:       %10 = llvm.call @__nv_expf(%arg5) : (f32) -> f32
// ALLOWED-NEXT:       memref.store %10, %6[%9] : memref<16xf32>
// ALLOWED-NEXT:       llvm.return
// ALLOWED-NEXT:     }
// ALLOWED-NEXT:   }
// ALLOWED-NEXT: }
gpu.module @kernels {
  gpu.func @k(%m: memref<16xf32>, %x: f32) kernel {
    %i = gpu.thread_id x
    %e = math.exp %x : f32
    memref.store %e, %m[%i] : memref<16xf32>
    gpu.return
  }
}
