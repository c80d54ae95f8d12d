// RUN: xgpu-opt %s --gpu-launch-sink-index-computations --allow-unregistered-dialect | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @undefined_values(%arg0: index) {
// CHECK-NEXT:     %0 = llvm.mlir.undef : vector<1xi32>
// CHECK-NEXT:     %1 = llvm.mlir.poison : vector<1xi32>
// CHECK-NEXT:     %2 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %3 = ub.poison : i32
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %arg0, %arg8 = %arg0, %arg9 = %arg0) threads(%arg4, %arg5, %arg6) in (%arg10 = %arg0, %arg11 = %arg0, %arg12 = %arg0) {
// CHECK-NEXT:       %4 = llvm.mlir.undef : vector<1xi32>
// CHECK-NEXT:       %5 = llvm.mlir.poison : vector<1xi32>
// CHECK-NEXT:       %6 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:       %7 = ub.poison : i32
// CHECK-NEXT:       "my.use"(%4, %5, %6, %7) : (vector<1xi32>, vector<1xi32>, !llvm.ptr, i32) -> ()
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @undefined_values(%n: index) {
  %undefined = llvm.mlir.undef : vector<1xi32>
  %poison = llvm.mlir.poison : vector<1xi32>
  %null = llvm.mlir.zero : !llvm.ptr
  %none = ub.poison : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    "my.use"(%undefined, %poison, %null, %none) : (vector<1xi32>, vector<1xi32>, !llvm.ptr, i32) -> ()
    gpu.terminator
  }
  return
}
