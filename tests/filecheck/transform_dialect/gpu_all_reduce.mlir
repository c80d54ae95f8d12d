// RUN: xgpu-opt %s --transform-interpreter | filecheck %s

// CHECK-LABEL: gpu.func @reduce
// CHECK-NOT: gpu.all_reduce
// CHECK: gpu.shuffle
gpu.module @kernels {
  gpu.func @reduce(%x: f32, %m: memref<f32>) kernel {
    %r = gpu.all_reduce maxnumf %x uniform {} : (f32) -> f32
    memref.store %r, %m[] : memref<f32>
    gpu.return
  }
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["gpu.module"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %m {
      transform.apply_patterns.gpu.gpu_rewrite_patterns
    } : !transform.any_op
    transform.yield
  }
}
