// RUN: xgpu-opt --convert-shard-to-mpi --canonicalize %s | filecheck %s

// Collectives whose result is whole on one process alone, and the own part of a tensor.

// CHECK: module {
// CHECK-NEXT:   shard.grid @plane(shape = 2x3)
shard.grid @plane(shape = 2x3)

// CHECK-NEXT:   func.func @slice(%arg0: tensor<6x12xf32>) -> tensor<6x6xf32> {
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%0) : !mpi.retval, i32
// CHECK-NEXT:     %1 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %2 = arith.divsi %1, %c3 : index
// CHECK-NEXT:     %3 = arith.remsi %2, %c2 : index
// CHECK-NEXT:     %4 = arith.muli %3, %c6 : index
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, %4] [6, 6] [1, 1] : tensor<6x12xf32> to tensor<6x6xf32>
// CHECK-NEXT:     return %extracted_slice : tensor<6x6xf32>
// CHECK-NEXT:   }
func.func @slice(%t: tensor<6x12xf32>) -> tensor<6x6xf32> {
  %0 = shard.all_slice %t on @plane grid_axes = [0] slice_axis = 1 : tensor<6x12xf32> -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// CHECK-NEXT:   func.func @gather(%arg0: tensor<6x12xf32>) -> tensor<6x36xf32> {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<6x12xf32> to memref<6x12xf32>
// CHECK-NEXT:     %1 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%1) : !mpi.retval, i32
// CHECK-NEXT:     %2 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %3 = arith.remsi %2, %c3 : index
// CHECK-NEXT:     %4 = arith.divsi %2, %c3 : index
// CHECK-NEXT:     %5 = arith.remsi %4, %c2 : index
// CHECK-NEXT:     %6 = arith.index_cast %5 : index to i32
// CHECK-NEXT:     %7 = arith.index_cast %3 : index to i32
// CHECK-NEXT:     %8 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %newcomm = mpi.comm_split(%8, %6, %7) : !mpi.comm
// CHECK-NEXT:     %alloc = memref.alloc() : memref<3x6x12xf32>
// CHECK-NEXT:     mpi.allgather(%0, %alloc, %newcomm) : memref<6x12xf32>, memref<3x6x12xf32>
// CHECK-NEXT:     %9 = bufferization.to_tensor %alloc restrict : memref<3x6x12xf32> to tensor<3x6x12xf32>
// CHECK-NEXT:     %10 = tensor.empty() : tensor<6x3x12xf32>
// CHECK-NEXT:     %transposed = linalg.transpose ins(%9 : tensor<3x6x12xf32>) outs(%10 : tensor<6x3x12xf32>) permutation = [1, 0, 2]
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %transposed {{\[\[}}0], [1, 2]] : tensor<6x3x12xf32> into tensor<6x36xf32>
// CHECK-NEXT:     return %collapsed : tensor<6x36xf32>
// CHECK-NEXT:   }
func.func @gather(%t: tensor<6x12xf32>) -> tensor<6x36xf32> {
  %0 = shard.gather %t on @plane grid_axes = [1] gather_axis = 1 root = [2] : (tensor<6x12xf32>) -> tensor<6x36xf32>
  return %0 : tensor<6x36xf32>
}

// CHECK-NEXT:   func.func @reduce(%arg0: tensor<6x12xf32>, %arg1: index) -> tensor<6x12xf32> {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<6x12xf32> to memref<6x12xf32>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<6x12xf32>
// CHECK-NEXT:     linalg.copy ins(%0 : memref<6x12xf32>) outs(%alloc : memref<6x12xf32>)
// CHECK-NEXT:     %1 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%1) : !mpi.retval, i32
// CHECK-NEXT:     %2 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %3 = arith.remsi %2, %c3 : index
// CHECK-NEXT:     %4 = arith.divsi %2, %c3 : index
// CHECK-NEXT:     %5 = arith.remsi %4, %c2 : index
// CHECK-NEXT:     %6 = arith.index_cast %3 : index to i32
// CHECK-NEXT:     %7 = arith.index_cast %5 : index to i32
// CHECK-NEXT:     %8 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %newcomm = mpi.comm_split(%8, %6, %7) : !mpi.comm
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %alloc {{\[\[}}0, 1]] : memref<6x12xf32> into memref<72xf32>
// CHECK-NEXT:     mpi.allreduce(%collapse_shape, %collapse_shape, MPI_MAX, %newcomm) : memref<72xf32>, memref<72xf32>
// CHECK-NEXT:     %9 = bufferization.to_tensor %alloc restrict : memref<6x12xf32> to tensor<6x12xf32>
// CHECK-NEXT:     return %9 : tensor<6x12xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @reduce(%t: tensor<6x12xf32>, %i: index) -> tensor<6x12xf32> {
  %0 = shard.reduce %t on @plane grid_axes = [0] reduction = max root = [%i] : (tensor<6x12xf32>, index) -> tensor<6x12xf32>
  return %0 : tensor<6x12xf32>
}
