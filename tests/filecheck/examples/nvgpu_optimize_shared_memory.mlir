// Rows in workgroup memory are permuted, so that the threads of a warp use different banks.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(nvgpu-optimize-shared-memory))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<128x128xf16>, %arg1: index, %arg2: index) -> vector<8xf16> {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<128x64xf16, 3>
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %c7 = arith.constant 7 : index
// CHECK-NEXT:     %0 = arith.andi %arg1, %c7 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %1 = arith.shli %0, %c3 : index
// CHECK-NEXT:     %2 = arith.xori %arg2, %1 : index
// CHECK-NEXT:     %3 = nvgpu.device_async_copy %arg0[%arg1, %arg2], %alloc[%arg1, %2], 8 : memref<128x128xf16> to memref<128x64xf16, 3>
// CHECK-NEXT:     %c7_0 = arith.constant 7 : index
// CHECK-NEXT:     %4 = arith.andi %arg1, %c7_0 : index
// CHECK-NEXT:     %c3_1 = arith.constant 3 : index
// CHECK-NEXT:     %5 = arith.shli %4, %c3_1 : index
// CHECK-NEXT:     %6 = arith.xori %arg2, %5 : index
// CHECK-NEXT:     %7 = nvgpu.ldmatrix %alloc[%arg1, %6] {numTiles = 4 : i32, transpose = false} : memref<128x64xf16, 3> -> vector<4x2xf16>
// CHECK-NEXT:     %8 = vector.shape_cast %7 : vector<4x2xf16> to vector<8xf16>
// CHECK-NEXT:     return %8 : vector<8xf16>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%in: memref<128x128xf16>, %i: index, %j: index) -> vector<8xf16> {
  %m = memref.alloc() : memref<128x64xf16, 3>
  %z = arith.constant 0.0 : f16
  %0 = nvgpu.device_async_copy %in[%i, %j], %m[%i, %j], 8 : memref<128x128xf16> to memref<128x64xf16, 3>
  %1 = nvgpu.ldmatrix %m[%i, %j] {numTiles = 4 : i32, transpose = false} : memref<128x64xf16, 3> -> vector<4x2xf16>
  %2 = vector.shape_cast %1 : vector<4x2xf16> to vector<8xf16>
  return %2 : vector<8xf16>
}
