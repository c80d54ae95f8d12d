// RUN: xgpu-opt %s --mpi-cache-communicators | filecheck %s --match-full-lines

// Two that are equal share a variable, in whatever functions they are; the key makes a third another.
func.func @rows() {
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %c2 = arith.constant 2 : i32
  %color = arith.divsi %rank, %c2 : i32
  %row = mpi.comm_split(%world, %color, %rank) : !mpi.comm
  %backwards = mpi.comm_split(%world, %color, %c2) : !mpi.comm
  mpi.barrier(%row)
  mpi.barrier(%backwards)
  return
}
func.func @rows_again() {
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %c2 = arith.constant 2 : i32
  %color = arith.divsi %rank, %c2 : i32
  %row = mpi.comm_split(%world, %color, %rank) : !mpi.comm
  mpi.barrier(%row)
  return
}

// A color of the caller's may be another each time, and so may a communicator.
func.func @of_argument(%color: i32, %comm: !mpi.comm) {
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %0 = mpi.comm_split(%world, %color, %rank) : !mpi.comm
  %1 = mpi.comm_split(%comm, %rank, %rank) : !mpi.comm
  mpi.barrier(%0)
  mpi.barrier(%1)
  return
}

// CHECK: module {
// CHECK-NEXT:   memref.global "private" @communicator_1 : memref<i64> = dense<0>
// CHECK-NEXT:   memref.global "private" @communicator_0 : memref<i64> = dense<0>
// CHECK-NEXT:   func.func @rows() {
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %rank = mpi.comm_rank(%0) : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %1 = arith.divsi %rank, %c2_i32 : i32
// CHECK-NEXT:     %2 = memref.get_global @communicator_0 : memref<i64>
// CHECK-NEXT:     %3 = memref.load %2[] : memref<i64>
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %4 = arith.cmpi eq, %3, %c0_i64 : i64
// CHECK-NEXT:     %5 = scf.if %4 -> (i64) {
// CHECK-NEXT:       %newcomm = mpi.comm_split(%0, %1, %rank) : !mpi.comm
// CHECK-NEXT:       %12 = builtin.unrealized_conversion_cast %newcomm : !mpi.comm to i64
// CHECK-NEXT:       memref.store %12, %2[] : memref<i64>
// CHECK-NEXT:       scf.yield %12 : i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %3 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     %6 = builtin.unrealized_conversion_cast %5 : i64 to !mpi.comm
// CHECK-NEXT:     %7 = memref.get_global @communicator_1 : memref<i64>
// CHECK-NEXT:     %8 = memref.load %7[] : memref<i64>
// CHECK-NEXT:     %c0_i64_0 = arith.constant 0 : i64
// CHECK-NEXT:     %9 = arith.cmpi eq, %8, %c0_i64_0 : i64
// CHECK-NEXT:     %10 = scf.if %9 -> (i64) {
// CHECK-NEXT:       %newcomm = mpi.comm_split(%0, %1, %c2_i32) : !mpi.comm
// CHECK-NEXT:       %12 = builtin.unrealized_conversion_cast %newcomm : !mpi.comm to i64
// CHECK-NEXT:       memref.store %12, %7[] : memref<i64>
// CHECK-NEXT:       scf.yield %12 : i64
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %8 : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     %11 = builtin.unrealized_conversion_cast %10 : i64 to !mpi.comm
// CHECK-NEXT:     mpi.barrier(%6)
// CHECK-NEXT:     mpi.barrier(%11)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @rows_again() {
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %rank = mpi.comm_rank(%0) : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %1 = arith.divsi %rank, %c2_i32 : i32
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
// CHECK-NEXT:     mpi.barrier(%6)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @of_argument(%arg0: i32, %arg1: !mpi.comm) {
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %rank = mpi.comm_rank(%0) : i32
// CHECK-NEXT:     %newcomm = mpi.comm_split(%0, %arg0, %rank) : !mpi.comm
// CHECK-NEXT:     %newcomm_0 = mpi.comm_split(%arg1, %rank, %rank) : !mpi.comm
// CHECK-NEXT:     mpi.barrier(%newcomm)
// CHECK-NEXT:     mpi.barrier(%newcomm_0)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
