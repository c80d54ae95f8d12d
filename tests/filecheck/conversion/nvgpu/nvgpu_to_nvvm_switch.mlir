// RUN: xgpu-opt %s --convert-nvgpu-to-nvvm | filecheck %s

// A switch whose result is a token of asynchronous copies.

// CHECK: module {
// CHECK-NEXT:   func.func @switch(%arg0: index, %arg1: memref<64xf32, 3>, %arg2: memref<64xf32>, %arg3: index) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg2 : memref<64xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg3 : index to i64
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg1 : memref<64xf32, 3> to !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = scf.index_switch %arg0 -> i32
// CHECK-NEXT:     case 2 {
// CHECK-NEXT:       %4 = llvm.extractvalue %2[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %5 = llvm.getelementptr %4[%1] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT:       %6 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:       %7 = llvm.getelementptr %6[%1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:       %8 = llvm.addrspacecast %7 : !llvm.ptr to !llvm.ptr<1>
// CHECK-NEXT:       nvvm.cp.async.shared.global %5, %8, 16, cache =  ca : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT:       %9 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       nvvm.cp.async.commit.group
// CHECK-NEXT:       %10 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       scf.yield %10 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     default {
// CHECK-NEXT:       nvvm.cp.async.commit.group
// CHECK-NEXT:       %4 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       scf.yield %4 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     nvvm.cp.async.wait.group 0
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @switch(%i: index, %dst: memref<64xf32, 3>, %src: memref<64xf32>, %at: index) {
  %t = scf.index_switch %i -> !nvgpu.device.async.token
  case 2 {
    %a = nvgpu.device_async_copy %src[%at], %dst[%at], 4 : memref<64xf32> to memref<64xf32, 3>
    %b = nvgpu.device_async_create_group %a
    scf.yield %b : !nvgpu.device.async.token
  }
  default {
    %c = nvgpu.device_async_create_group
    scf.yield %c : !nvgpu.device.async.token
  }
  nvgpu.device_async_wait %t
  return
}
