// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow that differs among lanes: a side under a mask that is passed over where it is empty, a
// loop that runs while any lane is in it, and a join whose argument varies though its operands do not.
// RUN: xgpu-opt --host-prepare --host-uniformity=block=32 %s | filecheck %s --match-full-lines --check-prefix=SHAPE
// RUN: xgpu-opt --host-vectorize=block=32 %s | filecheck %s --match-full-lines

// SHAPE: module {
// SHAPE-NEXT:   gpu.module @m {
// SHAPE-NEXT:     llvm.func @side(%arg0: !llvm.ptr, %arg1: i32) attributes {nvvm.kernel} {
// SHAPE-NEXT:       %0 = llvm.mlir.constant(1 : i32) {host.shape = "block 1"} : i32
// SHAPE-NEXT:       %1 = nvvm.read.ptx.sreg.tid.x {host.shape = "affine 0+1*lane"} : i32
// SHAPE-NEXT:       %2 = llvm.icmp "slt" %1, %arg1 {host.shape = "varying"} : i32
// SHAPE-NEXT:       llvm.cond_br %2, ^bb1, ^bb2(%arg1 : i32) {host.branch = "varying"}
// SHAPE-NEXT:     ^bb1:  // pred: ^bb0
// SHAPE-NEXT:       %3 = llvm.getelementptr %arg0[%1] {host.shape = "affine 0+4*lane"} : (!llvm.ptr, i32) -> !llvm.ptr, i32
// SHAPE-NEXT:       llvm.store %arg1, %3 : i32, !llvm.ptr
// SHAPE-NEXT:       llvm.br ^bb2(%0 : i32)
// SHAPE-NEXT:     ^bb2(%4: i32):  // 2 preds: ^bb0, ^bb1
// SHAPE-NEXT:       %5 = llvm.getelementptr %arg0[%arg1] {host.shape = "block"} : (!llvm.ptr, i32) -> !llvm.ptr, i32
// SHAPE-NEXT:       llvm.store %4, %5 : i32, !llvm.ptr
// SHAPE-NEXT:       llvm.return {host.arguments = ["varying"]}
// SHAPE-NEXT:     }
// SHAPE-NEXT:     llvm.func @loop(%arg0: !llvm.ptr) attributes {nvvm.kernel} {
// SHAPE-NEXT:       %0 = llvm.mlir.constant(0 : i32) {host.shape = "block 0"} : i32
// SHAPE-NEXT:       %1 = llvm.mlir.constant(1 : i32) {host.shape = "block 1"} : i32
// SHAPE-NEXT:       %2 = nvvm.read.ptx.sreg.tid.x {host.shape = "affine 0+1*lane"} : i32
// SHAPE-NEXT:       %3 = llvm.getelementptr %arg0[%2] {host.shape = "affine 0+4*lane"} : (!llvm.ptr, i32) -> !llvm.ptr, i32
// SHAPE-NEXT:       llvm.br ^bb1(%0 : i32)
// SHAPE-NEXT:     ^bb1(%4: i32):  // 2 preds: ^bb0, ^bb2
// SHAPE-NEXT:       %5 = llvm.icmp "slt" %4, %2 {host.shape = "varying"} : i32
// SHAPE-NEXT:       llvm.cond_br %5, ^bb2, ^bb3 {host.arguments = ["block"], host.branch = "varying"}
// SHAPE-NEXT:     ^bb2:  // pred: ^bb1
// SHAPE-NEXT:       %6 = llvm.add %4, %1 {host.shape = "block"} : i32
// SHAPE-NEXT:       llvm.br ^bb1(%6 : i32)
// SHAPE-NEXT:     ^bb3:  // pred: ^bb1
// SHAPE-NEXT:       llvm.store %4, %3 : i32, !llvm.ptr
// SHAPE-NEXT:       llvm.return
// SHAPE-NEXT:     }
// SHAPE-NEXT:   }
// SHAPE-NEXT: }
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @side(%arg0: !llvm.ptr, %arg1: i32) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       %3 = llvm.mlir.poison : vector<32xi32>
// CHECK-NEXT:       %4 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:       %5 = llvm.mlir.constant(dense<true> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %6 = llvm.mlir.constant(31 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %7 = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %8 = llvm.insertelement %arg1, %3[%1 : i32] : vector<32xi32>
// CHECK-NEXT:       %9 = llvm.shufflevector %8, %3 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %10 = llvm.icmp "slt" %2, %9 : vector<32xi32>
// CHECK-NEXT:       %11 = llvm.xor %10, %5 : vector<32xi1>
// CHECK-NEXT:       %12 = llvm.add %1, %6 : i32
// CHECK-NEXT:       %13 = llvm.icmp "sge" %12, %arg1 : i32
// CHECK-NEXT:       llvm.cond_br %13, ^bb3, ^bb2
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       %14 = llvm.getelementptr %arg0[%1] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %15 = llvm.insertelement %arg1, %3[%1 : i32] : vector<32xi32>
// CHECK-NEXT:       %16 = llvm.shufflevector %15, %3 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       llvm.store %16, %14 {alignment = 4 : i64} : vector<32xi32>, !llvm.ptr
// CHECK-NEXT:       %17 = llvm.insertelement %0, %3[%1 : i32] : vector<32xi32>
// CHECK-NEXT:       %18 = llvm.shufflevector %17, %3 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       llvm.br ^bb6(%18 : vector<32xi32>)
// CHECK-NEXT:     ^bb3:  // pred: ^bb1
// CHECK-NEXT:       %19 = llvm.icmp "slt" %1, %arg1 : i32
// CHECK-NEXT:       llvm.cond_br %19, ^bb4, ^bb5(%3 : vector<32xi32>)
// CHECK-NEXT:     ^bb4:  // pred: ^bb3
// CHECK-NEXT:       %20 = llvm.getelementptr %arg0[%1] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %21 = llvm.insertelement %arg1, %3[%1 : i32] : vector<32xi32>
// CHECK-NEXT:       %22 = llvm.shufflevector %21, %3 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       llvm.intr.masked.store %22, %20, %10 {alignment = 4 : i32} : vector<32xi32>, vector<32xi1> into !llvm.ptr
// CHECK-NEXT:       %23 = llvm.insertelement %0, %3[%1 : i32] : vector<32xi32>
// CHECK-NEXT:       %24 = llvm.shufflevector %23, %3 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       llvm.br ^bb5(%24 : vector<32xi32>)
// CHECK-NEXT:     ^bb5(%25: vector<32xi32>):  // 2 preds: ^bb3, ^bb4
// CHECK-NEXT:       llvm.br ^bb6(%25 : vector<32xi32>)
// CHECK-NEXT:     ^bb6(%26: vector<32xi32>):  // 2 preds: ^bb2, ^bb5
// CHECK-NEXT:       %27 = llvm.insertelement %arg1, %3[%1 : i32] : vector<32xi32>
// CHECK-NEXT:       %28 = llvm.shufflevector %27, %3 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %29 = llvm.select %10, %26, %28 : vector<32xi1>, vector<32xi32>
// CHECK-NEXT:       %30 = llvm.extractelement %29[%6 : i32] : vector<32xi32>
// CHECK-NEXT:       llvm.store %30, %7 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @loop(%arg0: !llvm.ptr) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %2 = llvm.mlir.constant(dense<true> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %3 = llvm.mlir.poison : vector<32xi32>
// CHECK-NEXT:       %4 = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       %5 = llvm.mlir.constant(dense<false> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %6 = llvm.mlir.constant(true) : i1
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %7 = llvm.getelementptr %arg0[%0] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       llvm.br ^bb2(%2, %0, %3 : vector<32xi1>, i32, vector<32xi32>)
// CHECK-NEXT:     ^bb2(%8: vector<32xi1>, %9: i32, %10: vector<32xi32>):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:       %11 = llvm.insertelement %9, %3[%0 : i32] : vector<32xi32>
// CHECK-NEXT:       %12 = llvm.shufflevector %11, %3 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %13 = llvm.icmp "slt" %12, %4 : vector<32xi32>
// CHECK-NEXT:       %14 = llvm.select %8, %13, %5 : vector<32xi1>, vector<32xi1>
// CHECK-NEXT:       %15 = llvm.xor %13, %2 : vector<32xi1>
// CHECK-NEXT:       %16 = llvm.select %8, %15, %5 : vector<32xi1>, vector<32xi1>
// CHECK-NEXT:       %17 = llvm.add %9, %1 : i32
// CHECK-NEXT:       %18 = llvm.insertelement %9, %3[%0 : i32] : vector<32xi32>
// CHECK-NEXT:       %19 = llvm.shufflevector %18, %3 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %20 = llvm.select %16, %19, %10 : vector<32xi1>, vector<32xi32>
// CHECK-NEXT:       %21 = llvm.bitcast %14 : vector<32xi1> to i32
// CHECK-NEXT:       %22 = llvm.icmp "ne" %21, %0 : i32
// CHECK-NEXT:       %23 = llvm.xor %22, %6 : i1
// CHECK-NEXT:       llvm.cond_br %23, ^bb3, ^bb2(%14, %17, %20 : vector<32xi1>, i32, vector<32xi32>)
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
// CHECK-NEXT:       llvm.store %20, %7 {alignment = 4 : i64} : vector<32xi32>, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @side(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "slt" %tid, %n : i32
    llvm.cond_br %inside, ^then, ^end(%n : i32)
  ^then:
    %at = llvm.getelementptr %p[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %n, %at : i32, !llvm.ptr
    llvm.br ^end(%one : i32)
  ^end(%last: i32):
    %to = llvm.getelementptr %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %last, %to : i32, !llvm.ptr
    llvm.return
  }

  llvm.func @loop(%p: !llvm.ptr) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %p[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.br ^head(%zero : i32)
  ^head(%i: i32):
    %more = llvm.icmp "slt" %i, %tid : i32
    llvm.cond_br %more, ^body, ^end
  ^body:
    %next = llvm.add %i, %one : i32
    llvm.br ^head(%next : i32)
  ^end:
    llvm.store %i, %at : i32, !llvm.ptr
    llvm.return
  }
}
