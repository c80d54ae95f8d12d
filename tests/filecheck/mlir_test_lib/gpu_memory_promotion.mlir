// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s -pass-pipeline='builtin.module(gpu.module(gpu.func(test-gpu-memory-promotion)))' | filecheck %s

// CHECK:      gpu.func @vector(%[[ARG:.*]]: memref<9xf32>
// CHECK-SAME: workgroup(%[[COPY:.*]] : memref<9xf32, #gpu.address_space<workgroup>>)
// CHECK:      scf.for
// CHECK:        scf.for
// CHECK:          scf.for %[[I:.*]] =
// CHECK:            %[[X:.*]] = memref.load %[[ARG]][%[[I]]]
// CHECK:            memref.store %[[X]], %[[COPY]][%[[I]]]
// CHECK:      gpu.barrier
// CHECK:      memref.load %[[COPY]]
// CHECK:      memref.store %{{.*}}, %[[COPY]]
// CHECK:      gpu.barrier
// CHECK:            %[[X:.*]] = memref.load %[[COPY]]
// CHECK:            memref.store %[[X]], %[[ARG]]
gpu.module @kernels {
  gpu.func @vector(%a: memref<9xf32> {gpu.test_promote_workgroup}) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<9xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<9xf32>
    gpu.return
  }
}
