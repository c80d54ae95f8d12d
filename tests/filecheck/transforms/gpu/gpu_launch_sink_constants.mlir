// RUN: xgpu-opt %s --gpu-launch-sink-index-computations | filecheck %s --match-full-lines
// Every kind of constant costs less in the body than as an argument of the kernel.

// CHECK: module {
// CHECK-NEXT:   func.func @constants(%arg0: index) {
// CHECK-NEXT:     %0 = llvm.mlir.undef : vector<1xi32>
// CHECK-NEXT:     %1 = llvm.mlir.poison : vector<1xi32>
// CHECK-NEXT:     %2 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %3 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     %4 = ub.poison : i64
// CHECK-NEXT:     %true = index.bool.constant true
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %arg0, %arg8 = %arg0, %arg9 = %arg0) threads(%arg4, %arg5, %arg6) in (%arg10 = %arg0, %arg11 = %arg0, %arg12 = %arg0) {
// CHECK-NEXT:       %5 = llvm.mlir.undef : vector<1xi32>
// CHECK-NEXT:       %6 = llvm.mlir.poison : vector<1xi32>
// CHECK-NEXT:       %7 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:       %8 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:       %9 = ub.poison : i64
// CHECK-NEXT:       %true_0 = index.bool.constant true
// CHECK-NEXT:       %10 = builtin.unrealized_conversion_cast %5, %6, %7, %8, %9, %true_0, %arg0 : vector<1xi32>, vector<1xi32>, !llvm.ptr, i32, i64, i1, index to i32
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @constants(%n: index) {
  %u = llvm.mlir.undef : vector<1xi32>
  %q = llvm.mlir.poison : vector<1xi32>
  %z = llvm.mlir.zero : !llvm.ptr
  %k = llvm.mlir.constant(7 : i32) : i32
  %p = ub.poison : i64
  %t = index.bool.constant true
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %a = builtin.unrealized_conversion_cast %u, %q, %z, %k, %p, %t, %n : vector<1xi32>, vector<1xi32>, !llvm.ptr, i32, i64, i1, index to i32
    gpu.terminator
  }
  return
}
