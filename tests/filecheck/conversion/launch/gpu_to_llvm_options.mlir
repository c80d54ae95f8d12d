// RUN: xgpu-opt --gpu-to-llvm %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --gpu-to-llvm="use-bare-pointers-for-kernels=true" %s | filecheck %s --match-full-lines --check-prefix=KERNELS
// RUN: xgpu-opt --gpu-to-llvm="use-bare-pointers-for-host=true" %s | filecheck %s --match-full-lines --check-prefix=HOST

module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, "">]
  func.func @f(%m: memref<16xf32>, %n: index, %x: f32) {
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<16xf32>, %x : f32)
    return
  }
}




// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   gpu.binary @kernels  [#gpu.object<#nvvm.target, "">]
// CHECK-NEXT:   llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: f32) {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %arg4, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %6 = llvm.extractvalue %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %7 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %8 = llvm.extractvalue %5[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %9 = llvm.extractvalue %5[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %10 = llvm.extractvalue %5[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     gpu.launch_func  @kernels::@k blocks in (%arg5, %arg5, %arg5) threads in (%arg5, %arg5, %arg5) : i64 args(%6 : !llvm.ptr, %7 : !llvm.ptr, %8 : i64, %9 : i64, %10 : i64, %arg6 : f32)
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// KERNELS: module attributes {gpu.container_module} {
// KERNELS-NEXT:   gpu.binary @kernels  [#gpu.object<#nvvm.target, "">]
// KERNELS-NEXT:   llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: f32) {
// KERNELS-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// KERNELS-NEXT:     %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// KERNELS-NEXT:     %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// KERNELS-NEXT:     %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// KERNELS-NEXT:     %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// KERNELS-NEXT:     %5 = llvm.insertvalue %arg4, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// KERNELS-NEXT:     %6 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// KERNELS-NEXT:     gpu.launch_func  @kernels::@k blocks in (%arg5, %arg5, %arg5) threads in (%arg5, %arg5, %arg5) : i64 args(%6 : !llvm.ptr, %arg6 : f32)
// KERNELS-NEXT:     llvm.return
// KERNELS-NEXT:   }
// KERNELS-NEXT: }

// HOST: module attributes {gpu.container_module} {
// HOST-NEXT:   gpu.binary @kernels  [#gpu.object<#nvvm.target, "">]
// HOST-NEXT:   llvm.func @f(%arg0: !llvm.ptr, %arg1: i64, %arg2: f32) {
// HOST-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// HOST-NEXT:     %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// HOST-NEXT:     %2 = llvm.insertvalue %arg0, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// HOST-NEXT:     %3 = llvm.mlir.constant(0 : index) : i64
// HOST-NEXT:     %4 = llvm.insertvalue %3, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// HOST-NEXT:     %5 = llvm.mlir.constant(16 : index) : i64
// HOST-NEXT:     %6 = llvm.insertvalue %5, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// HOST-NEXT:     %7 = llvm.mlir.constant(1 : index) : i64
// HOST-NEXT:     %8 = llvm.insertvalue %7, %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// HOST-NEXT:     %9 = llvm.extractvalue %8[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// HOST-NEXT:     gpu.launch_func  @kernels::@k blocks in (%arg1, %arg1, %arg1) threads in (%arg1, %arg1, %arg1) : i64 args(%9 : !llvm.ptr, %arg2 : f32)
// HOST-NEXT:     llvm.return
// HOST-NEXT:   }
// HOST-NEXT: }
