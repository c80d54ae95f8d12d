// RUN: xgpu-opt --split-input-file --convert-to-llvm %s | filecheck %s

// MPICH: handles are numbers.
func.func @messages(%m: memref<4x8xf32>, %to: i32, %tag: i32) {
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %size = mpi.comm_size(%comm) : i32
  mpi.send(%m, %tag, %to, %comm) : memref<4x8xf32>, i32, i32
  %got = mpi.irecv(%m, %tag, %to, %comm) : memref<4x8xf32>, i32, i32 -> !mpi.request
  mpi.wait(%got) : !mpi.request
  mpi.barrier(%comm)
  %code = mpi.finalize : !mpi.retval
  %class = mpi.error_class %code : !mpi.retval
  %ok = mpi.retval_check %class = <MPI_SUCCESS> : i1
  return
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @MPI_Error_class(i32, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Finalize() -> i32
// CHECK-NEXT:   llvm.func @MPI_Barrier(i32) -> i32
// CHECK-NEXT:   llvm.func @MPI_Wait(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Irecv(!llvm.ptr, i32, i32, i32, i32, i32, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Send(!llvm.ptr, i32, i32, i32, i32, i32) -> i32
// CHECK-NEXT:   llvm.func @MPI_Comm_size(i32, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Init(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @messages(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64, %arg7: i32, %arg8: i32) {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %arg5, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %6 = llvm.insertvalue %arg4, %5[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %7 = llvm.insertvalue %arg6, %6[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %8 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %9 = llvm.call @MPI_Init(%8, %8) : (!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     %10 = llvm.mlir.constant(1140850688 : i64) : i64
// CHECK-NEXT:     %11 = llvm.trunc %10 : i64 to i32
// CHECK-NEXT:     %12 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %13 = llvm.alloca %12 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %14 = llvm.call @MPI_Comm_size(%11, %13) : (i32, !llvm.ptr) -> i32
// CHECK-NEXT:     %15 = llvm.load %13 : !llvm.ptr -> i32
// CHECK-NEXT:     %16 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %17 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %18 = llvm.getelementptr %16[%17] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %19 = llvm.extractvalue %7[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %20 = llvm.extractvalue %7[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %21 = llvm.mul %19, %20 : i64
// CHECK-NEXT:     %22 = llvm.trunc %21 : i64 to i32
// CHECK-NEXT:     %23 = llvm.mlir.constant(1275069450 : i32) : i32
// CHECK-NEXT:     %24 = llvm.trunc %10 : i64 to i32
// CHECK-NEXT:     %25 = llvm.call @MPI_Send(%18, %22, %23, %arg7, %arg8, %24) : (!llvm.ptr, i32, i32, i32, i32, i32) -> i32
// CHECK-NEXT:     %26 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %27 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %28 = llvm.getelementptr %26[%27] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %29 = llvm.extractvalue %7[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %30 = llvm.extractvalue %7[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %31 = llvm.mul %29, %30 : i64
// CHECK-NEXT:     %32 = llvm.trunc %31 : i64 to i32
// CHECK-NEXT:     %33 = llvm.mlir.constant(1275069450 : i32) : i32
// CHECK-NEXT:     %34 = llvm.trunc %10 : i64 to i32
// CHECK-NEXT:     %35 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %36 = llvm.alloca %35 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %37 = llvm.call @MPI_Irecv(%28, %32, %33, %arg7, %arg8, %34, %36) : (!llvm.ptr, i32, i32, i32, i32, i32, !llvm.ptr) -> i32
// CHECK-NEXT:     %38 = llvm.load %36 : !llvm.ptr -> i32
// CHECK-NEXT:     %39 = llvm.sext %38 : i32 to i64
// CHECK-NEXT:     %40 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %41 = llvm.alloca %40 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %42 = llvm.trunc %39 : i64 to i32
// CHECK-NEXT:     llvm.store %42, %41 : i32, !llvm.ptr
// CHECK-NEXT:     %43 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %44 = llvm.inttoptr %43 : i64 to !llvm.ptr
// CHECK-NEXT:     %45 = llvm.call @MPI_Wait(%41, %44) : (!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     %46 = llvm.trunc %10 : i64 to i32
// CHECK-NEXT:     %47 = llvm.call @MPI_Barrier(%46) : (i32) -> i32
// CHECK-NEXT:     %48 = llvm.call @MPI_Finalize() : () -> i32
// CHECK-NEXT:     %49 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %50 = llvm.alloca %49 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %51 = llvm.call @MPI_Error_class(%48, %50) : (i32, !llvm.ptr) -> i32
// CHECK-NEXT:     %52 = llvm.load %50 : !llvm.ptr -> i32
// CHECK-NEXT:     %53 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %54 = llvm.icmp "eq" %52, %53 : i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// Open MPI: handles are addresses of objects of the library.
module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {
  func.func @collectives(%a: memref<8xi32>, %b: memref<8xi32>, %all: memref<2x8xi32>, %i: i32) {
    %world = mpi.comm_world : !mpi.comm
    %comm = mpi.comm_split(%world, %i, %i) : !mpi.comm
    mpi.allreduce(%a, %a, MPI_SUM, %comm) : memref<8xi32>, memref<8xi32>
    mpi.allgather(%a, %all, %comm) : memref<8xi32>, memref<2x8xi32>
    mpi.alltoall(%a, %b, %comm) : memref<8xi32>, memref<8xi32>
    mpi.bcast(%a, %i, %comm) : memref<8xi32>, i32
    mpi.reduce_scatter_block(%all, %a, MPI_MAX, %comm) : memref<2x8xi32>, memref<8xi32>
    return
  }
}

// CHECK: module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {
// CHECK-NEXT:   llvm.func @MPI_Reduce_scatter_block(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.mlir.global external @ompi_mpi_op_max() {addr_space = 0 : i32} : !llvm.struct<"ompi_predefined_op_t", opaque>
// CHECK-NEXT:   llvm.func @MPI_Bcast(!llvm.ptr, i32, !llvm.ptr, i32, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Alltoall(!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Comm_size(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Allgather(!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.func @MPI_Allreduce(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.mlir.global external @ompi_mpi_op_sum() {addr_space = 0 : i32} : !llvm.struct<"ompi_predefined_op_t", opaque>
// CHECK-NEXT:   llvm.mlir.global external @ompi_mpi_int32_t() {addr_space = 0 : i32} : !llvm.struct<"ompi_predefined_datatype_t", opaque>
// CHECK-NEXT:   llvm.func @MPI_Comm_split(!llvm.ptr, i32, i32, !llvm.ptr) -> i32
// CHECK-NEXT:   llvm.mlir.global external @ompi_mpi_comm_world() {addr_space = 0 : i32} : !llvm.struct<"ompi_communicator_t", opaque>
// CHECK-NEXT:   llvm.func @collectives(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: !llvm.ptr, %arg11: !llvm.ptr, %arg12: i64, %arg13: i64, %arg14: i64, %arg15: i64, %arg16: i64, %arg17: i32) {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg5, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg6, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %arg7, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %4 = llvm.insertvalue %arg8, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %arg9, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %7 = llvm.insertvalue %arg10, %6[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %8 = llvm.insertvalue %arg11, %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %9 = llvm.insertvalue %arg12, %8[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %10 = llvm.insertvalue %arg13, %9[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %11 = llvm.insertvalue %arg15, %10[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %12 = llvm.insertvalue %arg14, %11[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %13 = llvm.insertvalue %arg16, %12[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %14 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %15 = llvm.insertvalue %arg0, %14[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %16 = llvm.insertvalue %arg1, %15[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %17 = llvm.insertvalue %arg2, %16[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %18 = llvm.insertvalue %arg3, %17[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %19 = llvm.insertvalue %arg4, %18[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %20 = llvm.mlir.addressof @ompi_mpi_comm_world : !llvm.ptr
// CHECK-NEXT:     %21 = llvm.ptrtoint %20 : !llvm.ptr to i64
// CHECK-NEXT:     %22 = llvm.inttoptr %21 : i64 to !llvm.ptr
// CHECK-NEXT:     %23 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %24 = llvm.alloca %23 x !llvm.ptr : (i32) -> !llvm.ptr
// CHECK-NEXT:     %25 = llvm.call @MPI_Comm_split(%22, %arg17, %arg17, %24) : (!llvm.ptr, i32, i32, !llvm.ptr) -> i32
// CHECK-NEXT:     %26 = llvm.load %24 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:     %27 = llvm.ptrtoint %26 : !llvm.ptr to i64
// CHECK-NEXT:     %28 = llvm.extractvalue %19[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %29 = llvm.extractvalue %19[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %30 = llvm.getelementptr %28[%29] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %31 = llvm.extractvalue %19[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %32 = llvm.trunc %31 : i64 to i32
// CHECK-NEXT:     %33 = llvm.extractvalue %19[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %34 = llvm.extractvalue %19[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %35 = llvm.getelementptr %33[%34] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %36 = llvm.extractvalue %19[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %37 = llvm.trunc %36 : i64 to i32
// CHECK-NEXT:     %38 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:     %39 = llvm.inttoptr %38 : i64 to !llvm.ptr
// CHECK-NEXT:     %40 = llvm.mlir.addressof @ompi_mpi_int32_t : !llvm.ptr
// CHECK-NEXT:     %41 = llvm.mlir.addressof @ompi_mpi_op_sum : !llvm.ptr
// CHECK-NEXT:     %42 = llvm.inttoptr %27 : i64 to !llvm.ptr
// CHECK-NEXT:     %43 = llvm.call @MPI_Allreduce(%39, %35, %32, %40, %41, %42) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     %44 = llvm.extractvalue %19[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %45 = llvm.extractvalue %19[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %46 = llvm.getelementptr %44[%45] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %47 = llvm.extractvalue %19[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %48 = llvm.trunc %47 : i64 to i32
// CHECK-NEXT:     %49 = llvm.extractvalue %13[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %50 = llvm.extractvalue %13[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %51 = llvm.getelementptr %49[%50] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %52 = llvm.extractvalue %13[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %53 = llvm.extractvalue %13[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %54 = llvm.mul %52, %53 : i64
// CHECK-NEXT:     %55 = llvm.trunc %54 : i64 to i32
// CHECK-NEXT:     %56 = llvm.mlir.addressof @ompi_mpi_int32_t : !llvm.ptr
// CHECK-NEXT:     %57 = llvm.inttoptr %27 : i64 to !llvm.ptr
// CHECK-NEXT:     %58 = llvm.call @MPI_Allgather(%46, %48, %56, %51, %48, %56, %57) : (!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     %59 = llvm.extractvalue %19[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %60 = llvm.extractvalue %19[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %61 = llvm.getelementptr %59[%60] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %62 = llvm.extractvalue %19[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %63 = llvm.trunc %62 : i64 to i32
// CHECK-NEXT:     %64 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %65 = llvm.extractvalue %5[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %66 = llvm.getelementptr %64[%65] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %67 = llvm.extractvalue %5[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %68 = llvm.trunc %67 : i64 to i32
// CHECK-NEXT:     %69 = llvm.mlir.addressof @ompi_mpi_int32_t : !llvm.ptr
// CHECK-NEXT:     %70 = llvm.inttoptr %27 : i64 to !llvm.ptr
// CHECK-NEXT:     %71 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %72 = llvm.alloca %71 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %73 = llvm.call @MPI_Comm_size(%70, %72) : (!llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     %74 = llvm.load %72 : !llvm.ptr -> i32
// CHECK-NEXT:     %75 = llvm.sdiv %63, %74 : i32
// CHECK-NEXT:     %76 = llvm.call @MPI_Alltoall(%61, %75, %69, %66, %75, %69, %70) : (!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     %77 = llvm.extractvalue %19[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %78 = llvm.extractvalue %19[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %79 = llvm.getelementptr %77[%78] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %80 = llvm.extractvalue %19[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %81 = llvm.trunc %80 : i64 to i32
// CHECK-NEXT:     %82 = llvm.mlir.addressof @ompi_mpi_int32_t : !llvm.ptr
// CHECK-NEXT:     %83 = llvm.inttoptr %27 : i64 to !llvm.ptr
// CHECK-NEXT:     %84 = llvm.call @MPI_Bcast(%79, %81, %82, %arg17, %83) : (!llvm.ptr, i32, !llvm.ptr, i32, !llvm.ptr) -> i32
// CHECK-NEXT:     %85 = llvm.extractvalue %13[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %86 = llvm.extractvalue %13[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %87 = llvm.getelementptr %85[%86] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %88 = llvm.extractvalue %13[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %89 = llvm.extractvalue %13[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT:     %90 = llvm.mul %88, %89 : i64
// CHECK-NEXT:     %91 = llvm.trunc %90 : i64 to i32
// CHECK-NEXT:     %92 = llvm.extractvalue %19[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %93 = llvm.extractvalue %19[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %94 = llvm.getelementptr %92[%93] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:     %95 = llvm.extractvalue %19[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %96 = llvm.trunc %95 : i64 to i32
// CHECK-NEXT:     %97 = llvm.mlir.addressof @ompi_mpi_int32_t : !llvm.ptr
// CHECK-NEXT:     %98 = llvm.mlir.addressof @ompi_mpi_op_max : !llvm.ptr
// CHECK-NEXT:     %99 = llvm.inttoptr %27 : i64 to !llvm.ptr
// CHECK-NEXT:     %100 = llvm.call @MPI_Reduce_scatter_block(%87, %94, %96, %97, %98, %99) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
