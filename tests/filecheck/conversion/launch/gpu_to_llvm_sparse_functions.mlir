// RUN: xgpu-opt %s --gpu-to-llvm | filecheck %s

// Formats of sparse matrices, products of them, and what becomes of their sizes and pointers.

module attributes {gpu.container_module} {
  func.func @sparse(%n: index, %i: memref<?xindex>, %v: memref<?xf64>, %b: memref<?xi8>) -> index {
    %t = gpu.wait async
    %aos, %t1 = gpu.create_coo_aos async [%t] %n, %n, %n, %i, %v : memref<?xindex>, memref<?xf64>
    %csc, %t2 = gpu.create_csc async [%t1] %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    %bsr, %t3 = gpu.create_bsr async [%t2] %n, %n, %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    %csr, %t4 = gpu.create_csr async [%t3] %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    %dm, %t5 = gpu.create_dn_tensor async [%t4] %v, %n, %n : index, index into memref<?xf64>
    %size, %t6 = gpu.sddmm_buffer_size async [%t5] %dm, %dm, %csr into f64
    %t7 = gpu.sddmm async [%t6] %dm, %dm, %csr, %b : memref<?xi8> into f64
    %desc, %t8 = gpu.spgemm_create_descr async [%t7]
    %more, %t9 = gpu.spgemm_work_estimation_or_compute async [%t8] {WORK_ESTIMATION} %csr, %csr, %csr, %desc, %n, %b : f64 into memref<?xi8>
    %last, %t10 = gpu.spgemm_work_estimation_or_compute async [%t9] {COMPUTE} %csr, %csr, %csr, %desc, %n, %b : f64 into memref<?xi8>
    %t11 = gpu.spgemm_copy async [%t10] %csr, %csr, %csr, %desc : f64
    %rows, %columns, %count, %t12 = gpu.spmat_get_size async [%t11] %csr
    %t13 = gpu.set_csr_pointers async [%t12] %csr, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    %t14 = gpu.spgemm_destroy_descr async [%t13] %desc
    gpu.wait [%t14]
    %sum = arith.addi %rows, %columns : index
    %all = arith.addi %sum, %count : index
    return %all : index
  }
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   llvm.func @sparse(%arg0: i64, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: !llvm.ptr, %arg7: !llvm.ptr, %arg8: i64, %arg9: i64, %arg10: i64, %arg11: !llvm.ptr, %arg12: !llvm.ptr, %arg13: i64, %arg14: i64, %arg15: i64) -> i64 {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg11, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg12, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %arg13, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %4 = llvm.insertvalue %arg14, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %arg15, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %7 = llvm.insertvalue %arg6, %6[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %8 = llvm.insertvalue %arg7, %7[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %9 = llvm.insertvalue %arg8, %8[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %10 = llvm.insertvalue %arg9, %9[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %11 = llvm.insertvalue %arg10, %10[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %12 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %13 = llvm.insertvalue %arg1, %12[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %14 = llvm.insertvalue %arg2, %13[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %15 = llvm.insertvalue %arg3, %14[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %16 = llvm.insertvalue %arg4, %15[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %17 = llvm.insertvalue %arg5, %16[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %18 = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
// CHECK-NEXT:     %19 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %20 = llvm.extractvalue %11[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %21 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %22 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %23 = llvm.call @mgpuCreateCooAoS(%arg0, %arg0, %arg0, %19, %20, %21, %22, %18) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     %24 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %25 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %26 = llvm.extractvalue %11[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %27 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %28 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %29 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %30 = llvm.call @mgpuCreateCsc(%arg0, %arg0, %arg0, %24, %25, %26, %27, %28, %29, %18) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     %31 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %32 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %33 = llvm.extractvalue %11[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %34 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %35 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %36 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %37 = llvm.call @mgpuCreateBsr(%arg0, %arg0, %arg0, %arg0, %arg0, %31, %32, %33, %34, %35, %36, %18) : (i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     %38 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %39 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %40 = llvm.extractvalue %11[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %41 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %42 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:     %43 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %44 = llvm.call @mgpuCreateCsr(%arg0, %arg0, %arg0, %38, %39, %40, %41, %42, %43, %18) : (i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     %45 = llvm.extractvalue %11[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %46 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %47 = llvm.call @mgpuCreateDnMat(%arg0, %arg0, %45, %46, %18) : (i64, i64, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     %48 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %49 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %50 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %51 = llvm.call @mgpuSDDMMBufferSize(%48, %49, %47, %47, %44, %50, %18) : (i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i64
// CHECK-NEXT:     %52 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %53 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %54 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %55 = llvm.extractvalue %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     llvm.call @mgpuSDDMM(%52, %53, %47, %47, %44, %54, %55, %18) : (i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:     %56 = llvm.call @mgpuSpGEMMCreateDescr(%18) : (!llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:     %57 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %58 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %59 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %60 = llvm.extractvalue %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %61 = llvm.call @mgpuSpGEMMWorkEstimation(%56, %58, %59, %44, %44, %44, %57, %arg0, %60, %18) : (!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i64, !llvm.ptr, !llvm.ptr) -> i64
// CHECK-NEXT:     %62 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %63 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %64 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %65 = llvm.extractvalue %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %66 = llvm.call @mgpuSpGEMMCompute(%56, %63, %64, %44, %44, %44, %62, %arg0, %65, %18) : (!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i64, !llvm.ptr, !llvm.ptr) -> i64
// CHECK-NEXT:     %67 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %68 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %69 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     llvm.call @mgpuSpGEMMCopy(%56, %68, %69, %44, %44, %44, %67, %18) : (!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
// CHECK-NEXT:     %70 = llvm.mlir.constant(3 : index) : i64
// CHECK-NEXT:     %71 = llvm.alloca %70 x i64 {alignment = 16 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:     %72 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT:     %73 = llvm.getelementptr %71[%72] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     %74 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %75 = llvm.getelementptr %71[%74] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     %76 = llvm.mlir.constant(2 : index) : i64
// CHECK-NEXT:     %77 = llvm.getelementptr %71[%76] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.call @mgpuSpMatGetSize(%44, %73, %75, %77, %18) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:     %78 = llvm.load %73 : !llvm.ptr -> i64
// CHECK-NEXT:     %79 = llvm.load %75 : !llvm.ptr -> i64
// CHECK-NEXT:     %80 = llvm.load %77 : !llvm.ptr -> i64
// CHECK-NEXT:     %81 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %82 = llvm.extractvalue %17[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %83 = llvm.extractvalue %11[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     llvm.call @mgpuSetCsrPointers(%44, %81, %82, %83, %18) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:     llvm.call @mgpuSpGEMMDestroyDescr(%56, %18) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:     llvm.call @mgpuStreamSynchronize(%18) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.call @mgpuStreamDestroy(%18) : (!llvm.ptr) -> ()
// CHECK-NEXT:     %84 = llvm.add %78, %79 : i64
// CHECK-NEXT:     %85 = llvm.add %84, %80 : i64
// CHECK-NEXT:     llvm.return %85 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuStreamCreate() -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuCreateCooAoS(i64, i64, i64, !llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuCreateCsc(i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuCreateBsr(i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuCreateCsr(i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuCreateDnMat(i64, i64, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuSDDMMBufferSize(i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i64
// CHECK-NEXT:   llvm.func @mgpuSDDMM(i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuSpGEMMCreateDescr(!llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuSpGEMMWorkEstimation(!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i64, !llvm.ptr, !llvm.ptr) -> i64
// CHECK-NEXT:   llvm.func @mgpuSpGEMMCompute(!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i64, !llvm.ptr, !llvm.ptr) -> i64
// CHECK-NEXT:   llvm.func @mgpuSpGEMMCopy(!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuSpMatGetSize(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuSetCsrPointers(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuSpGEMMDestroyDescr(!llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuStreamSynchronize(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuStreamDestroy(!llvm.ptr)
// CHECK-NEXT: }
