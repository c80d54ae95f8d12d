// The communicator of a column of processes is made when it is needed first.
// RUN: xgpu-opt %s --mpi-cache-communicators | filecheck %s --match-full-lines

func.func @column(%m: memref<4xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %c2 = arith.constant 2 : i32
  %color = arith.remsi %rank, %c2 : i32
  %column = mpi.comm_split(%world, %color, %rank) : !mpi.comm
  mpi.allreduce(%m, %m, MPI_SUM, %column) : memref<4xf32>, memref<4xf32>
  return
}

// CHECK: module {
// CHECK-NEXT:   memref.global "private" @communicator_0 : memref<i64> = dense<0>
// CHECK-NEXT:   func.func @column(%arg0: memref<4xf32>) {
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %rank = mpi.comm_rank(%0) : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %1 = arith.remsi %rank, %c2_i32 : i32
// CHECK-NEXT:     %2 = memref.get_global @communicator_0 : memref<i64>
// CHECK-NEXT:     %3 = memref.load %2[] : memref<i64>
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %4 = arith.cmpi eq, %3, %c0_i64 : i64
// CHECK-NEXT:     %5 = scf.if %4 -> (i64) {
// CHECK-NEXT:       %newcomm = mpi.comm_split(%0, %1, %rank) : !mpi.comm
// CHECK-NEXT:       %7 = builtin.unrealized_conversion_cast %newcomm : !mpi.comm to i64
// CHECK-NEXT:       memref.store %7, %2[] : memref<i64>
// CHECK-NEXT:       scf.yield %7 : i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %3 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     %6 = builtin.unrealized_conversion_cast %5 : i64 to !mpi.comm
// CHECK-NEXT:     mpi.allreduce(%arg0, %arg0, MPI_SUM, %6) : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
