// RUN: xgpu-opt %s --allow-unregistered-dialect --convert-gpu-to-nvvm | filecheck %s

// Descriptors are built when an operation first needs them, each at the start of the block.

// CHECK-LABEL:  llvm.func @later_first
// CHECK:          llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<(ptr<3>,
// CHECK:          llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<(ptr<1>,
// CHECK-LABEL:  llvm.func @earlier_first
// CHECK:          llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<(ptr<1>,
// CHECK:          llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<(ptr<3>,
gpu.module @kernels {
  gpu.func @later_first(%v: f32, %near: memref<4xf32, 3>, %far: memref<4xf32, 1>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %v, %far[%c0] : memref<4xf32, 1>
    memref.store %v, %near[%c0] : memref<4xf32, 3>
    gpu.return
  }
  gpu.func @earlier_first(%v: f32, %near: memref<4xf32, 3>, %far: memref<4xf32, 1>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %v, %near[%c0] : memref<4xf32, 3>
    memref.store %v, %far[%c0] : memref<4xf32, 1>
    gpu.return
  }
}

// One descriptor serves what is converted and what is not.
// CHECK-LABEL:  llvm.func @both
// CHECK-COUNT-1:  llvm.mlir.poison : !llvm.struct
// CHECK:          %[[MEMREF:.*]] = builtin.unrealized_conversion_cast
// CHECK-NOT:      llvm.mlir.poison
// CHECK:          "test.use"(%[[MEMREF]])
gpu.module @others {
  gpu.func @both(%v: f32, %m: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %v, %m[%c0] : memref<4xf32>
    "test.use"(%m) : (memref<4xf32>) -> ()
    memref.store %v, %m[%c0] : memref<4xf32>
    gpu.return
  }
}
