// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s

// A kernel is found and loaded once, after its module and before the program.
// CHECK-DAG: @kernels_k_function = internal global ptr null
// CHECK-DAG: @llvm.global_ctors = appending global {{.*}} { i32 124, ptr @kernels_k_resolve, ptr null }, {{.*}} { i32 123, ptr @kernels_load, ptr null }
module attributes {gpu.container_module} {
  // CHECK-LABEL: define ptr @handle()
  // CHECK-NEXT: %[[F:.*]] = load ptr, ptr @kernels_k_function
  // CHECK: ret ptr %[[F]]
  llvm.func @handle() -> !llvm.ptr {
    %0 = llvm.mlir.addressof @kernels_k_function : !llvm.ptr
    %1 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
    llvm.return %1 : !llvm.ptr
  }
  llvm.mlir.global external @kernels_k_function() {mgpu.kernel = @kernels::@k} : !llvm.ptr
  gpu.binary @kernels [#gpu.object<#nvvm.target, "BLOB">]
}
// CHECK: define internal void @kernels_k_resolve()
// CHECK: %[[M:.*]] = load ptr, ptr @kernels_module
// CHECK: %[[K:.*]] = call ptr @mgpuModuleGetFunction(ptr %[[M]], ptr @kernels_k_name)
// CHECK: call void @mgpuKernelPreload(ptr %[[K]])
// CHECK: store ptr %[[K]], ptr @kernels_k_function
