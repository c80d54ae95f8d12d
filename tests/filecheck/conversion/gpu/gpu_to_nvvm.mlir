// RUN: xgpu-opt %s --convert-gpu-to-nvvm=has-redux=1 | filecheck %s

// CHECK: gpu.module @kernels
gpu.module @kernels {
  // CHECK-DAG: llvm.mlir.global internal @__wg_k_0() {addr_space = 3 : i32} : !llvm.array<32 x f32>
  // CHECK-DAG: llvm.func @__nv_expf(f32) -> f32
  // CHECK: llvm.func @k(%{{.*}}: f32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>, nvvm.kernel
  gpu.func @k(%a: f32) workgroup(%w : memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: llvm.mlir.addressof @__wg_k_0 : !llvm.ptr<3>
    // CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
    %id = gpu.thread_id x
    // CHECK: llvm.call @__nv_expf(
    %e = math.exp %a : f32
    memref.store %e, %w[%id] : memref<32xf32, #gpu.address_space<workgroup>>
    // CHECK: nvvm.barrier0
    gpu.barrier
    %i = arith.index_cast %id : index to i32
    // CHECK: nvvm.redux.sync {{.*}}add
    %sum = gpu.subgroup_reduce add %i uniform : (i32) -> (i32)
    // CHECK: llvm.return
    gpu.return
  }
}
