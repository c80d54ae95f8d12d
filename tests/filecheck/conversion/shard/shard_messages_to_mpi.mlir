// RUN: xgpu-opt --convert-shard-to-mpi --canonicalize %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   shard.grid @plane(shape = 2x3)
shard.grid @plane(shape = 2x3)
// The root sends each part but its own.
// CHECK-NEXT:   func.func @scatter(%arg0: tensor<6x12xf32>) -> tensor<6x4xf32> {
// CHECK-NEXT:     %c94_i32 = arith.constant 94 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%0) : !mpi.retval, i32
// CHECK-NEXT:     %1 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %2 = arith.remsi %1, %c3 : index
// CHECK-NEXT:     %3 = arith.divsi %1, %c3 : index
// CHECK-NEXT:     %4 = arith.remsi %3, %c2 : index
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [6, 3, 4] : tensor<6x12xf32> into tensor<6x3x4xf32>
// CHECK-NEXT:     %5 = tensor.empty() : tensor<3x6x4xf32>
// CHECK-NEXT:     %transposed = linalg.transpose ins(%expanded : tensor<6x3x4xf32>) outs(%5 : tensor<3x6x4xf32>) permutation = [1, 0, 2]
// CHECK-NEXT:     %6 = bufferization.to_buffer %transposed : tensor<3x6x4xf32> to memref<3x6x4xf32>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<6x4xf32>
// CHECK-NEXT:     %7 = arith.muli %4, %c3 : index
// CHECK-NEXT:     %8 = arith.addi %2, %7 : index
// CHECK-NEXT:     %9 = arith.index_cast %8 : index to i32
// CHECK-NEXT:     %10 = arith.muli %4, %c3 : index
// CHECK-NEXT:     %11 = arith.addi %10, %c2 : index
// CHECK-NEXT:     %12 = arith.index_cast %11 : index to i32
// CHECK-NEXT:     %13 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %14 = arith.cmpi eq, %9, %12 : i32
// CHECK-NEXT:     scf.if %14 {
// CHECK-NEXT:       scf.for %arg1 = %c0 to %c3 step %c1 {
// CHECK-NEXT:         %16 = arith.remsi %arg1, %c3 : index
// CHECK-NEXT:         %17 = arith.muli %4, %c3 : index
// CHECK-NEXT:         %18 = arith.addi %16, %17 : index
// CHECK-NEXT:         %19 = arith.index_cast %18 : index to i32
// CHECK-NEXT:         %subview = memref.subview %6[%arg1, 0, 0] [1, 6, 4] [1, 1, 1] : memref<3x6x4xf32> to memref<6x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:         %20 = arith.cmpi eq, %19, %9 : i32
// CHECK-NEXT:         scf.if %20 {
// CHECK-NEXT:           memref.copy %subview, %alloc : memref<6x4xf32, strided<[4, 1], offset: ?>> to memref<6x4xf32>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           mpi.send(%subview, %c94_i32, %19, %13) : memref<6x4xf32, strided<[4, 1], offset: ?>>, i32, i32
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:     } else {
// CHECK-NEXT:       mpi.recv(%alloc, %c94_i32, %12, %13) : memref<6x4xf32>, i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     %15 = bufferization.to_tensor %alloc restrict : memref<6x4xf32> to tensor<6x4xf32>
// CHECK-NEXT:     return %15 : tensor<6x4xf32>
// CHECK-NEXT:   }
func.func @scatter(%t: tensor<6x12xf32>) -> tensor<6x4xf32> {
  %11 = shard.scatter %t on @plane grid_axes = [1] scatter_axis = 1 root = [2] : (tensor<6x12xf32>) -> tensor<6x4xf32>
  return %11 : tensor<6x4xf32>
}

// No communicator is made: ranks are those of the world.
// CHECK-NEXT:   func.func @send(%arg0: tensor<6x12xf32>, %arg1: index) -> tensor<6x12xf32> {
// CHECK-NEXT:     %c92_i32 = arith.constant 92 : i32
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%0) : !mpi.retval, i32
// CHECK-NEXT:     %1 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %2 = arith.divsi %1, %c3 : index
// CHECK-NEXT:     %3 = arith.remsi %2, %c2 : index
// CHECK-NEXT:     %4 = arith.muli %3, %c3 : index
// CHECK-NEXT:     %5 = arith.addi %arg1, %4 : index
// CHECK-NEXT:     %6 = arith.index_cast %5 : index to i32
// CHECK-NEXT:     %7 = bufferization.to_buffer %arg0 : tensor<6x12xf32> to memref<6x12xf32>
// CHECK-NEXT:     %8 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     mpi.send(%7, %c92_i32, %6, %8) : memref<6x12xf32>, i32, i32
// CHECK-NEXT:     %9 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval_0, %rank_1 = mpi.comm_rank(%9) : !mpi.retval, i32
// CHECK-NEXT:     %10 = arith.index_cast %rank_1 : i32 to index
// CHECK-NEXT:     %11 = arith.remsi %10, %c3 : index
// CHECK-NEXT:     %12 = arith.addi %11, %c3 : index
// CHECK-NEXT:     %13 = arith.index_cast %12 : index to i32
// CHECK-NEXT:     %alloc = memref.alloc() : memref<6x12xf32>
// CHECK-NEXT:     %14 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     mpi.recv(%alloc, %c92_i32, %13, %14) : memref<6x12xf32>, i32, i32
// CHECK-NEXT:     %15 = bufferization.to_tensor %alloc restrict : memref<6x12xf32> to tensor<6x12xf32>
// CHECK-NEXT:     return %15 : tensor<6x12xf32>
// CHECK-NEXT:   }
func.func @send(%t: tensor<6x12xf32>, %i: index) -> tensor<6x12xf32> {
  %12 = shard.send %t on @plane grid_axes = [1] destination = [%i] : (tensor<6x12xf32>, index) -> tensor<6x12xf32>
  %7 = shard.recv %12 on @plane grid_axes = [0] source = [1] : (tensor<6x12xf32>) -> tensor<6x12xf32>
  return %7 : tensor<6x12xf32>
}

// A border has no source, or no target, unless the shift rotates.
// CHECK-NEXT:   func.func @shift(%arg0: tensor<6x12xf32>, %arg1: index) -> (tensor<6x12xf32>, tensor<6x12xf32>) {
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c93_i32 = arith.constant 93 : i32
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%0) : !mpi.retval, i32
// CHECK-NEXT:     %1 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %2 = arith.remsi %1, %c3 : index
// CHECK-NEXT:     %3 = arith.divsi %1, %c3 : index
// CHECK-NEXT:     %4 = arith.remsi %3, %c2 : index
// CHECK-NEXT:     %5 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %6 = bufferization.to_buffer %arg0 : tensor<6x12xf32> to memref<6x12xf32>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<6x12xf32>
// CHECK-NEXT:     linalg.copy ins(%6 : memref<6x12xf32>) outs(%alloc : memref<6x12xf32>)
// CHECK-NEXT:     %7 = arith.addi %2, %c1 : index
// CHECK-NEXT:     %8 = arith.remsi %7, %c3 : index
// CHECK-NEXT:     %9 = arith.muli %4, %c3 : index
// CHECK-NEXT:     %10 = arith.addi %8, %9 : index
// CHECK-NEXT:     %11 = arith.index_cast %10 : index to i32
// CHECK-NEXT:     %12 = arith.addi %2, %c2 : index
// CHECK-NEXT:     %13 = arith.remsi %12, %c3 : index
// CHECK-NEXT:     %14 = arith.muli %4, %c3 : index
// CHECK-NEXT:     %15 = arith.addi %13, %14 : index
// CHECK-NEXT:     %16 = arith.index_cast %15 : index to i32
// CHECK-NEXT:     %req = mpi.isend(%6, %c93_i32, %11, %5) : memref<6x12xf32>, i32, i32 -> !mpi.request
// CHECK-NEXT:     mpi.recv(%alloc, %c93_i32, %16, %5) : memref<6x12xf32>, i32, i32
// CHECK-NEXT:     mpi.wait(%req) : !mpi.request
// CHECK-NEXT:     %17 = bufferization.to_tensor %alloc restrict : memref<6x12xf32> to tensor<6x12xf32>
// CHECK-NEXT:     %18 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval_0, %rank_1 = mpi.comm_rank(%18) : !mpi.retval, i32
// CHECK-NEXT:     %19 = arith.index_cast %rank_1 : i32 to index
// CHECK-NEXT:     %20 = arith.remsi %19, %c3 : index
// CHECK-NEXT:     %21 = arith.divsi %19, %c3 : index
// CHECK-NEXT:     %22 = arith.remsi %21, %c2 : index
// CHECK-NEXT:     %23 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %24 = bufferization.to_buffer %arg0 : tensor<6x12xf32> to memref<6x12xf32>
// CHECK-NEXT:     %alloc_2 = memref.alloc() : memref<6x12xf32>
// CHECK-NEXT:     linalg.copy ins(%24 : memref<6x12xf32>) outs(%alloc_2 : memref<6x12xf32>)
// CHECK-NEXT:     %25 = arith.addi %22, %c1 : index
// CHECK-NEXT:     %26 = arith.cmpi slt, %25, %c2 : index
// CHECK-NEXT:     %27 = arith.muli %25, %c3 : index
// CHECK-NEXT:     %28 = arith.addi %20, %27 : index
// CHECK-NEXT:     %29 = arith.index_cast %28 : index to i32
// CHECK-NEXT:     %30 = arith.addi %22, %c-1 : index
// CHECK-NEXT:     %31 = arith.cmpi sge, %30, %c0 : index
// CHECK-NEXT:     %32 = arith.muli %30, %c3 : index
// CHECK-NEXT:     %33 = arith.addi %20, %32 : index
// CHECK-NEXT:     %34 = arith.index_cast %33 : index to i32
// CHECK-NEXT:     scf.if %26 {
// CHECK-NEXT:       scf.if %31 {
// CHECK-NEXT:         %req_3 = mpi.isend(%24, %c93_i32, %29, %23) : memref<6x12xf32>, i32, i32 -> !mpi.request
// CHECK-NEXT:         mpi.recv(%alloc_2, %c93_i32, %34, %23) : memref<6x12xf32>, i32, i32
// CHECK-NEXT:         mpi.wait(%req_3) : !mpi.request
// CHECK-NEXT:       } else {
// CHECK-NEXT:         mpi.send(%24, %c93_i32, %29, %23) : memref<6x12xf32>, i32, i32
// CHECK-NEXT:       }
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.if %31 {
// CHECK-NEXT:         mpi.recv(%alloc_2, %c93_i32, %34, %23) : memref<6x12xf32>, i32, i32
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %35 = bufferization.to_tensor %alloc_2 restrict : memref<6x12xf32> to tensor<6x12xf32>
// CHECK-NEXT:     return %17, %35 : tensor<6x12xf32>, tensor<6x12xf32>
// CHECK-NEXT:   }
func.func @shift(%t: tensor<6x12xf32>, %i: index) -> (tensor<6x12xf32>, tensor<6x12xf32>) {
  %13 = shard.shift %t on @plane grid_axes = [0, 1] shift_axis = 1 offset = -2 rotate : tensor<6x12xf32> -> tensor<6x12xf32>
  %14 = shard.shift %t on @plane grid_axes = [0] shift_axis = 0 offset = 1 : tensor<6x12xf32> -> tensor<6x12xf32>
  return %13, %14 : tensor<6x12xf32>, tensor<6x12xf32>
}

// From whatever rank sends.
// CHECK-NEXT:   func.func @from_any(%arg0: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %c92_i32 = arith.constant 92 : i32
// CHECK-NEXT:     %c-2_i32 = arith.constant -2 : i32
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     mpi.recv(%alloc, %c92_i32, %c-2_i32, %0) : memref<4xf32>, i32, i32
// CHECK-NEXT:     %1 = bufferization.to_tensor %alloc restrict : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:     return %1 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @from_any(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = shard.recv %t on @plane : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Nothing moves.
// CHECK-NEXT:   func.func @shift_by_size(%arg0: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     return %arg0 : tensor<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @shift_by_size(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = shard.shift %t on @plane grid_axes = [1] shift_axis = 1 offset = 3 rotate : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
