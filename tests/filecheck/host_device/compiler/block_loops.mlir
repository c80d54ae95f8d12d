// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a kernel that writes, waits, and reads what its neighbour wrote: two regions.
// RUN: xgpu-opt --host-prepare --host-uniformity=block=64 %s | filecheck %s --match-full-lines --check-prefix=SHAPE
// RUN: xgpu-opt --host-prepare --host-regions=block=64 %s | filecheck %s --match-full-lines --check-prefix=REGION
// RUN: xgpu-opt --host-vectorize=block=64 %s | filecheck %s --match-full-lines

// SHAPE: module {
// SHAPE-NEXT:   gpu.module @m {
// SHAPE-NEXT:     llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x f32>
// SHAPE-NEXT:     llvm.func @neighbour(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {nvvm.kernel} {
// SHAPE-NEXT:       %0 = llvm.mlir.constant(1 : i32) {host.shape = "block 1"} : i32
// SHAPE-NEXT:       %1 = llvm.mlir.constant(63 : i32) {host.shape = "block 63"} : i32
// SHAPE-NEXT:       %2 = llvm.mlir.addressof @shared {host.shape = "block"} : !llvm.ptr<3>
// SHAPE-NEXT:       %3 = nvvm.read.ptx.sreg.tid.x {host.shape = "affine 0+1*lane"} : i32
// SHAPE-NEXT:       %4 = nvvm.read.ptx.sreg.ctaid.x {host.shape = "block"} : i32
// SHAPE-NEXT:       %5 = nvvm.read.ptx.sreg.ntid.x {host.shape = "block 64"} : i32
// SHAPE-NEXT:       %6 = llvm.mul %4, %5 {host.shape = "block"} : i32
// SHAPE-NEXT:       %7 = llvm.add %6, %3 overflow<nsw> {host.shape = "affine 0+1*lane"} : i32
// SHAPE-NEXT:       %8 = llvm.getelementptr %arg0[%7] {host.shape = "affine 0+4*lane"} : (!llvm.ptr, i32) -> !llvm.ptr, f32
// SHAPE-NEXT:       %9 = llvm.load %8 {host.shape = "varying"} : !llvm.ptr -> f32
// SHAPE-NEXT:       %10 = llvm.getelementptr %2[%3] {host.shape = "affine 0+4*lane"} : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
// SHAPE-NEXT:       llvm.store %9, %10 : f32, !llvm.ptr<3>
// SHAPE-NEXT:       nvvm.barrier0
// SHAPE-NEXT:       llvm.br ^bb1
// SHAPE-NEXT:     ^bb1:  // pred: ^bb0
// SHAPE-NEXT:       %11 = llvm.add %3, %0 {host.shape = "affine 0+1*lane"} : i32
// SHAPE-NEXT:       %12 = llvm.and %11, %1 {host.shape = "varying"} : i32
// SHAPE-NEXT:       %13 = llvm.getelementptr %2[%12] {host.shape = "varying"} : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
// SHAPE-NEXT:       %14 = llvm.load %13 {host.shape = "varying"} : !llvm.ptr<3> -> f32
// SHAPE-NEXT:       %15 = llvm.fadd %9, %14 {host.shape = "varying"} : f32
// SHAPE-NEXT:       %16 = llvm.getelementptr %arg1[%7] {host.shape = "affine 0+4*lane"} : (!llvm.ptr, i32) -> !llvm.ptr, f32
// SHAPE-NEXT:       llvm.store %15, %16 : f32, !llvm.ptr
// SHAPE-NEXT:       llvm.return
// SHAPE-NEXT:     }
// SHAPE-NEXT:   }
// SHAPE-NEXT: }
// REGION: module {
// REGION-NEXT:   gpu.module @m {
// REGION-NEXT:     llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x f32>
// REGION-NEXT:     llvm.func @neighbour(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {nvvm.kernel} {
// REGION-NEXT:       %0 = llvm.mlir.constant(1 : i32) : i32
// REGION-NEXT:       %1 = llvm.mlir.constant(63 : i32) : i32
// REGION-NEXT:       %2 = llvm.mlir.addressof @shared : !llvm.ptr<3>
// REGION-NEXT:       %3 = nvvm.read.ptx.sreg.tid.x {host.crosses = "again"} : i32
// REGION-NEXT:       %4 = nvvm.read.ptx.sreg.ctaid.x {host.crosses = "block"} : i32
// REGION-NEXT:       %5 = nvvm.read.ptx.sreg.ntid.x {host.crosses = "block"} : i32
// REGION-NEXT:       %6 = llvm.mul %4, %5 {host.crosses = "block"} : i32
// REGION-NEXT:       %7 = llvm.add %6, %3 overflow<nsw> {host.crosses = "again"} : i32
// REGION-NEXT:       %8 = llvm.getelementptr %arg0[%7] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// REGION-NEXT:       %9 = llvm.load %8 {host.crosses = "slot"} : !llvm.ptr -> f32
// REGION-NEXT:       %10 = llvm.getelementptr %2[%3] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
// REGION-NEXT:       llvm.store %9, %10 : f32, !llvm.ptr<3>
// REGION-NEXT:       nvvm.barrier0
// REGION-NEXT:       llvm.br ^bb1 {host.region = 0 : i32}
// REGION-NEXT:     ^bb1:  // pred: ^bb0
// REGION-NEXT:       %11 = llvm.add %3, %0 : i32
// REGION-NEXT:       %12 = llvm.and %11, %1 : i32
// REGION-NEXT:       %13 = llvm.getelementptr %2[%12] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
// REGION-NEXT:       %14 = llvm.load %13 : !llvm.ptr<3> -> f32
// REGION-NEXT:       %15 = llvm.fadd %9, %14 : f32
// REGION-NEXT:       %16 = llvm.getelementptr %arg1[%7] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// REGION-NEXT:       llvm.store %15, %16 : f32, !llvm.ptr
// REGION-NEXT:       llvm.return {host.region = 1 : i32}
// REGION-NEXT:     }
// REGION-NEXT:   }
// REGION-NEXT: }
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x f32>
// CHECK-NEXT:     llvm.func @neighbour(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(2 : i64) : i64
// CHECK-NEXT:       %1 = llvm.alloca %0 x vector<32xf32> {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       %2 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %3 = llvm.mlir.constant(63 : i32) : i32
// CHECK-NEXT:       %4 = llvm.mlir.addressof @shared : !llvm.ptr<3>
// CHECK-NEXT:       %5 = llvm.addrspacecast %4 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %6 = llvm.mlir.constant(64 : i32) : i32
// CHECK-NEXT:       %7 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %8 = llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT:       %9 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:       %10 = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       %11 = llvm.mlir.poison : vector<32xi32>
// CHECK-NEXT:       %12 = llvm.mlir.constant(dense<true> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %13 = llvm.mlir.poison : vector<32xf32>
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %14 = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT:       %15 = llvm.mul %14, %6 : i32
// CHECK-NEXT:       llvm.br ^bb2(%7 : i32)
// CHECK-NEXT:     ^bb2(%16: i32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:       %17 = llvm.mul %16, %8 : i32
// CHECK-NEXT:       %18 = llvm.add %15, %17 : i32
// CHECK-NEXT:       %19 = llvm.getelementptr %arg0[%18] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       %20 = llvm.load %19 {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
// CHECK-NEXT:       %21 = llvm.getelementptr %5[%17] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       llvm.store %20, %21 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
// CHECK-NEXT:       %22 = llvm.zext %16 : i32 to i64
// CHECK-NEXT:       %23 = llvm.getelementptr %1[%22] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
// CHECK-NEXT:       llvm.store %20, %23 {alignment = 64 : i64} : vector<32xf32>, !llvm.ptr
// CHECK-NEXT:       %24 = llvm.add %16, %2 : i32
// CHECK-NEXT:       %25 = llvm.icmp "ult" %24, %9 : i32
// CHECK-NEXT:       llvm.cond_br %25, ^bb2(%24 : i32), ^bb3
// CHECK-NEXT:     ^bb3:  // pred: ^bb2
// CHECK-NEXT:       llvm.br ^bb4
// CHECK-NEXT:     ^bb4:  // pred: ^bb3
// CHECK-NEXT:       llvm.br ^bb5(%7 : i32)
// CHECK-NEXT:     ^bb5(%26: i32):  // 2 preds: ^bb4, ^bb5
// CHECK-NEXT:       %27 = llvm.mul %26, %8 : i32
// CHECK-NEXT:       %28 = llvm.zext %26 : i32 to i64
// CHECK-NEXT:       %29 = llvm.getelementptr %1[%28] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
// CHECK-NEXT:       %30 = llvm.load %29 {alignment = 64 : i64} : !llvm.ptr -> vector<32xf32>
// CHECK-NEXT:       %31 = llvm.add %15, %27 : i32
// CHECK-NEXT:       %32 = llvm.add %27, %2 : i32
// CHECK-NEXT:       %33 = llvm.insertelement %32, %11[%7 : i32] : vector<32xi32>
// CHECK-NEXT:       %34 = llvm.shufflevector %33, %11 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %35 = llvm.add %34, %10 : vector<32xi32>
// CHECK-NEXT:       %36 = llvm.insertelement %3, %11[%7 : i32] : vector<32xi32>
// CHECK-NEXT:       %37 = llvm.shufflevector %36, %11 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %38 = llvm.and %35, %37 : vector<32xi32>
// CHECK-NEXT:       %39 = llvm.getelementptr %5[%38] : (!llvm.ptr, vector<32xi32>) -> vector<32x!llvm.ptr>, f32
// CHECK-NEXT:       %40 = llvm.intr.masked.gather %39, %12, %13 {alignment = 4 : i32} : (vector<32x!llvm.ptr>, vector<32xi1>, vector<32xf32>) -> vector<32xf32>
// CHECK-NEXT:       %41 = llvm.fadd %30, %40 : vector<32xf32>
// CHECK-NEXT:       %42 = llvm.getelementptr %arg1[%31] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       llvm.store %41, %42 {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
// CHECK-NEXT:       %43 = llvm.add %26, %2 : i32
// CHECK-NEXT:       %44 = llvm.icmp "ult" %43, %9 : i32
// CHECK-NEXT:       llvm.cond_br %44, ^bb5(%43 : i32), ^bb6
// CHECK-NEXT:     ^bb6:  // pred: ^bb5
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x f32>
  llvm.func @neighbour(%in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %mask = llvm.mlir.constant(63 : i32) : i32
    %shared = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %size = nvvm.read.ptx.sreg.ntid.x : i32
    %first = llvm.mul %block, %size : i32
    %i = llvm.add %first, %tid overflow<nsw> : i32
    %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %value = llvm.load %from : !llvm.ptr -> f32
    %own = llvm.getelementptr %shared[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %value, %own : f32, !llvm.ptr<3>
    nvvm.barrier0
    %next = llvm.add %tid, %one : i32
    %wrapped = llvm.and %next, %mask : i32
    %other = llvm.getelementptr %shared[%wrapped] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %read = llvm.load %other : !llvm.ptr<3> -> f32
    %sum = llvm.fadd %value, %read : f32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
    llvm.return
  }
}
