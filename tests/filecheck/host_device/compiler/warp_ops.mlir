// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shuffle by a known distance is a permutation, a vote an integer, a reduction one of a vector.
// RUN: xgpu-opt --host-vectorize=block=32 %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @warp(%arg0: !llvm.ptr) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(5 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(31 : i32) : i32
// CHECK-NEXT:       %3 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %4 = llvm.mlir.poison : vector<32xi32>
// CHECK-NEXT:       %5 = llvm.mlir.constant(dense<true> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %6 = llvm.mlir.constant(dense<0> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %7 = llvm.getelementptr %arg0[%3] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %8 = llvm.load %7 {alignment = 4 : i64} : !llvm.ptr -> vector<32xi32>
// CHECK-NEXT:       %9 = llvm.shufflevector %8, %4 [5, 4, 7, 6, 1, 0, 3, 2, 13, 12, 15, 14, 9, 8, 11, 10, 21, 20, 23, 22, 17, 16, 19, 18, 29, 28, 31, 30, 25, 24, 27, 26] : vector<32xi32>
// CHECK-NEXT:       %10 = llvm.icmp "slt" %9, %8 : vector<32xi32>
// CHECK-NEXT:       %11 = llvm.bitcast %10 : vector<32xi1> to i32
// CHECK-NEXT:       %12 = llvm.and %11, %0 : i32
// CHECK-NEXT:       %13 = llvm.bitcast %0 : i32 to vector<32xi1>
// CHECK-NEXT:       %14 = llvm.select %13, %9, %6 : vector<32xi1>, vector<32xi32>
// CHECK-NEXT:       %15 = "llvm.intr.vector.reduce.add"(%14) : (vector<32xi32>) -> i32
// CHECK-NEXT:       %16 = llvm.add %12, %15 : i32
// CHECK-NEXT:       %17 = llvm.insertelement %16, %4[%3 : i32] : vector<32xi32>
// CHECK-NEXT:       %18 = llvm.shufflevector %17, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       llvm.store %18, %7 {alignment = 4 : i64} : vector<32xi32>, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @warp(%p: !llvm.ptr) attributes {nvvm.kernel} {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %last = llvm.mlir.constant(31 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %p[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v = llvm.load %at : !llvm.ptr -> i32
    %x = nvvm.shfl.sync bfly %all, %v, %five, %last : i32 -> i32
    %yes = llvm.icmp "slt" %x, %v : i32
    %votes = nvvm.vote.sync ballot %all, %yes -> i32
    %sum = nvvm.redux.sync add %x, %all : i32 -> i32
    %total = llvm.add %votes, %sum : i32
    llvm.store %total, %at : i32, !llvm.ptr
    llvm.return
  }
}
