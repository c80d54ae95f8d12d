// RUN: xgpu-opt %s --gpu-kernel-outlining | filecheck %s
// A kernel that passes of xgpu have written is still theirs when it is a function; another is not.
func.func @f(%x: memref<4xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %s, %x[%tx] : memref<4xf32>
    gpu.terminator
  } {xgpu.own}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %s, %x[%bx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// CHECK: gpu.module @f_kernel {
// CHECK-NEXT: gpu.func @f_kernel(%arg0: f32, %arg1: memref<4xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 1, 1, 1>, xgpu.own} {
// CHECK: gpu.module @f_kernel_0 {
// CHECK-NEXT: gpu.func @f_kernel(%arg0: f32, %arg1: memref<4xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
