// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// CHECK: module attributes {gpu.container_module}
module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @launch
  func.func @launch(%n: index, %a: memref<?xf32>, %shared: i32) {
    // CHECK: gpu.launch blocks(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %[[N:.*]], %{{.*}} = %[[N]], %{{.*}} = %[[N]]) threads(
    // CHECK-SAME: dynamic_shared_memory_size %{{.*}} workgroup(%{{.*}} : memref<32xf32, 3>) private(%{{.*}} : memref<1xf32, 5>)
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
               threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n)
               dynamic_shared_memory_size %shared
               workgroup(%w : memref<32xf32, 3>) private(%p : memref<1xf32, 5>) {
      // CHECK: gpu.terminator
      gpu.terminator
    }
    // CHECK: %[[T:.*]] = gpu.wait async
    %t = gpu.wait async
    // CHECK: gpu.launch async [%[[T]]] clusters(
    %u = gpu.launch async [%t] clusters(%cx, %cy, %cz) in (%dx = %n, %dy = %n, %dz = %n)
               blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
               threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
      gpu.terminator
    }
    // CHECK: gpu.launch_func async [%{{.*}}] @kernels::@k blocks in (%[[N]], %[[N]], %[[N]]) threads in (%[[N]], %[[N]], %[[N]]) args(%{{.*}} : memref<?xf32>)
    %v = gpu.launch_func async [%u] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
      args(%a : memref<?xf32>)
    gpu.wait [%v]
    return
  }

  // CHECK: gpu.module @kernels [#nvvm.target<chip = "sm_90">]
  gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
    // CHECK: gpu.func @k(%{{.*}}: memref<?xf32>) workgroup(%{{.*}} : memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>}
    gpu.func @k(%a: memref<?xf32>)
        workgroup(%w : memref<32xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      // CHECK: %[[ID:.*]] = gpu.thread_id x
      %id = gpu.thread_id x
      %v = memref.load %a[%id] : memref<?xf32>
      // CHECK: gpu.all_reduce add %{{.*}} uniform {
      %sum = gpu.all_reduce add %v uniform {} : (f32) -> f32
      // CHECK: gpu.subgroup_reduce maxnumf %{{.*}} : (f32) -> f32
      %max = gpu.subgroup_reduce maxnumf %sum : (f32) -> f32
      memref.store %max, %a[%id] : memref<?xf32>
      // CHECK: gpu.return
      gpu.return
    }
  }
}
