// RUN: xgpu-opt --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm{has-redux=true allow-pattern-rollback=false}))" %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     llvm.func @reduce(%arg0: i32) -> !llvm.struct<(i32, i32, i32, i32, i32, i32)> {
// CHECK-NEXT:       %0 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %1 = nvvm.redux.sync  add %arg0, %0 : i32 -> i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %3 = nvvm.redux.sync  min %arg0, %2 : i32 -> i32
// CHECK-NEXT:       %4 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %5 = nvvm.redux.sync  max %arg0, %4 : i32 -> i32
// CHECK-NEXT:       %6 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %7 = nvvm.redux.sync  and %arg0, %6 : i32 -> i32
// CHECK-NEXT:       %8 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %9 = nvvm.redux.sync  or %arg0, %8 : i32 -> i32
// CHECK-NEXT:       %10 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %11 = nvvm.redux.sync  xor %arg0, %10 : i32 -> i32
// CHECK-NEXT:       %12 = llvm.mlir.poison : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK-NEXT:       %13 = llvm.insertvalue %1, %12[0] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK-NEXT:       %14 = llvm.insertvalue %3, %13[1] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK-NEXT:       %15 = llvm.insertvalue %5, %14[2] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK-NEXT:       %16 = llvm.insertvalue %7, %15[3] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK-NEXT:       %17 = llvm.insertvalue %9, %16[4] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK-NEXT:       %18 = llvm.insertvalue %11, %17[5] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK-NEXT:       llvm.return %18 : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @reduce(%x: i32) -> (i32, i32, i32, i32, i32, i32) {
    %0 = gpu.subgroup_reduce add %x uniform : (i32) -> i32
    %1 = gpu.subgroup_reduce minsi %x uniform : (i32) -> i32
    %2 = gpu.subgroup_reduce maxsi %x uniform : (i32) -> i32
    %5 = gpu.subgroup_reduce and %x uniform : (i32) -> i32
    %6 = gpu.subgroup_reduce or %x uniform : (i32) -> i32
    %7 = gpu.subgroup_reduce xor %x uniform : (i32) -> i32
    gpu.return %0, %1, %2, %5, %6, %7 : i32, i32, i32, i32, i32, i32
  }
}
