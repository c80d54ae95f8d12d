// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(gpu-communicate))' | filecheck %s

// What NCCL lacks stays: messages, other reductions, other elements, and what is on a stream.
// CHECK: module {
// CHECK-NEXT:   func.func @stays(%arg0: i32, %arg1: i32) {
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<8xf32>
// CHECK-NEXT:     %memref_0 = gpu.alloc  () : memref<8xi16>
// CHECK-NEXT:     mpi.send(%memref, %arg1, %arg0, %0) : memref<8xf32>, i32, i32
// CHECK-NEXT:     mpi.recv(%memref, %arg1, %arg0, %0) : memref<8xf32>, i32, i32
// CHECK-NEXT:     mpi.allreduce(%memref_0, %memref_0, MPI_SUM, %0) : memref<8xi16>, memref<8xi16>
// CHECK-NEXT:     mpi.allreduce(%memref, %memref, MPI_LAND, %0) : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     mgpu.communicate  {
// CHECK-NEXT:       mpi.allreduce(%memref, %memref, MPI_SUM, %0) : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @stays(%rank: i32, %tag: i32) {
  %comm = mpi.comm_world : !mpi.comm
  %a = gpu.alloc () : memref<8xf32>
  %i = gpu.alloc () : memref<8xi16>
  mpi.send(%a, %tag, %rank, %comm) : memref<8xf32>, i32, i32
  mpi.recv(%a, %tag, %rank, %comm) : memref<8xf32>, i32, i32
  mpi.allreduce(%i, %i, MPI_SUM, %comm) : memref<8xi16>, memref<8xi16>
  mpi.allreduce(%a, %a, MPI_LAND, %comm) : memref<8xf32>, memref<8xf32>
  mgpu.communicate {
    mpi.allreduce(%a, %a, MPI_SUM, %comm) : memref<8xf32>, memref<8xf32>
  }
  return
}

// A part of a buffer on the device, and one of two that are there; not one that may be the host's.
// CHECK-NEXT:   func.func @moves(%arg0: memref<8xf32>, %arg1: i1) {
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<8xf32>
// CHECK-NEXT:     %memref_0 = gpu.alloc  () : memref<8xf32>
// CHECK-NEXT:     %1 = arith.select %arg1, %memref, %memref_0 : memref<8xf32>
// CHECK-NEXT:     %2 = arith.select %arg1, %memref, %arg0 : memref<8xf32>
// CHECK-NEXT:     mgpu.communicate  {
// CHECK-NEXT:       mpi.allreduce(%1, %memref, MPI_MAX, %0) : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     mpi.allreduce(%2, %memref, MPI_MAX, %0) : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @moves(%host: memref<8xf32>, %c: i1) {
  %comm = mpi.comm_world : !mpi.comm
  %a = gpu.alloc () : memref<8xf32>
  %b = gpu.alloc () : memref<8xf32>
  %both = arith.select %c, %a, %b : memref<8xf32>
  %mixed = arith.select %c, %a, %host : memref<8xf32>
  mpi.allreduce(%both, %a, MPI_MAX, %comm) : memref<8xf32>, memref<8xf32>
  mpi.allreduce(%mixed, %a, MPI_MAX, %comm) : memref<8xf32>, memref<8xf32>
  return
}
