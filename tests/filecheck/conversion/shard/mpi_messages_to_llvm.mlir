// RUN: xgpu-opt --convert-to-llvm %s | filecheck %s

// A message that is received, one that is begun, and the number of a process.

func.func @messages(%m: memref<4x8xf32>, %other: i32, %tag: i32) -> i32 {
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  mpi.recv(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32
  %sent = mpi.isend(%m, %tag, %other, %comm) : memref<4x8xf32>, i32, i32 -> !mpi.request
  mpi.wait(%sent) : !mpi.request
  return %rank : i32
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @MPI_Wait(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Isend(!llvm.ptr, i32, i32, i32, i32, i32, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Recv(!llvm.ptr, i32, i32, i32, i32, i32, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Comm_rank(i32, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @messages(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64, %arg7: i32, %arg8: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %arg5, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %6 = llvm.insertvalue %arg4, %5[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %7 = llvm.insertvalue %arg6, %6[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %8 = llvm.mlir.constant(1140850688 : i64) : i64
// CHECK-NEXT:     %9 = llvm.trunc %8 : i64 to i32
// CHECK-NEXT:     %10 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %11 = llvm.alloca %10 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %12 = llvm.call @MPI_Comm_rank(%9, %11) : (i32, !llvm.ptr) -> i32
// CHECK-NEXT:     %13 = llvm.load %11 : !llvm.ptr -> i32
// CHECK-NEXT:     %14 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %15 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %16 = llvm.getelementptr %14[%15] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %17 = llvm.extractvalue %7[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %18 = llvm.extractvalue %7[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %19 = llvm.mul %17, %18 : i64
// CHECK-NEXT:     %20 = llvm.trunc %19 : i64 to i32
// CHECK-NEXT:     %21 = llvm.mlir.constant(1275069450 : i32) : i32
// CHECK-NEXT:     %22 = llvm.trunc %8 : i64 to i32
// CHECK-NEXT:     %23 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %24 = llvm.inttoptr %23 : i64 to !llvm.ptr
// CHECK-NEXT:     %25 = llvm.call @MPI_Recv(%16, %20, %21, %arg7, %arg8, %22, %24) : (!llvm.ptr, i32, i32, i32, i32, i32, !llvm.ptr) -> i32
// CHECK-NEXT:     %26 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %27 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %28 = llvm.getelementptr %26[%27] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %29 = llvm.extractvalue %7[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %30 = llvm.extractvalue %7[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %31 = llvm.mul %29, %30 : i64
// CHECK-NEXT:     %32 = llvm.trunc %31 : i64 to i32
// CHECK-NEXT:     %33 = llvm.mlir.constant(1275069450 : i32) : i32
// CHECK-NEXT:     %34 = llvm.trunc %8 : i64 to i32
// CHECK-NEXT:     %35 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %36 = llvm.alloca %35 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %37 = llvm.call @MPI_Isend(%28, %32, %33, %arg7, %arg8, %34, %36) : (!llvm.ptr, i32, i32, i32, i32, i32, !llvm.ptr) -> i32
// CHECK-NEXT:     %38 = llvm.load %36 : !llvm.ptr -> i32
// CHECK-NEXT:     %39 = llvm.sext %38 : i32 to i64
// CHECK-NEXT:     %40 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %41 = llvm.alloca %40 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %42 = llvm.trunc %39 : i64 to i32
// CHECK-NEXT:     llvm.store %42, %41 : i32, !llvm.ptr
// CHECK-NEXT:     %43 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %44 = llvm.inttoptr %43 : i64 to !llvm.ptr
// CHECK-NEXT:     %45 = llvm.call @MPI_Wait(%41, %44) : (!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     llvm.return %13 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
