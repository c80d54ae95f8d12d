// A kernel becomes a function that runs its threads as vectors.
// RUN: xgpu-opt %s --host-vectorize=block=64 | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: f32) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.poison : vector<32xf32>
// CHECK-NEXT:       %3 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %4 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       llvm.br ^bb2(%0 : i32)
// CHECK-NEXT:     ^bb2(%5: i32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:       %6 = llvm.mul %5, %1 : i32
// CHECK-NEXT:       %7 = llvm.getelementptr %arg0[%6] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       %8 = llvm.insertelement %arg1, %2[%0 : i32] : vector<32xf32>
// CHECK-NEXT:       %9 = llvm.shufflevector %8, %2 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf32>
// CHECK-NEXT:       llvm.store %9, %7 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
// CHECK-NEXT:       %10 = llvm.add %5, %3 : i32
// CHECK-NEXT:       %11 = llvm.icmp "ult" %10, %4 : i32
// CHECK-NEXT:       llvm.cond_br %11, ^bb2(%10 : i32), ^bb3
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
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
