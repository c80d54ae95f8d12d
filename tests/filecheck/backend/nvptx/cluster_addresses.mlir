// RUN: xgpu-opt %s --gpu-module-to-binary=format=isa | filecheck %s

// A block's shared memory has the same addresses in its cluster's: no way by generic ones.
// CHECK:         .visible .entry copy(
// CHECK-NOT:     cvta.shared
// CHECK-NOT:     cvta.to.shared
// CHECK:         cp.async.bulk.tensor.2d.shared::cluster.global
// CHECK-NOT:     cvta.to.shared
// CHECK:         ret;
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    llvm.func @copy(%map: !llvm.ptr, %to: !llvm.ptr<3>, %full: !llvm.ptr<3>, %at: i32) attributes {gpu.kernel, nvvm.kernel, xgpu.own} {
      %cluster = llvm.addrspacecast %to : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %full, box[%at, %at] : !llvm.ptr<7>, !llvm.ptr
      llvm.return
    }
  }
}
