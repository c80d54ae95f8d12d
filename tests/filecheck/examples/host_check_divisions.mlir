// A division whose divisor may be zero is checked, with the place of the division.
// RUN: xgpu-opt %s --host-check-divisions | filecheck %s --match-full-lines

module {
  llvm.func @f(%a: i32, %b: i32) -> i32 {
    %0 = llvm.sdiv %a, %b : i32 loc("kernel.cu":3:5)
    llvm.return %0 : i32
  }
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @xgpu_kernel_division(i32, !llvm.ptr, i32, i32, i32, i32, i32)
// CHECK-NEXT:   llvm.func @f(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.addressof @xgpu.file.0 : !llvm.ptr
// CHECK-NEXT:     %1 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %2 = llvm.mlir.constant(5 : i32) : i32
// CHECK-NEXT:     %3 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     llvm.call @xgpu_check_s_i32(%arg0, %arg1, %0, %1, %2, %3, %3, %3) : (i32, i32, !llvm.ptr, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT:     %4 = llvm.sdiv %arg0, %arg1 : i32
// CHECK-NEXT:     llvm.return %4 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.mlir.global internal constant @xgpu.file.0("kernel.cu\00") {addr_space = 0 : i32}
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
// CHECK-NEXT: }
