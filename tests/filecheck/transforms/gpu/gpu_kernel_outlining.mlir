// RUN: xgpu-opt %s --gpu-launch-sink-index-computations --gpu-kernel-outlining | filecheck %s

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @f
// CHECK: %[[C32:.*]] = arith.constant 32 : index
// CHECK: gpu.launch_func @f_kernel::@f_kernel blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%[[C32]], %{{.*}}, %{{.*}}) args(%{{.*}} : memref<32xf32>)
func.func @f(%a: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c7 = arith.constant 7.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %c7, %a[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// CHECK: gpu.module @f_kernel
// CHECK: gpu.func @f_kernel(%{{.*}}: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>}
// CHECK: gpu.thread_id x
// CHECK: arith.constant 7.000000e+00 : f32
// CHECK: memref.store
// CHECK: gpu.return
