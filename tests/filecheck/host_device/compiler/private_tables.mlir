// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions to a table in workgroup memory go to copies where a region does nothing else to it.
// RUN: xgpu-opt --host-vectorize=block=8 --split-input-file %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.mlir.global internal @table() {addr_space = 3 : i32} : !llvm.array<8 x i32>
// CHECK-NEXT:     llvm.func @counts(%arg0: !llvm.ptr) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.addressof @table : !llvm.ptr<3>
// CHECK-NEXT:       %1 = llvm.addrspacecast %0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %3 = llvm.mlir.constant(dense<8> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       %4 = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       %5 = llvm.mlir.poison : vector<32xi32>
// CHECK-NEXT:       %6 = llvm.mlir.constant(dense<[0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28]> : vector<32xi64>) : vector<32xi64>
// CHECK-NEXT:       %7 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %8 = llvm.mlir.constant(128 : i64) : i64
// CHECK-NEXT:       %9 = llvm.alloca %8 x i8 {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       %10 = llvm.mlir.constant(0 : i8) : i8
// CHECK-NEXT:       %11 = llvm.mlir.constant(dense<false> : vector<32xi1>) : vector<32xi1>
// CHECK-NEXT:       %12 = llvm.mlir.poison : vector<8xi32>
// CHECK-NEXT:       %13 = llvm.mlir.poison : vector<32xi64>
// CHECK-NEXT:       %14 = llvm.mlir.constant(dense<[0, 32, 64, 96, 0, 32, 64, 96, 0, 32, 64, 96, 0, 32, 64, 96, 0, 32, 64, 96, 0, 32, 64, 96, 0, 32, 64, 96, 0, 32, 64, 96]> : vector<32xi64>) : vector<32xi64>
// CHECK-NEXT:       %15 = llvm.mlir.constant(32 : i64) : i64
// CHECK-NEXT:       %16 = llvm.alloca %15 x i64 {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       %17 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:       %18 = llvm.mlir.constant(64 : i64) : i64
// CHECK-NEXT:       %19 = llvm.mlir.constant(96 : i64) : i64
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %20 = llvm.icmp "ult" %4, %3 : vector<32xi32>
// CHECK-NEXT:       %21 = llvm.getelementptr %1[%2] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %22 = llvm.insertelement %2, %5[%2 : i32] : vector<32xi32>
// CHECK-NEXT:       %23 = llvm.shufflevector %22, %5 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi32>
// CHECK-NEXT:       %24 = llvm.getelementptr %21[%6] : (!llvm.ptr, vector<32xi64>) -> vector<32x!llvm.ptr>, i8
// CHECK-NEXT:       llvm.intr.masked.scatter %23, %24, %20 {alignment = 4 : i32} : vector<32xi32>, vector<32xi1> into vector<32x!llvm.ptr>
// CHECK-NEXT:       llvm.br ^bb2
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       "llvm.intr.memset"(%9, %10, %8) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
// CHECK-NEXT:       %25 = llvm.icmp "ult" %4, %3 : vector<32xi32>
// CHECK-NEXT:       %26 = llvm.getelementptr %arg0[%2] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %27 = llvm.shufflevector %25, %11 [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xi1>
// CHECK-NEXT:       %28 = llvm.shufflevector %25, %11 [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi1>
// CHECK-NEXT:       %29 = llvm.or %27, %28 : vector<8xi1>
// CHECK-NEXT:       %30 = llvm.shufflevector %25, %11 [16, 17, 18, 19, 20, 21, 22, 23] : vector<32xi1>
// CHECK-NEXT:       %31 = llvm.or %29, %30 : vector<8xi1>
// CHECK-NEXT:       %32 = llvm.shufflevector %25, %11 [24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi1>
// CHECK-NEXT:       %33 = llvm.or %31, %32 : vector<8xi1>
// CHECK-NEXT:       %34 = llvm.intr.masked.load %26, %33, %12 {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi32>) -> vector<8xi32>
// CHECK-NEXT:       %35 = llvm.shufflevector %34, %12 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xi32>
// CHECK-NEXT:       %36 = llvm.getelementptr %1[%35] : (!llvm.ptr, vector<32xi32>) -> vector<32x!llvm.ptr>, i32
// CHECK-NEXT:       %37 = llvm.ptrtoint %36 : vector<32x!llvm.ptr> to vector<32xi64>
// CHECK-NEXT:       %38 = llvm.ptrtoint %1 : !llvm.ptr to i64
// CHECK-NEXT:       %39 = llvm.insertelement %38, %13[%2 : i32] : vector<32xi64>
// CHECK-NEXT:       %40 = llvm.shufflevector %39, %13 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xi64>
// CHECK-NEXT:       %41 = llvm.sub %37, %40 : vector<32xi64>
// CHECK-NEXT:       %42 = llvm.add %41, %14 : vector<32xi64>
// CHECK-NEXT:       llvm.store %42, %16 {alignment = 64 : i64} : vector<32xi64>, !llvm.ptr
// CHECK-NEXT:       %43 = llvm.bitcast %25 : vector<32xi1> to i32
// CHECK-NEXT:       llvm.br ^bb3(%43 : i32)
// CHECK-NEXT:     ^bb3(%44: i32):  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:       %45 = "llvm.intr.cttz"(%44) <{is_zero_poison = true}> : (i32) -> i32
// CHECK-NEXT:       %46 = llvm.zext %45 : i32 to i64
// CHECK-NEXT:       %47 = llvm.getelementptr %16[%46] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK-NEXT:       %48 = llvm.load %47 : !llvm.ptr -> i64
// CHECK-NEXT:       %49 = llvm.getelementptr %9[%48] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:       %50 = llvm.atomicrmw add %49, %7 monotonic : !llvm.ptr, i32
// CHECK-NEXT:       %51 = llvm.sub %44, %7 : i32
// CHECK-NEXT:       %52 = llvm.and %44, %51 : i32
// CHECK-NEXT:       %53 = llvm.icmp "ne" %52, %2 : i32
// CHECK-NEXT:       llvm.cond_br %53, ^bb3(%52 : i32), ^bb4
// CHECK-NEXT:     ^bb4:  // pred: ^bb3
// CHECK-NEXT:       llvm.br ^bb5(%17 : i64)
// CHECK-NEXT:     ^bb5(%54: i64):  // 2 preds: ^bb4, ^bb5
// CHECK-NEXT:       %55 = llvm.getelementptr %1[%54] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:       %56 = llvm.load %55 {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
// CHECK-NEXT:       %57 = llvm.getelementptr %9[%54] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:       %58 = llvm.load %57 {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
// CHECK-NEXT:       %59 = llvm.add %56, %58 : vector<8xi32>
// CHECK-NEXT:       %60 = llvm.add %54, %15 : i64
// CHECK-NEXT:       %61 = llvm.getelementptr %9[%60] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:       %62 = llvm.load %61 {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
// CHECK-NEXT:       %63 = llvm.add %59, %62 : vector<8xi32>
// CHECK-NEXT:       %64 = llvm.add %54, %18 : i64
// CHECK-NEXT:       %65 = llvm.getelementptr %9[%64] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:       %66 = llvm.load %65 {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
// CHECK-NEXT:       %67 = llvm.add %63, %66 : vector<8xi32>
// CHECK-NEXT:       %68 = llvm.add %54, %19 : i64
// CHECK-NEXT:       %69 = llvm.getelementptr %9[%68] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:       %70 = llvm.load %69 {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
// CHECK-NEXT:       %71 = llvm.add %67, %70 : vector<8xi32>
// CHECK-NEXT:       llvm.store %71, %55 {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
// CHECK-NEXT:       %72 = llvm.add %54, %15 : i64
// CHECK-NEXT:       %73 = llvm.icmp "ult" %72, %15 : i64
// CHECK-NEXT:       llvm.cond_br %73, ^bb5(%72 : i64), ^bb6
// CHECK-NEXT:     ^bb6:  // pred: ^bb5
// CHECK-NEXT:       llvm.br ^bb7
// CHECK-NEXT:     ^bb7:  // pred: ^bb6
// CHECK-NEXT:       %74 = llvm.icmp "ult" %4, %3 : vector<32xi32>
// CHECK-NEXT:       %75 = llvm.getelementptr %1[%2] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %76 = llvm.getelementptr %arg0[%2] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %77 = llvm.shufflevector %74, %11 [0, 1, 2, 3, 4, 5, 6, 7] : vector<32xi1>
// CHECK-NEXT:       %78 = llvm.shufflevector %74, %11 [8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi1>
// CHECK-NEXT:       %79 = llvm.or %77, %78 : vector<8xi1>
// CHECK-NEXT:       %80 = llvm.shufflevector %74, %11 [16, 17, 18, 19, 20, 21, 22, 23] : vector<32xi1>
// CHECK-NEXT:       %81 = llvm.or %79, %80 : vector<8xi1>
// CHECK-NEXT:       %82 = llvm.shufflevector %74, %11 [24, 25, 26, 27, 28, 29, 30, 31] : vector<32xi1>
// CHECK-NEXT:       %83 = llvm.or %81, %82 : vector<8xi1>
// CHECK-NEXT:       %84 = llvm.intr.masked.load %75, %83, %12 {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi32>) -> vector<8xi32>
// CHECK-NEXT:       %85 = llvm.shufflevector %84, %12 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xi32>
// CHECK-NEXT:       %86 = llvm.getelementptr %76[%6] : (!llvm.ptr, vector<32xi64>) -> vector<32x!llvm.ptr>, i8
// CHECK-NEXT:       llvm.intr.masked.scatter %85, %86, %74 {alignment = 4 : i32} : vector<32xi32>, vector<32xi1> into vector<32x!llvm.ptr>
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.mlir.global internal @table() {addr_space = 3 : i32} : !llvm.array<8 x i32>
  llvm.func @counts(%in: !llvm.ptr) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %table = llvm.mlir.addressof @table : !llvm.ptr<3>
    %own = llvm.getelementptr %table[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.store %zero, %own : i32, !llvm.ptr<3>
    nvvm.barrier0
    %p = llvm.getelementptr %in[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %bin = llvm.load %p : !llvm.ptr -> i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %place = llvm.getelementptr %table[%bin] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %old = llvm.atomicrmw add %place, %one monotonic : !llvm.ptr<3>, i32
    nvvm.barrier0
    %n = llvm.load %own : !llvm.ptr<3> -> i32
    llvm.store %n, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// The region reads the table, too.
// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.mlir.global internal @table() {addr_space = 3 : i32} : !llvm.array<8 x i32>
// CHECK-NEXT:     llvm.func @reads(%arg0: !llvm.ptr) attributes {host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.addressof @table : !llvm.ptr<3>
// CHECK-NEXT:       %1 = llvm.addrspacecast %0 : !llvm.ptr<3> to !llvm.ptr
// CHECK-NEXT:       %2 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %3 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %4 = llvm.mlir.constant(dense<8> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       %5 = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %6 = llvm.icmp "ult" %5, %4 : vector<32xi32>
// CHECK-NEXT:       %7 = llvm.getelementptr %arg0[%3] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %8 = llvm.load %1 : !llvm.ptr -> i32
// CHECK-NEXT:       %9 = llvm.getelementptr %1[%8] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK-NEXT:       %10 = llvm.bitcast %6 : vector<32xi1> to i32
// CHECK-NEXT:       %11 = llvm.intr.ctpop(%10) : (i32) -> i32
// CHECK-NEXT:       %12 = llvm.mul %2, %11 : i32
// CHECK-NEXT:       %13 = llvm.atomicrmw add %9, %12 monotonic : !llvm.ptr, i32
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.mlir.global internal @table() {addr_space = 3 : i32} : !llvm.array<8 x i32>
  llvm.func @reads(%in: !llvm.ptr) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %table = llvm.mlir.addressof @table : !llvm.ptr<3>
    %p = llvm.getelementptr %in[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %bin = llvm.load %table : !llvm.ptr<3> -> i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %place = llvm.getelementptr %table[%bin] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %old = llvm.atomicrmw add %place, %one monotonic : !llvm.ptr<3>, i32
    llvm.return
  }
}
