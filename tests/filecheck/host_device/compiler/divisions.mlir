// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A division whose divisor may be zero, or -1 where that overflows, is checked; a harmless one not.
// The check is told where the division is.
// RUN: xgpu-opt --host-check-divisions < %s | filecheck %s --match-full-lines

module {
  llvm.func @f(%a: i32, %b: i32, %v: vector<2xi32>, %w: i64) {
    %three = llvm.mlir.constant(3 : i32) : i32
    %minus = llvm.mlir.constant(-1 : i32) : i32
    %zero = llvm.mlir.zero : i64
    %two = llvm.mlir.constant(dense<[2, -2]> : vector<2xi32>) : vector<2xi32>
    %some = llvm.mlir.constant(dense<[2, -1]> : vector<2xi32>) : vector<2xi32>
    %0 = llvm.sdiv %a, %three : i32
    %1 = llvm.sdiv %a, %minus : i32
    %2 = llvm.srem %a, %b : i32
    %3 = llvm.udiv %w, %zero : i64
    %4 = llvm.sdiv %v, %two : vector<2xi32>
    %5 = llvm.sdiv %v, %some : vector<2xi32>
    llvm.return
  }
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @xgpu_kernel_division(i32, !llvm.ptr, i32, i32, i32, i32, i32)
// CHECK-NEXT:   llvm.func @f(%arg0: i32, %arg1: i32, %arg2: vector<2xi32>, %arg3: i64) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     %2 = llvm.mlir.zero : i64
// CHECK-NEXT:     %3 = llvm.mlir.constant(dense<[2, -2]> : vector<2xi32>) : vector<2xi32>
// CHECK-NEXT:     %4 = llvm.mlir.constant(dense<[2, -1]> : vector<2xi32>) : vector<2xi32>
// CHECK-NEXT:     %5 = llvm.sdiv %arg0, %0 : i32
// CHECK-NEXT:     %6 = llvm.mlir.addressof @xgpu.file.0 : !llvm.ptr
// CHECK-NEXT:     %7 = llvm.mlir.constant(14 : i32) : i32
// CHECK-NEXT:     %8 = llvm.mlir.constant(10 : i32) : i32
// CHECK-NEXT:     %9 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     llvm.call @xgpu_check_s_i32(%arg0, %1, %6, %7, %8, %9, %9, %9) : (i32, i32, !llvm.ptr, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT:     %10 = llvm.sdiv %arg0, %1 : i32
// CHECK-NEXT:     %11 = llvm.mlir.addressof @xgpu.file.0 : !llvm.ptr
// CHECK-NEXT:     %12 = llvm.mlir.constant(15 : i32) : i32
// CHECK-NEXT:     %13 = llvm.mlir.constant(10 : i32) : i32
// CHECK-NEXT:     %14 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     llvm.call @xgpu_check_s_i32(%arg0, %arg1, %11, %12, %13, %14, %14, %14) : (i32, i32, !llvm.ptr, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT:     %15 = llvm.srem %arg0, %arg1 : i32
// CHECK-NEXT:     %16 = llvm.mlir.addressof @xgpu.file.0 : !llvm.ptr
// CHECK-NEXT:     %17 = llvm.mlir.constant(16 : i32) : i32
// CHECK-NEXT:     %18 = llvm.mlir.constant(10 : i32) : i32
// CHECK-NEXT:     %19 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     llvm.call @xgpu_check_u_i64(%arg3, %2, %16, %17, %18, %19, %19, %19) : (i64, i64, !llvm.ptr, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT:     %20 = llvm.udiv %arg3, %2 : i64
// CHECK-NEXT:     %21 = llvm.sdiv %arg2, %3 : vector<2xi32>
// CHECK-NEXT:     %22 = llvm.mlir.addressof @xgpu.file.0 : !llvm.ptr
// CHECK-NEXT:     %23 = llvm.mlir.constant(18 : i32) : i32
// CHECK-NEXT:     %24 = llvm.mlir.constant(10 : i32) : i32
// CHECK-NEXT:     %25 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     llvm.call @xgpu_check_s_v2i32(%arg2, %4, %22, %23, %24, %25, %25, %25) : (vector<2xi32>, vector<2xi32>, !llvm.ptr, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT:     %26 = llvm.sdiv %arg2, %4 : vector<2xi32>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.mlir.global internal constant @xgpu.file.0("<stdin>\00") {addr_space = 0 : i32}
// CHECK-NEXT:   llvm.func internal @xgpu_check_s_i32(%arg0: i32, %arg1: i32, %arg2: !llvm.ptr, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32) attributes {always_inline, passthrough = {{\[\[}}"prefer-vector-width", "256"], ["min-legal-vector-width", "0"]]} {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %1 = llvm.icmp "eq" %arg1, %0 : i32
// CHECK-NEXT:     %2 = llvm.mlir.constant(-2147483648 : i32) : i32
// CHECK-NEXT:     %3 = llvm.icmp "eq" %arg0, %2 : i32
// CHECK-NEXT:     %4 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     %5 = llvm.icmp "eq" %arg1, %4 : i32
// CHECK-NEXT:     %6 = llvm.and %5, %3 : i1
// CHECK-NEXT:     %7 = llvm.or %1, %6 : i1
// CHECK-NEXT:     %8 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.cond_br %7, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %9 = llvm.select %1, %0, %8 : i1, i32
// CHECK-NEXT:     llvm.call @xgpu_kernel_division(%9, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (i32, !llvm.ptr, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT:     llvm.unreachable
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func internal @xgpu_check_u_i64(%arg0: i64, %arg1: i64, %arg2: !llvm.ptr, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32) attributes {always_inline, passthrough = {{\[\[}}"prefer-vector-width", "256"], ["min-legal-vector-width", "0"]]} {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:     %1 = llvm.icmp "eq" %arg1, %0 : i64
// CHECK-NEXT:     %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %3 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.cond_br %1, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %4 = llvm.select %1, %2, %3 : i1, i32
// CHECK-NEXT:     llvm.call @xgpu_kernel_division(%4, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (i32, !llvm.ptr, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT:     llvm.unreachable
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func internal @xgpu_check_s_v2i32(%arg0: vector<2xi32>, %arg1: vector<2xi32>, %arg2: !llvm.ptr, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32) attributes {always_inline, passthrough = {{\[\[}}"prefer-vector-width", "256"], ["min-legal-vector-width", "0"]]} {
// CHECK-NEXT:     %0 = llvm.mlir.constant(dense<0> : vector<2xi32>) : vector<2xi32>
// CHECK-NEXT:     %1 = llvm.icmp "eq" %arg1, %0 : vector<2xi32>
// CHECK-NEXT:     %2 = llvm.mlir.constant(dense<-2147483648> : vector<2xi32>) : vector<2xi32>
// CHECK-NEXT:     %3 = llvm.icmp "eq" %arg0, %2 : vector<2xi32>
// CHECK-NEXT:     %4 = llvm.mlir.constant(dense<-1> : vector<2xi32>) : vector<2xi32>
// CHECK-NEXT:     %5 = llvm.icmp "eq" %arg1, %4 : vector<2xi32>
// CHECK-NEXT:     %6 = llvm.mlir.constant(dense<false> : vector<2xi1>) : vector<2xi1>
// CHECK-NEXT:     %7 = llvm.select %5, %3, %6 : vector<2xi1>, vector<2xi1>
// CHECK-NEXT:     %8 = llvm.or %1, %7 : vector<2xi1>
// CHECK-NEXT:     %9 = "llvm.intr.vector.reduce.or"(%1) : (vector<2xi1>) -> i1
// CHECK-NEXT:     %10 = "llvm.intr.vector.reduce.or"(%8) : (vector<2xi1>) -> i1
// CHECK-NEXT:     %11 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %12 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.cond_br %10, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %13 = llvm.select %9, %11, %12 : i1, i32
// CHECK-NEXT:     llvm.call @xgpu_kernel_division(%13, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (i32, !llvm.ptr, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT:     llvm.unreachable
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
