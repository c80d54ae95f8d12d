// A store tells the sanitizer where it goes.
// RUN: xgpu-opt %s --host-sanitize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu_san_exit()
// CHECK-NEXT:     llvm.func @xgpu_san_access(!llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: f32) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT:       %1 = llvm.getelementptr %arg0[%0] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       %2 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:       %3 = llvm.bitcast %arg1 : f32 to i32
// CHECK-NEXT:       %4 = llvm.zext %3 : i32 to i64
// CHECK-NEXT:       %5 = llvm.mlir.constant(-1 : i64) : i64
// CHECK-NEXT:       %6 = llvm.mlir.constant(562967201447937 : i64) : i64
// CHECK-NEXT:       %7 = llvm.call @xgpu_san_access(%1, %6, %arg0, %5, %4) : (!llvm.ptr, i64, !llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-NEXT:       llvm.store %arg1, %7 : f32, !llvm.ptr
// CHECK-NEXT:       llvm.call @xgpu_san_exit() : () -> ()
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%out: !llvm.ptr, %x: f32) attributes {nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %p : f32, !llvm.ptr
    llvm.return
  }
}
