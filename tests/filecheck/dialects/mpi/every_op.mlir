// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// Every operation of the mpi dialect, with and without the returned value.

// CHECK: module {
// CHECK-NEXT:   func.func @world(%arg0: i32, %arg1: i32) -> !mpi.comm {
// CHECK-NEXT:     mpi.init
// CHECK-NEXT:     %0 = mpi.init : !mpi.retval
// CHECK-NEXT:     %1 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %rank = mpi.comm_rank(%1) : i32
// CHECK-NEXT:     %retval, %rank_0 = mpi.comm_rank(%1) : !mpi.retval, i32
// CHECK-NEXT:     %size = mpi.comm_size(%1) : i32
// CHECK-NEXT:     %retval_1, %size_2 = mpi.comm_size(%1) : !mpi.retval, i32
// CHECK-NEXT:     %newcomm = mpi.comm_split(%1, %arg0, %arg1) : !mpi.comm
// CHECK-NEXT:     %retval_3, %newcomm_4 = mpi.comm_split(%1, %arg0, %arg1) : !mpi.retval, !mpi.comm
// CHECK-NEXT:     mpi.barrier(%newcomm)
// CHECK-NEXT:     %2 = mpi.barrier(%newcomm_4) -> !mpi.retval
// CHECK-NEXT:     %3 = mpi.error_class %2 : !mpi.retval
// CHECK-NEXT:     %4 = mpi.retval_check %3 = <MPI_SUCCESS> : i1
// CHECK-NEXT:     mpi.finalize
// CHECK-NEXT:     %5 = mpi.finalize : !mpi.retval
// CHECK-NEXT:     return %1 : !mpi.comm
// CHECK-NEXT:   }
func.func @world(%color: i32, %key: i32) -> !mpi.comm {
  mpi.init
  %0 = mpi.init : !mpi.retval
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %1, %rank2 = mpi.comm_rank(%comm) : !mpi.retval, i32
  %size = mpi.comm_size(%comm) : i32
  %2, %size2 = mpi.comm_size(%comm) : !mpi.retval, i32
  %part = mpi.comm_split(%comm, %color, %key) : !mpi.comm
  %3, %part2 = mpi.comm_split(%comm, %color, %key) : !mpi.retval, !mpi.comm
  mpi.barrier(%part)
  %4 = mpi.barrier(%part2) -> !mpi.retval
  %5 = mpi.error_class %4 : !mpi.retval
  %6 = mpi.retval_check %5 = <MPI_SUCCESS> : i1
  mpi.finalize
  %7 = mpi.finalize : !mpi.retval
  return %comm : !mpi.comm
}

// CHECK-NEXT:   func.func @messages(%arg0: memref<4x8xf32>, %arg1: i32, %arg2: i32, %arg3: !mpi.comm) {
// CHECK-NEXT:     mpi.send(%arg0, %arg2, %arg1, %arg3) : memref<4x8xf32>, i32, i32
// CHECK-NEXT:     %0 = mpi.send(%arg0, %arg2, %arg1, %arg3) : memref<4x8xf32>, i32, i32 -> !mpi.retval
// CHECK-NEXT:     mpi.recv(%arg0, %arg2, %arg1, %arg3) : memref<4x8xf32>, i32, i32
// CHECK-NEXT:     %1 = mpi.recv(%arg0, %arg2, %arg1, %arg3) : memref<4x8xf32>, i32, i32 -> !mpi.retval
// CHECK-NEXT:     %req = mpi.isend(%arg0, %arg2, %arg1, %arg3) : memref<4x8xf32>, i32, i32 -> !mpi.request
// CHECK-NEXT:     %retval, %req_0 = mpi.isend(%arg0, %arg2, %arg1, %arg3) : memref<4x8xf32>, i32, i32 -> !mpi.retval, !mpi.request
// CHECK-NEXT:     %req_1 = mpi.irecv(%arg0, %arg2, %arg1, %arg3) : memref<4x8xf32>, i32, i32 -> !mpi.request
// CHECK-NEXT:     %retval_2, %req_3 = mpi.irecv(%arg0, %arg2, %arg1, %arg3) : memref<4x8xf32>, i32, i32 -> !mpi.retval, !mpi.request
// CHECK-NEXT:     mpi.wait(%req) : !mpi.request
// CHECK-NEXT:     %2 = mpi.wait(%req_1) : !mpi.request -> !mpi.retval
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @messages(%m: memref<4x8xf32>, %other: i32, %tag: i32, %comm: !mpi.comm) {
  mpi.send(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32
  %0 = mpi.send(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32 -> !mpi.retval
  mpi.recv(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32
  %1 = mpi.recv(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32 -> !mpi.retval
  %sent = mpi.isend(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32 -> !mpi.request
  %2, %sent2 = mpi.isend(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32 -> !mpi.retval, !mpi.request
  %got = mpi.irecv(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32 -> !mpi.request
  %3, %got2 = mpi.irecv(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32 -> !mpi.retval, !mpi.request
  mpi.wait(%sent) : !mpi.request
  %4 = mpi.wait(%got) : !mpi.request -> !mpi.retval
  return
}

// CHECK-NEXT:   func.func @reductions(%arg0: memref<8xf64>, %arg1: memref<8xf64>, %arg2: !mpi.comm) {
// CHECK-NEXT:     mpi.allreduce(%arg0, %arg1, MPI_SUM, %arg2) : memref<8xf64>, memref<8xf64>
// CHECK-NEXT:     %0 = mpi.allreduce(%arg0, %arg1, MPI_MAXLOC, %arg2) : memref<8xf64>, memref<8xf64> -> !mpi.retval
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @reductions(%a: memref<8xf64>, %b: memref<8xf64>, %comm: !mpi.comm) {
  mpi.allreduce(%a, %b, MPI_SUM, %comm) : memref<8xf64>, memref<8xf64>
  %0 = mpi.allreduce(%a, %b, MPI_MAXLOC, %comm) : memref<8xf64>, memref<8xf64> -> !mpi.retval
  return
}
