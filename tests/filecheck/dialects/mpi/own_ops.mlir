// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// Collectives that MLIR 22 has not.

// CHECK: module {
// CHECK-NEXT:   func.func @collectives(%arg0: memref<8xf64>, %arg1: memref<8xf64>, %arg2: memref<2x8xf64>, %arg3: i32, %arg4: !mpi.comm) {
// CHECK-NEXT:     mpi.allgather(%arg0, %arg2, %arg4) : memref<8xf64>, memref<2x8xf64>
// CHECK-NEXT:     %0 = mpi.allgather(%arg0, %arg2, %arg4) : memref<8xf64>, memref<2x8xf64> -> !mpi.retval
// CHECK-NEXT:     mpi.alltoall(%arg0, %arg1, %arg4) : memref<8xf64>, memref<8xf64>
// CHECK-NEXT:     %1 = mpi.alltoall(%arg0, %arg1, %arg4) : memref<8xf64>, memref<8xf64> -> !mpi.retval
// CHECK-NEXT:     mpi.bcast(%arg0, %arg3, %arg4) : memref<8xf64>, i32
// CHECK-NEXT:     %2 = mpi.bcast(%arg0, %arg3, %arg4) : memref<8xf64>, i32 -> !mpi.retval
// CHECK-NEXT:     mpi.reduce_scatter_block(%arg2, %arg0, MPI_BXOR, %arg4) : memref<2x8xf64>, memref<8xf64>
// CHECK-NEXT:     %3 = mpi.reduce_scatter_block(%arg2, %arg0, MPI_SUM, %arg4) : memref<2x8xf64>, memref<8xf64> -> !mpi.retval
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @collectives(%a: memref<8xf64>, %b: memref<8xf64>, %all: memref<2x8xf64>, %root: i32, %comm: !mpi.comm) {
  mpi.allgather(%a, %all, %comm) : memref<8xf64>, memref<2x8xf64>
  %0 = mpi.allgather(%a, %all, %comm) : memref<8xf64>, memref<2x8xf64> -> !mpi.retval
  mpi.alltoall(%a, %b, %comm) : memref<8xf64>, memref<8xf64>
  %1 = mpi.alltoall(%a, %b, %comm) : memref<8xf64>, memref<8xf64> -> !mpi.retval
  mpi.bcast(%a, %root, %comm) : memref<8xf64>, i32
  %2 = mpi.bcast(%a, %root, %comm) : memref<8xf64>, i32 -> !mpi.retval
  mpi.reduce_scatter_block(%all, %a, MPI_BXOR, %comm) : memref<2x8xf64>, memref<8xf64>
  %3 = mpi.reduce_scatter_block(%all, %a, MPI_SUM, %comm) : memref<2x8xf64>, memref<8xf64> -> !mpi.retval
  return
}
