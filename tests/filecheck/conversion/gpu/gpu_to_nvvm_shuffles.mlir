// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm))" | filecheck %s --match-full-lines

// The width of a shuffle becomes a mask of lanes, and where lanes stop: at its end, for `up` at its start.

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     llvm.func @shuffles(%arg0: f32, %arg1: i32, %arg2: i32, %arg3: i32) -> !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)> attributes {llvm.emit_c_interface} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %3 = llvm.sub %2, %arg3 : i32
// CHECK-NEXT:       %4 = llvm.lshr %1, %3 : i32
// CHECK-NEXT:       %5 = llvm.sub %arg3, %0 : i32
// CHECK-NEXT:       %6 = nvvm.shfl.sync  bfly %4, %arg0, %arg2, %5 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
// CHECK-NEXT:       %7 = llvm.extractvalue %6[0] : !llvm.struct<(f32, i1)>
// CHECK-NEXT:       %8 = llvm.extractvalue %6[1] : !llvm.struct<(f32, i1)>
// CHECK-NEXT:       %9 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %10 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %11 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %12 = llvm.sub %11, %arg3 : i32
// CHECK-NEXT:       %13 = llvm.lshr %10, %12 : i32
// CHECK-NEXT:       %14 = nvvm.shfl.sync  up %13, %arg0, %arg2, %12 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
// CHECK-NEXT:       %15 = llvm.extractvalue %14[0] : !llvm.struct<(f32, i1)>
// CHECK-NEXT:       %16 = llvm.extractvalue %14[1] : !llvm.struct<(f32, i1)>
// CHECK-NEXT:       %17 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %18 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %19 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %20 = llvm.sub %19, %arg3 : i32
// CHECK-NEXT:       %21 = llvm.lshr %18, %20 : i32
// CHECK-NEXT:       %22 = llvm.sub %arg3, %17 : i32
// CHECK-NEXT:       %23 = nvvm.shfl.sync  down %21, %arg1, %arg2, %22 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %24 = llvm.extractvalue %23[0] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %25 = llvm.extractvalue %23[1] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %26 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %27 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %28 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %29 = llvm.sub %28, %arg3 : i32
// CHECK-NEXT:       %30 = llvm.lshr %27, %29 : i32
// CHECK-NEXT:       %31 = llvm.sub %arg3, %26 : i32
// CHECK-NEXT:       %32 = nvvm.shfl.sync  idx %30, %arg1, %arg2, %31 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %33 = llvm.extractvalue %32[0] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %34 = llvm.extractvalue %32[1] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:       %35 = llvm.mlir.poison : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       %36 = llvm.insertvalue %7, %35[0] : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       %37 = llvm.insertvalue %8, %36[1] : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       %38 = llvm.insertvalue %15, %37[2] : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       %39 = llvm.insertvalue %16, %38[3] : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       %40 = llvm.insertvalue %24, %39[4] : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       %41 = llvm.insertvalue %25, %40[5] : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       %42 = llvm.insertvalue %33, %41[6] : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       %43 = llvm.insertvalue %34, %42[7] : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       llvm.return %43 : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @_mlir_ciface_shuffles(%arg0: !llvm.ptr, %arg1: f32, %arg2: i32, %arg3: i32, %arg4: i32) attributes {llvm.emit_c_interface} {
// CHECK-NEXT:       %0 = llvm.call @shuffles(%arg1, %arg2, %arg3, %arg4) : (f32, i32, i32, i32) -> !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>
// CHECK-NEXT:       llvm.store %0, %arg0 : !llvm.struct<(f32, i1, f32, i1, i32, i1, i32, i1)>, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  func.func @shuffles(%x: f32, %i: i32, %offset: i32, %width: i32) -> (f32, i1, f32, i1, i32, i1, i32, i1) {
    %0, %1 = gpu.shuffle xor %x, %offset, %width : f32
    %2, %3 = gpu.shuffle up %x, %offset, %width : f32
    %4, %5 = gpu.shuffle down %i, %offset, %width : i32
    %6, %7 = gpu.shuffle idx %i, %offset, %width : i32
    return %0, %1, %2, %3, %4, %5, %6, %7 : f32, i1, f32, i1, i32, i1, i32, i1
  }
}
