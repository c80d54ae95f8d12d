// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses by the shape of their address: one load for all lanes, a vector, every second element of a
// wider vector, a gather, the last lane's store, and atomic operations reduced first. An index that may
// wrap is tested: a vector, or a gather.
// RUN: xgpu-opt --host-vectorize=block=32 %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @accesses(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(dense<[true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true]> : vector<63xi1>) : vector<63xi1>
// CHECK-NEXT:       %3 = llvm.mlir.poison : vector<63xi32>
// CHECK-NEXT:       %4 = llvm.mlir.constant(dense<true> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %5 = llvm.mlir.poison : vector<32xi32>
// CHECK-NEXT:       %6 = llvm.mlir.constant(31 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %7 = llvm.load %arg0 : !llvm.ptr -> i32
// CHECK-NEXT:       %8 = llvm.getelementptr %arg0[%1] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %9 = llvm.load %8 {alignment = 4 : i64} : !llvm.ptr -> vector<32xi32>
// CHECK-NEXT:       %10 = llvm.getelementptr %arg0[%1] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %11 = llvm.intr.masked.load %10, %2, %3 {alignment = 4 : i32} : (!llvm.ptr, vector<63xi1>, vector<63xi32>) -> vector<63xi32>
// CHECK-NEXT:       %12 = llvm.shufflevector %11, %3 [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62] : vector<63xi32>
// CHECK-NEXT:       %13 = llvm.getelementptr %arg0[%9] : (!llvm.ptr, vector<32xi32>) -> vector<32x!llvm.ptr>, i32
// CHECK-NEXT:       %14 = llvm.intr.masked.gather %13, %4, %5 {alignment = 4 : i32} : (vector<32x!llvm.ptr>, vector<32xi1>, vector<32xi32>) -> vector<32xi32>
// CHECK-NEXT:       %15 = llvm.insertelement %7, %5[%1 : i32] : vector<32xi32>
// CHECK-NEXT:       %16 = llvm.shufflevector %15, %5 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %17 = llvm.add %16, %12 : vector<32xi32>
// CHECK-NEXT:       %18 = llvm.add %17, %14 : vector<32xi32>
// CHECK-NEXT:       %19 = llvm.extractelement %18[%6 : i32] : vector<32xi32>
// CHECK-NEXT:       llvm.store %19, %arg1 : i32, !llvm.ptr
// CHECK-NEXT:       %20 = "llvm.intr.vector.reduce.add"(%18) : (vector<32xi32>) -> i32
// CHECK-NEXT:       %21 = llvm.atomicrmw add %arg0, %20 monotonic : !llvm.ptr, i32
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @wraps(%arg0: !llvm.ptr, %arg1: i32) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       %2 = llvm.mlir.poison : vector<32xi32>
// CHECK-NEXT:       %3 = llvm.mlir.constant(-32 : i32) : i32
// CHECK-NEXT:       %4 = llvm.mlir.constant(dense<true> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %5 = llvm.mlir.poison : vector<32xf32>
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %6 = llvm.add %arg1, %0 : i32
// CHECK-NEXT:       %7 = llvm.icmp "ule" %6, %3 : i32
// CHECK-NEXT:       %8 = llvm.freeze %7 : i1
// CHECK-NEXT:       %9 = llvm.zext %6 : i32 to i64
// CHECK-NEXT:       %10 = llvm.getelementptr %arg0[%9] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:       llvm.cond_br %8 weights([1048576, 1]), ^bb2, ^bb3
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       %11 = llvm.load %10 {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
// CHECK-NEXT:       llvm.br ^bb4(%11 : vector<32xf32>)
// CHECK-NEXT:     ^bb3:  // pred: ^bb1
// CHECK-NEXT:       %12 = llvm.insertelement %6, %2[%0 : i32] : vector<32xi32>
// CHECK-NEXT:       %13 = llvm.shufflevector %12, %2 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %14 = llvm.add %13, %1 : vector<32xi32>
// CHECK-NEXT:       %15 = llvm.zext %14 : vector<32xi32> to vector<32xi64>
// CHECK-NEXT:       %16 = llvm.getelementptr %arg0[%15] : (!llvm.ptr, vector<32xi64>) -> vector<32x!llvm.ptr>, f32
// CHECK-NEXT:       %17 = llvm.intr.masked.gather %16, %4, %5 {alignment = 4 : i32} : (vector<32x!llvm.ptr>, vector<32xi1>, vector<32xf32>) -> vector<32xf32>
// CHECK-NEXT:       llvm.br ^bb4(%17 : vector<32xf32>)
// CHECK-NEXT:     ^bb4(%18: vector<32xf32>):  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:       %19 = llvm.fneg %18 : vector<32xf32>
// CHECK-NEXT:       llvm.cond_br %8 weights([1048576, 1]), ^bb5, ^bb6
// CHECK-NEXT:     ^bb5:  // pred: ^bb4
// CHECK-NEXT:       llvm.store %19, %10 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb7
// CHECK-NEXT:     ^bb6:  // pred: ^bb4
// CHECK-NEXT:       %20 = llvm.insertelement %6, %2[%0 : i32] : vector<32xi32>
// CHECK-NEXT:       %21 = llvm.shufflevector %20, %2 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %22 = llvm.add %21, %1 : vector<32xi32>
// CHECK-NEXT:       %23 = llvm.zext %22 : vector<32xi32> to vector<32xi64>
// CHECK-NEXT:       %24 = llvm.getelementptr %arg0[%23] : (!llvm.ptr, vector<32xi64>) -> vector<32x!llvm.ptr>, f32
// CHECK-NEXT:       llvm.intr.masked.scatter %19, %24, %4 {alignment = 4 : i32} : vector<32xf32>, vector<32xi1> into vector<32x!llvm.ptr>
// CHECK-NEXT:       llvm.br ^bb7
// CHECK-NEXT:     ^bb7:  // 2 preds: ^bb5, ^bb6
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @accesses(%p: !llvm.ptr, %q: !llvm.ptr) attributes {nvvm.kernel} {
    %two = llvm.mlir.constant(2 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %same = llvm.load %p : !llvm.ptr -> i32
    %own = llvm.getelementptr %p[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %row = llvm.load %own : !llvm.ptr -> i32
    %double = llvm.mul %tid, %two : i32
    %far = llvm.getelementptr %p[%double] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %even = llvm.load %far : !llvm.ptr -> i32
    %any = llvm.getelementptr %p[%row] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %gathered = llvm.load %any : !llvm.ptr -> i32
    %a = llvm.add %same, %even : i32
    %b = llvm.add %a, %gathered : i32
    llvm.store %b, %q : i32, !llvm.ptr
    %old = llvm.atomicrmw add %p, %b monotonic : !llvm.ptr, i32
    llvm.return
  }
  llvm.func @wraps(%p: !llvm.ptr, %base: i32) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %sum = llvm.add %base, %t : i32
    %i = llvm.zext %sum : i32 to i64
    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %a : !llvm.ptr -> f32
    %w = llvm.fneg %v : f32
    llvm.store %w, %a : f32, !llvm.ptr
    llvm.return
  }
}
