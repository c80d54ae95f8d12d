// A sum over rows becomes a kernel with a block for each row.
// RUN: xgpu-opt %s --convert-linalg-reductions-to-gpu | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<8x128xf32>, %arg1: memref<8xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %c1_0 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c8, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c128, %arg12 = %c1_0, %arg13 = %c1) {
// CHECK-NEXT:       %cst = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:       %c128_1 = arith.constant 128 : index
// CHECK-NEXT:       %c128_2 = arith.constant 128 : index
// CHECK-NEXT:       %0 = scf.for %arg14 = %arg5 to %c128_1 step %c128_2 iter_args(%arg15 = %cst) -> (f32) {
// CHECK-NEXT:         %3 = memref.load %arg0[%arg2, %arg14] : memref<8x128xf32>
// CHECK-NEXT:         %4 = arith.addf %arg15, %3 : f32
// CHECK-NEXT:         scf.yield %4 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       %1 = gpu.all_reduce  add %0 uniform {
// CHECK-NEXT:       } : (f32) -> f32
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %2 = arith.cmpi eq, %arg5, %c0 : index
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         %3 = memref.load %arg1[%arg2] : memref<8xf32>
// CHECK-NEXT:         %4 = arith.addf %3, %1 : f32
// CHECK-NEXT:         memref.store %4, %arg1[%arg2] : memref<8xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: memref<8x128xf32>, %s: memref<8xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<8x128xf32>) outs(%s : memref<8xf32>) dimensions = [1]
  return
}
