// RUN: xgpu-opt %s --allow-unregistered-dialect | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --allow-unregistered-dialect | xgpu-opt --allow-unregistered-dialect | filecheck %s --match-full-lines

// PowerPC's float is a float: other types have it as their element, and it has its prefix among them.
// CHECK: module {
// CHECK-NEXT:   %0 = "a.b"() : () -> vector<4x!llvm.ppc_fp128>
%0 = "a.b"() : () -> vector<4x!llvm.ppc_fp128>
// CHECK-NEXT:   %1 = "a.b"() : () -> memref<4x!llvm.ppc_fp128>
%1 = "a.b"() : () -> memref<4x!llvm.ppc_fp128>
// CHECK-NEXT:   %2 = "a.b"() : () -> memref<*x!llvm.ppc_fp128>
%2 = "a.b"() : () -> memref<*x!llvm.ppc_fp128>
// CHECK-NEXT:   %3 = "a.b"() : () -> !llvm.array<2 x !llvm.ppc_fp128>
%3 = "a.b"() : () -> !llvm.array<2 x ppc_fp128>
// CHECK-NEXT:   %4 = "a.b"() : () -> !llvm.struct<(!llvm.ppc_fp128, x86_amx)>
%4 = "a.b"() : () -> !llvm.struct<(ppc_fp128, x86_amx)>
// CHECK-NEXT:   %5 = "a.b"() : () -> !llvm.func<!llvm.ppc_fp128 (ptr, !llvm.ppc_fp128)>
// CHECK-NEXT: }
%5 = "a.b"() : () -> !llvm.func<ppc_fp128 (ptr, !llvm.ppc_fp128)>
