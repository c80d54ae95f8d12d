// Two chains of tokens become two streams; the wait for both becomes an event.
// RUN: xgpu-opt %s --gpu-async-to-mgpu | filecheck %s --match-full-lines

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<8xf32>) kernel {
      gpu.return
    }
  }
  func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %t = gpu.wait async
    %u = gpu.wait async
    %t1 = gpu.launch_func async [%t] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<8xf32>)
    %u1 = gpu.launch_func async [%u] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%b : memref<8xf32>)
    %v = gpu.launch_func async [%t1, %u1] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<8xf32>)
    gpu.wait [%v]
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
// CHECK-NEXT:     %0 = mgpu.kernel @kernels::@k : !mgpu.function
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %1 = mgpu.stream_create
// CHECK-NEXT:     mgpu.launch %1, %0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)  args(%arg0 : memref<8xf32>)
// CHECK-NEXT:     %2 = mgpu.stream_create
// CHECK-NEXT:     mgpu.launch %2, %0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)  args(%arg1 : memref<8xf32>)
// CHECK-NEXT:     %3 = mgpu.event_create
// CHECK-NEXT:     mgpu.event_record %3, %2
// CHECK-NEXT:     mgpu.stream_destroy %2
// CHECK-NEXT:     mgpu.stream_wait_event %1, %3
// CHECK-NEXT:     mgpu.event_destroy %3
// CHECK-NEXT:     mgpu.launch %1, %0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)  args(%arg0 : memref<8xf32>)
// CHECK-NEXT:     mgpu.stream_synchronize %1
// CHECK-NEXT:     mgpu.stream_destroy %1
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
