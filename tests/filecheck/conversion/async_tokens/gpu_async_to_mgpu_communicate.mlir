// RUN: xgpu-opt %s --gpu-async-to-mgpu --mgpu-verify-lifetimes | filecheck %s

// What ranks do together is on a stream beside the kernel that does not wait for it; messages of one
// region are one group.

module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @a(%x: memref<8xf32>) kernel { gpu.return } }

  func.func @beside(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>, %peer: i32, %n: index) {
    %comm = mpi.comm_world : !mpi.comm
    %t = gpu.launch_func async @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<8xf32>)
    %u = mgpu.communicate async [%t] {
      mpi.allreduce(%a, %b, MPI_SUM, %comm) : memref<8xf32>, memref<8xf32>
    }
    %v = gpu.launch_func async [%t] @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%c : memref<8xf32>)
    %w = mgpu.communicate async [%u, %v] {
      mpi.send(%b, %peer, %peer, %comm) : memref<8xf32>, i32, i32
      mpi.recv(%c, %peer, %peer, %comm) : memref<8xf32>, i32, i32
    }
    gpu.wait [%w]
    return
  }
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   gpu.module @k {
// CHECK-NEXT:     gpu.func @a(%arg0: memref<8xf32>) kernel {
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @beside(%arg0: memref<8xf32>, %arg1: memref<8xf32>, %arg2: memref<8xf32>, %arg3: i32, %arg4: index) {
// CHECK-NEXT:     %0 = mgpu.kernel @k::@a : !mgpu.function
// CHECK-NEXT:     %1 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %2 = mgpu.stream_create
// CHECK-NEXT:     mgpu.launch %2, %0 blocks in (%arg4, %arg4, %arg4) threads in (%arg4, %arg4, %arg4)  args(%arg0 : memref<8xf32>)
// CHECK-NEXT:     %3 = mgpu.event_create
// CHECK-NEXT:     mgpu.event_record %3, %2
// CHECK-NEXT:     mgpu.comm_all_reduce %2, %arg0, %arg1, MPI_SUM, %1 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     %4 = mgpu.stream_create
// CHECK-NEXT:     mgpu.stream_wait_event %4, %3
// CHECK-NEXT:     mgpu.launch %4, %0 blocks in (%arg4, %arg4, %arg4) threads in (%arg4, %arg4, %arg4)  args(%arg2 : memref<8xf32>)
// CHECK-NEXT:     mgpu.event_record %3, %4
// CHECK-NEXT:     mgpu.stream_destroy %4
// CHECK-NEXT:     mgpu.stream_wait_event %2, %3
// CHECK-NEXT:     mgpu.event_destroy %3
// CHECK-NEXT:     mgpu.comm_group_start %2
// CHECK-NEXT:     mgpu.comm_send %2, %arg1, %arg3, %1 : memref<8xf32>
// CHECK-NEXT:     mgpu.comm_receive %2, %arg2, %arg3, %1 : memref<8xf32>
// CHECK-NEXT:     mgpu.comm_group_end %2
// CHECK-NEXT:     mgpu.stream_synchronize %2
// CHECK-NEXT:     mgpu.stream_destroy %2
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
