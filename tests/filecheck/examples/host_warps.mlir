// A kernel becomes a function of a warp, whose threads are a vector.
// RUN: xgpu-opt %s --host-warps=block=64 | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @xgpu.this_thread() -> !llvm.ptr
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: f32) attributes {host.strategy = "warps"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.poison : vector<32xf32>
// CHECK-NEXT:       %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %3 = llvm.call @xgpu.this_thread() : () -> !llvm.ptr
// CHECK-NEXT:       %4 = nvvm.read.ptx.sreg.warpid : i32
// CHECK-NEXT:       %5 = llvm.mul %4, %0 : i32
// CHECK-NEXT:       %6 = llvm.getelementptr %arg0[%5] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       %7 = llvm.insertelement %arg1, %1[%2 : i32] : vector<32xf32>
// CHECK-NEXT:       %8 = llvm.shufflevector %7, %1 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf32>
// CHECK-NEXT:       llvm.store %8, %6 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%out: !llvm.ptr, %x: f32) attributes {nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    nvvm.barrier0
    llvm.store %x, %p : f32, !llvm.ptr
    llvm.return
  }
}
