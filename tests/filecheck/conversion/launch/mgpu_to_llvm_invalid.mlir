// RUN: xgpu-opt %s --convert-mgpu-to-llvm --split-input-file --verify-diagnostics

func.func @gaps(%s: !mgpu.stream, %a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{'mgpu.memcpy' op cannot reach 'memref<4x4xf32, strided<[8, 1]>>' as one piece of memory: its layout has gaps}}
  mgpu.memcpy %s, %b, %a : memref<4x4xf32>, memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

func.func @width(%s: !mgpu.stream, %a: memref<4xi24>, %v: i24) {
  // expected-error @+1 {{'mgpu.memset' op cannot fill with 'i24': its width is not 8, 16, 32 or 64}}
  mgpu.memset %s, %a, %v : memref<4xi24>, i24
  return
}

// -----

func.func @elements(%s: !mgpu.stream, %a: memref<8xi16>, %comm: !mpi.comm) {
  // expected-error @+1 {{'mgpu.comm_all_reduce' op cannot communicate elements of type 'i16': NCCL has none such}}
  mgpu.comm_all_reduce %s, %a, %a, MPI_SUM, %comm : memref<8xi16>, memref<8xi16>
  return
}
