// A collective of buffers on the device is put on a stream; one of buffers of the host stays.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(gpu-communicate))' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<8xf32>) {
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<8xf32>
// CHECK-NEXT:     mgpu.communicate  {
// CHECK-NEXT:       mpi.allreduce(%memref, %memref, MPI_SUM, %0) : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     mpi.allreduce(%arg0, %arg0, MPI_SUM, %0) : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     gpu.dealloc  %memref : memref<8xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%host: memref<8xf32>) {
  %comm = mpi.comm_world : !mpi.comm
  %a = gpu.alloc () : memref<8xf32>
  mpi.allreduce(%a, %a, MPI_SUM, %comm) : memref<8xf32>, memref<8xf32>
  mpi.allreduce(%host, %host, MPI_SUM, %comm) : memref<8xf32>, memref<8xf32>
  gpu.dealloc %a : memref<8xf32>
  return
}
