// A sum over processes becomes a call of MPI.
// RUN: xgpu-opt %s --convert-shard-to-mpi | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   shard.grid @line(shape = 4)
shard.grid @line(shape = 4)
// CHECK-NEXT:   func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:     linalg.copy ins(%0 : memref<4xf32>) outs(%alloc : memref<4xf32>)
// CHECK-NEXT:     %1 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     mpi.allreduce(%alloc, %alloc, MPI_SUM, %1) : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:     %2 = bufferization.to_tensor %alloc restrict : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:     return %2 : tensor<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = shard.all_reduce %a on @line grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
