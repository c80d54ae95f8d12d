// RUN: xgpu-opt --canonicalize %s | filecheck %s

// A buffer of known shape takes the place of its cast.
// CHECK: module {
// CHECK-NEXT:   func.func @cast(%arg0: memref<4xf32>, %arg1: i32, %arg2: !mpi.comm) {
// CHECK-NEXT:     mpi.send(%arg0, %arg1, %arg1, %arg2) : memref<4xf32>, i32, i32
// CHECK-NEXT:     mpi.recv(%arg0, %arg1, %arg1, %arg2) : memref<4xf32>, i32, i32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @cast(%m: memref<4xf32>, %i: i32, %comm: !mpi.comm) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  mpi.send(%0, %i, %i, %comm) : memref<?xf32>, i32, i32
  mpi.recv(%0, %i, %i, %comm) : memref<?xf32>, i32, i32
  return
}

// The rank in the world is a constant where it is known; in a part of it, or checked, it is not.
// CHECK-NEXT:   module attributes {dlti.map = #dlti.map<"MPI:comm_world_rank" = 3 : i64>} {
// CHECK-NEXT:     func.func @rank(%arg0: i32) -> (i32, i32, !mpi.retval, i32) {
// CHECK-NEXT:       %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:       %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:       %newcomm = mpi.comm_split(%0, %arg0, %arg0) : !mpi.comm
// CHECK-NEXT:       %rank = mpi.comm_rank(%newcomm) : i32
// CHECK-NEXT:       %retval, %rank_0 = mpi.comm_rank(%0) : !mpi.retval, i32
// CHECK-NEXT:       return %c3_i32, %rank, %retval, %rank_0 : i32, i32, !mpi.retval, i32
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {dlti.map = #dlti.map<"MPI:comm_world_rank" = 3>} {
  func.func @rank(%i: i32) -> (i32, i32, !mpi.retval, i32) {
    %world = mpi.comm_world : !mpi.comm
    %part = mpi.comm_split(%world, %i, %i) : !mpi.comm
    %0 = mpi.comm_rank(%world) : i32
    %1 = mpi.comm_rank(%part) : i32
    %2, %3 = mpi.comm_rank(%world) : !mpi.retval, i32
    return %0, %1, %2, %3 : i32, i32, !mpi.retval, i32
  }
}
