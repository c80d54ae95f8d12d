// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers lose their address spaces, also inside of other types, and accesses their scopes.
// RUN: xgpu-opt --host-flat-memory %s | filecheck %s --match-full-lines

module {
  llvm.mlir.global internal constant @table(dense<[1, 2]> : tensor<2xi32>) {addr_space = 4 : i32} : !llvm.array<2 x i32>
  llvm.func @f(%a: !llvm.ptr<3>, %s: !llvm.struct<(ptr<3>, ptr, array<2 x i64>)>) -> !llvm.ptr<1> {
    %t = llvm.mlir.addressof @table : !llvm.ptr<4>
    %g = llvm.addrspacecast %t : !llvm.ptr<4> to !llvm.ptr
    %p = llvm.extractvalue %s[0] : !llvm.struct<(ptr<3>, ptr, array<2 x i64>)>
    %v = llvm.load %p atomic syncscope("block") acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
    %w = llvm.load %g : !llvm.ptr -> i32
    %o = llvm.atomicrmw add %a, %v syncscope("device") monotonic : !llvm.ptr<3>, i32
    llvm.fence syncscope("agent") seq_cst
    %z = llvm.mlir.zero : !llvm.ptr<1>
    llvm.return %z : !llvm.ptr<1>
  }
}

// CHECK: module {
// CHECK-NEXT:   llvm.mlir.global internal constant @table(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
// CHECK-NEXT:   llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.struct<(ptr, ptr, array<2 x i64>)>) -> !llvm.ptr {
// CHECK-NEXT:     %0 = llvm.mlir.addressof @table : !llvm.ptr
// CHECK-NEXT:     %1 = llvm.extractvalue %arg1[0] : !llvm.struct<(ptr, ptr, array<2 x i64>)>
// CHECK-NEXT:     %2 = llvm.load %1 atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NEXT:     %3 = llvm.load %0 : !llvm.ptr -> i32
// CHECK-NEXT:     %4 = llvm.atomicrmw add %arg0, %2 monotonic : !llvm.ptr, i32
// CHECK-NEXT:     llvm.fence seq_cst
// CHECK-NEXT:     %5 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     llvm.return %5 : !llvm.ptr
// CHECK-NEXT:   }
// CHECK-NEXT: }
