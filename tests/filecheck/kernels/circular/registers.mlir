// RUN: xgpu-opt %s --pass-pipeline="builtin.module(circular-buffer,canonicalize,cse)" | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @fragments(%arg0: memref<?xf32>, %arg1: index) workgroup(%arg2 : memref<64x64xf16, #gpu.address_space<workgroup>>) kernel attributes {xgpu.own} {
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %cst = arith.constant dense<0.000000e+00> : vector<2x2xf16>
// CHECK-NEXT:       %cst_0 = arith.constant dense<0.000000e+00> : vector<4x2xf16>
// CHECK-NEXT:       %c15 = arith.constant 15 : index
// CHECK-NEXT:       %cst_1 = arith.constant dense<0.000000e+00> : vector<2x2xf32>
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c16 = arith.constant 16 : index
// CHECK-NEXT:       %0 = gpu.lane_id
// CHECK-NEXT:       %1 = arith.maxsi %arg1, %c0 : index
// CHECK-NEXT:       %2 = arith.addi %1, %c15 : index
// CHECK-NEXT:       %3 = arith.divui %2, %c16 : index
// CHECK-NEXT:       %4 = arith.cmpi sgt, %3, %c0 : index
// CHECK-NEXT:       %5:2 = scf.if %4 -> (vector<4x2xf16>, vector<2x2xf16>) {
// CHECK-NEXT:         %11 = nvgpu.ldmatrix %arg2[%0, %c0] {numTiles = 4 : i32, transpose = false} : memref<64x64xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:         %12 = nvgpu.ldmatrix %arg2[%c0, %0] {numTiles = 2 : i32, transpose = true} : memref<64x64xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
// CHECK-NEXT:         scf.yield %11, %12 : vector<4x2xf16>, vector<2x2xf16>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %cst_0, %cst : vector<4x2xf16>, vector<2x2xf16>
// CHECK-NEXT:       }
// CHECK-NEXT:       %6 = arith.subi %3, %c1 : index
// CHECK-NEXT:       %7 = arith.maxsi %6, %c0 : index
// CHECK-NEXT:       %8:3 = scf.for %arg3 = %c0 to %7 step %c1 iter_args(%arg4 = %cst_1, %arg5 = %5#0, %arg6 = %5#1) -> (vector<2x2xf32>, vector<4x2xf16>, vector<2x2xf16>) {
// CHECK-NEXT:         %11 = arith.addi %arg3, %c1 : index
// CHECK-NEXT:         %12 = arith.muli %11, %c16 : index
// CHECK-NEXT:         %13 = nvgpu.ldmatrix %arg2[%0, %12] {numTiles = 4 : i32, transpose = false} : memref<64x64xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:         %14 = nvgpu.ldmatrix %arg2[%12, %0] {numTiles = 2 : i32, transpose = true} : memref<64x64xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
// CHECK-NEXT:         %15 = nvgpu.mma.sync(%arg5, %arg6, %arg4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:         scf.yield %15, %13, %14 : vector<2x2xf32>, vector<4x2xf16>, vector<2x2xf16>
// CHECK-NEXT:       }
// CHECK-NEXT:       %9 = scf.for %arg3 = %7 to %3 step %c1 iter_args(%arg4 = %8#0) -> (vector<2x2xf32>) {
// CHECK-NEXT:         %11 = nvgpu.mma.sync(%8#1, %8#2, %arg4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:         scf.yield %11 : vector<2x2xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %10 = vector.extract %9[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       memref.store %10, %arg0[%0] : memref<?xf32>
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @fragments(%out: memref<?xf32>, %n: index)
      workgroup(%tile: memref<64x64xf16, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %lane = gpu.lane_id
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> vector<2x2xf32> {
      %a = nvgpu.ldmatrix %tile[%lane, %k] {numTiles = 4 : i32, transpose = false} : memref<64x64xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      %b = nvgpu.ldmatrix %tile[%k, %lane] {numTiles = 2 : i32, transpose = true} : memref<64x64xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
      %next = nvgpu.mma.sync(%a, %b, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      scf.yield %next : vector<2x2xf32>
    } {xgpu.circular_buffer}
    %x = vector.extract %sum[0, 0] : f32 from vector<2x2xf32>
    memref.store %x, %out[%lane] : memref<?xf32>
    gpu.return
  }
}
