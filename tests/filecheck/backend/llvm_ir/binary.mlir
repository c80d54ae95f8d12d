// RUN: xgpu-translate --mlir-to-llvmir %s | filecheck %s

// CHECK:       %0 = type { i32 }
// CHECK:       @m_binary = internal constant [4 x i8] c"ptx\00", section "where", align 8
// CHECK-NEXT:  @m_module = internal global ptr null
// CHECK-NEXT:  @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 123, ptr @m_load, ptr null }]
// CHECK-NEXT:  @llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 123, ptr @m_unload, ptr null }]
// CHECK-NEXT:  @m_k_name = private unnamed_addr constant [2 x i8] c"k\00", align 1
module attributes {gpu.container_module} {
  gpu.binary @m <#gpu.select_object<1 : i64>> [
    #gpu.object<#nvvm.target<chip = "sm_75">, bin = "\7FELF">,
    #gpu.object<#nvvm.target<chip = "sm_80">, properties = {O = 3 : i32, section = "where"}, assembly = "ptx">
  ]
  // CHECK:       define void @main(i32 %0) {
  llvm.func @main(%x: i32) {
    %n = llvm.mlir.constant(8 : index) : i64
    // CHECK-NEXT:  %2 = alloca %0, align 8
    // CHECK-NEXT:  %3 = alloca ptr, i64 1, align 8
    // CHECK-NEXT:  %4 = getelementptr inbounds nuw %0, ptr %2, i32 0, i32 0
    // CHECK-NEXT:  store i32 %0, ptr %4, align 4
    // CHECK-NEXT:  %5 = getelementptr ptr, ptr %3, i32 0
    // CHECK-NEXT:  store ptr %4, ptr %5, align 8
    // CHECK-NEXT:  %6 = load ptr, ptr @m_module, align 8
    // CHECK-NEXT:  %7 = call ptr @mgpuModuleGetFunction(ptr %6, ptr @m_k_name)
    // CHECK-NEXT:  %8 = call ptr @mgpuStreamCreate()
    // CHECK-NEXT:  call void @mgpuLaunchKernel(ptr %7, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i32 0, ptr %8, ptr %3, ptr null, i64 1)
    // CHECK-NEXT:  call void @mgpuStreamSynchronize(ptr %8)
    // CHECK-NEXT:  call void @mgpuStreamDestroy(ptr %8)
    // CHECK-NEXT:  ret void
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%x : i32)
    llvm.return
  }
  // CHECK:       define internal void @m_load() section ".text.startup" {
  // CHECK-NEXT:  entry:
  // CHECK-NEXT:  %0 = call ptr @mgpuModuleLoadJIT(ptr @m_binary, i32 3)
}
