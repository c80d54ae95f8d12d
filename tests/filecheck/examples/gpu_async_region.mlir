// Launches and copies take and give tokens; the host waits once.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(gpu-async-region))' | filecheck %s --match-full-lines

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<8xf32>) kernel {
      gpu.return
    }
  }
  func.func @f(%host: memref<8xf32>, %m: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.memcpy %m, %host : memref<8xf32>, memref<8xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%m : memref<8xf32>)
    return
  }
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @k(%arg0: memref<8xf32>) kernel {
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @f(%arg0: memref<8xf32>, %arg1: memref<8xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = gpu.wait async
// CHECK-NEXT:     %1 = gpu.memcpy async [%0] %arg1, %arg0 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     %2 = gpu.launch_func async [%1] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)  args(%arg1 : memref<8xf32>)
// CHECK-NEXT:     gpu.wait [%2]
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
