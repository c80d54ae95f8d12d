// RUN: xgpu-opt %s --convert-mgpu-to-llvm | filecheck %s

// Memory of the host that the device uses, the default device, and code that is compiled when it is
// loaded.

func.func @functions(%u: memref<*xf32>, %data: !llvm.ptr, %level: i32, %device: i32) {
  mgpu.set_default_device %device
  mgpu.host_register %u : memref<*xf32>
  %m = mgpu.module_load_jit %data, %level
  mgpu.module_unload %m
  mgpu.host_unregister %u : memref<*xf32>
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @functions(%arg0: memref<*xf32>, %arg1: !llvm.ptr, %arg2: i32, %arg3: i32) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : memref<*xf32> to !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     llvm.call @mgpuSetDefaultDevice(%arg3) : (i32) -> ()
// CHECK-NEXT:     %1 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[1] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT:     %3 = llvm.ptrtoint %2 : !llvm.ptr to i64
// CHECK-NEXT:     %4 = llvm.extractvalue %0[0] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %5 = llvm.extractvalue %0[1] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     llvm.call @mgpuMemHostRegisterMemRef(%4, %5, %3) : (i64, !llvm.ptr, i64) -> ()
// CHECK-NEXT:     %6 = llvm.call @mgpuModuleLoadJIT(%arg1, %arg2) : (!llvm.ptr, i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.call @mgpuModuleUnload(%6) : (!llvm.ptr) -> ()
// CHECK-NEXT:     %7 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %8 = llvm.getelementptr %7[1] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT:     %9 = llvm.ptrtoint %8 : !llvm.ptr to i64
// CHECK-NEXT:     %10 = llvm.extractvalue %0[0] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     %11 = llvm.extractvalue %0[1] : !llvm.struct<(i64, ptr)>
// CHECK-NEXT:     llvm.call @mgpuMemHostUnregisterMemRef(%10, %11, %9) : (i64, !llvm.ptr, i64) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuSetDefaultDevice(i32)
// CHECK-NEXT:   llvm.func @mgpuMemHostRegisterMemRef(i64, !llvm.ptr, i64)
// CHECK-NEXT:   llvm.func @mgpuModuleLoadJIT(!llvm.ptr, i32) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuModuleUnload(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuMemHostUnregisterMemRef(i64, !llvm.ptr, i64)
// CHECK-NEXT: }
