// RUN: xgpu-opt %s --convert-mgpu-to-llvm | filecheck %s --check-prefix=MEMBERS
// RUN: xgpu-opt %s --convert-mgpu-to-llvm=use-bare-pointers-for-kernels=true | filecheck %s --check-prefix=BARE
// RUN: xgpu-opt %s --convert-mgpu-to-llvm="use-bare-pointers-for-kernels=true intersperse-sizes-for-kernels=true" | filecheck %s --check-prefix=SIZES

// Arguments: their number is the last operand of the launch.
// MEMBERS: llvm.mlir.constant(0 : i32) : i32
// MEMBERS: %[[COUNT:.*]] = llvm.mlir.constant(5 : i64) : i64
// MEMBERS-NEXT: llvm.call @mgpuLaunchKernel({{.*}}, %[[COUNT]])
// BARE: llvm.mlir.constant(0 : i32) : i32
// BARE: %[[COUNT:.*]] = llvm.mlir.constant(1 : i64) : i64
// BARE-NEXT: llvm.call @mgpuLaunchKernel({{.*}}, %[[COUNT]])
// SIZES: llvm.mlir.constant(0 : i32) : i32
// SIZES: llvm.mlir.constant(64 : index) : i64
// SIZES: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64) : i64
// SIZES-NEXT: llvm.call @mgpuLaunchKernel({{.*}}, %[[COUNT]])
func.func @f(%s: !mgpu.stream, %f: !mgpu.function, %n: index, %m: memref<16xf32>) {
  mgpu.launch %s, %f blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<16xf32>)
  return
}
