// The body of a launch becomes a kernel.
// RUN: xgpu-opt %s --gpu-kernel-outlining | filecheck %s --match-full-lines

func.func @f(%m: memref<?xf32>, %x: f32, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf32>, %arg1: f32, %arg2: index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch_func  @f_kernel::@f_kernel blocks in (%arg2, %c1, %c1) threads in (%c1, %c1, %c1)  args(%arg1 : f32, %arg0 : memref<?xf32>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   gpu.module @f_kernel {
// CHECK-NEXT:     gpu.func @f_kernel(%arg0: f32, %arg1: memref<?xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
// CHECK-NEXT:       %block_id_x = gpu.block_id  x
// CHECK-NEXT:       %block_id_y = gpu.block_id  y
// CHECK-NEXT:       %block_id_z = gpu.block_id  z
// CHECK-NEXT:       %thread_id_x = gpu.thread_id  x
// CHECK-NEXT:       %thread_id_y = gpu.thread_id  y
// CHECK-NEXT:       %thread_id_z = gpu.thread_id  z
// CHECK-NEXT:       %grid_dim_x = gpu.grid_dim  x
// CHECK-NEXT:       %grid_dim_y = gpu.grid_dim  y
// CHECK-NEXT:       %grid_dim_z = gpu.grid_dim  z
// CHECK-NEXT:       %block_dim_x = gpu.block_dim  x
// CHECK-NEXT:       %block_dim_y = gpu.block_dim  y
// CHECK-NEXT:       %block_dim_z = gpu.block_dim  z
// CHECK-NEXT:       memref.store %arg0, %arg1[%block_id_x] : memref<?xf32>
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
