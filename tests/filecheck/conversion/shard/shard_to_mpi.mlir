// RUN: xgpu-opt --convert-shard-to-mpi --canonicalize %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   shard.grid @plane(shape = 2x3)
shard.grid @plane(shape = 2x3)

// CHECK-NEXT:   func.func @indices() -> (index, index, index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%0) : !mpi.retval, i32
// CHECK-NEXT:     %1 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %2 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval_0, %rank_1 = mpi.comm_rank(%2) : !mpi.retval, i32
// CHECK-NEXT:     %3 = arith.index_cast %rank_1 : i32 to index
// CHECK-NEXT:     %4 = arith.remsi %3, %c3 : index
// CHECK-NEXT:     %5 = arith.divsi %3, %c3 : index
// CHECK-NEXT:     %6 = arith.remsi %5, %c2 : index
// CHECK-NEXT:     %7 = arith.cmpi sle, %4, %c0 : index
// CHECK-NEXT:     %8 = scf.if %7 -> (index) {
// CHECK-NEXT:       scf.yield %c-1 : index
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %11 = arith.subi %4, %c1 : index
// CHECK-NEXT:       %12 = arith.muli %6, %c3 : index
// CHECK-NEXT:       %13 = arith.addi %11, %12 : index
// CHECK-NEXT:       scf.yield %13 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     %9 = arith.cmpi sge, %4, %c2 : index
// CHECK-NEXT:     %10 = scf.if %9 -> (index) {
// CHECK-NEXT:       scf.yield %c-1 : index
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %11 = arith.addi %4, %c1 : index
// CHECK-NEXT:       %12 = arith.muli %6, %c3 : index
// CHECK-NEXT:       %13 = arith.addi %11, %12 : index
// CHECK-NEXT:       scf.yield %13 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1, %6, %8, %10 : index, index, index, index
// CHECK-NEXT:   }
func.func @indices() -> (index, index, index, index) {
  %0 = shard.process_linear_index on @plane : index
  %1:2 = shard.process_multi_index on @plane : index, index
  %2:2 = shard.neighbors_linear_indices on @plane[%1#0, %1#1] split_axes = [1] : index, index
  return %0, %1#0, %2#0, %2#1 : index, index, index, index
}

// The last shards have one more.
// CHECK-NEXT:   func.func @extents(%arg0: index) -> (index, index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = arith.cmpi sge, %arg0, %c1 : index
// CHECK-NEXT:     %1 = arith.select %0, %c1, %c0 : index
// CHECK-NEXT:     %2 = arith.addi %1, %c2 : index
// CHECK-NEXT:     return %2, %c5 : index, index
// CHECK-NEXT:   }
func.func @extents(%i: index) -> (index, index) {
  %s = shard.sharding @plane split_axes = [[1], []] : !shard.sharding
  %0:2 = shard.shard_shape dims = [8, 5] sharding = %s device = [0, %i] : index, index
  return %0#0, %0#1 : index, index
}

// CHECK-NEXT:   func.func @offsets(%arg0: index) -> index {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %cst = arith.constant dense<[0, 1, 3, 8]> : tensor<4xindex>
// CHECK-NEXT:     %extracted = tensor.extract %cst[%arg0] : tensor<4xindex>
// CHECK-NEXT:     %0 = arith.addi %arg0, %c1 : index
// CHECK-NEXT:     %extracted_0 = tensor.extract %cst[%0] : tensor<4xindex>
// CHECK-NEXT:     %1 = arith.subi %extracted_0, %extracted : index
// CHECK-NEXT:     return %1 : index
// CHECK-NEXT:   }
func.func @offsets(%i: index) -> index {
  %s = shard.sharding @plane split_axes = [[1]] sharded_dims_offsets = [0, 1, 3, 8] : !shard.sharding
  %0 = shard.shard_shape dims = [8] sharding = %s device = [0, %i] : index
  return %0 : index
}

// CHECK-NEXT:   func.func @reduce(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<2x4xf32> to memref<2x4xf32>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<2x4xf32>
// CHECK-NEXT:     linalg.copy ins(%0 : memref<2x4xf32>) outs(%alloc : memref<2x4xf32>)
// CHECK-NEXT:     %1 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %alloc {{\[\[}}0, 1]] : memref<2x4xf32> into memref<8xf32>
// CHECK-NEXT:     mpi.allreduce(%collapse_shape, %collapse_shape, MPI_MIN, %1) : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     %2 = bufferization.to_tensor %alloc restrict : memref<2x4xf32> to tensor<2x4xf32>
// CHECK-NEXT:     return %2 : tensor<2x4xf32>
// CHECK-NEXT:   }
func.func @reduce(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = shard.all_reduce %a on @plane grid_axes = [0, 1] reduction = min : tensor<2x4xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// The columns of each process of a row become one tensor.
// CHECK-NEXT:   func.func @gather(%arg0: tensor<2x4xf32>) -> tensor<2x12xf32> {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<2x4xf32> to memref<2x4xf32>
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
// CHECK-NEXT:     %alloc = memref.alloc() : memref<3x2x4xf32>
// CHECK-NEXT:     mpi.allgather(%0, %alloc, %newcomm) : memref<2x4xf32>, memref<3x2x4xf32>
// CHECK-NEXT:     %9 = bufferization.to_tensor %alloc restrict : memref<3x2x4xf32> to tensor<3x2x4xf32>
// CHECK-NEXT:     %10 = tensor.empty() : tensor<2x3x4xf32>
// CHECK-NEXT:     %transposed = linalg.transpose ins(%9 : tensor<3x2x4xf32>) outs(%10 : tensor<2x3x4xf32>) permutation = [1, 0, 2]
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %transposed {{\[\[}}0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>
// CHECK-NEXT:     return %collapsed : tensor<2x12xf32>
// CHECK-NEXT:   }
func.func @gather(%a: tensor<2x4xf32>) -> tensor<2x12xf32> {
  %0 = shard.all_gather %a on @plane grid_axes = [1] gather_axis = 1 : tensor<2x4xf32> -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// CHECK-NEXT:   func.func @scatter(%arg0: tensor<2x6xf32>) -> tensor<2x2xf32> {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [2, 3, 2] : tensor<2x6xf32> into tensor<2x3x2xf32>
// CHECK-NEXT:     %0 = tensor.empty() : tensor<3x2x2xf32>
// CHECK-NEXT:     %transposed = linalg.transpose ins(%expanded : tensor<2x3x2xf32>) outs(%0 : tensor<3x2x2xf32>) permutation = [1, 0, 2]
// CHECK-NEXT:     %1 = bufferization.to_buffer %transposed : tensor<3x2x2xf32> to memref<3x2x2xf32>
// CHECK-NEXT:     %alloc = memref.alloc() : memref<3x2x2xf32>
// CHECK-NEXT:     linalg.copy ins(%1 : memref<3x2x2xf32>) outs(%alloc : memref<3x2x2xf32>)
// CHECK-NEXT:     %2 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%2) : !mpi.retval, i32
// CHECK-NEXT:     %3 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %4 = arith.remsi %3, %c3 : index
// CHECK-NEXT:     %5 = arith.divsi %3, %c3 : index
// CHECK-NEXT:     %6 = arith.remsi %5, %c2 : index
// CHECK-NEXT:     %7 = arith.index_cast %6 : index to i32
// CHECK-NEXT:     %8 = arith.index_cast %4 : index to i32
// CHECK-NEXT:     %9 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %newcomm = mpi.comm_split(%9, %7, %8) : !mpi.comm
// CHECK-NEXT:     %alloc_0 = memref.alloc() : memref<2x2xf32>
// CHECK-NEXT:     mpi.reduce_scatter_block(%alloc, %alloc_0, MPI_SUM, %newcomm) : memref<3x2x2xf32>, memref<2x2xf32>
// CHECK-NEXT:     %10 = bufferization.to_tensor %alloc_0 restrict : memref<2x2xf32> to tensor<2x2xf32>
// CHECK-NEXT:     return %10 : tensor<2x2xf32>
// CHECK-NEXT:   }
func.func @scatter(%a: tensor<2x6xf32>) -> tensor<2x2xf32> {
  %0 = shard.reduce_scatter %a on @plane grid_axes = [1] scatter_axis = 1 : tensor<2x6xf32> -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-NEXT:   func.func @exchange(%arg0: tensor<6x4xf32>) -> tensor<2x12xf32> {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [3, 2, 4] : tensor<6x4xf32> into tensor<3x2x4xf32>
// CHECK-NEXT:     %0 = bufferization.to_buffer %expanded : tensor<3x2x4xf32> to memref<3x2x4xf32>
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
// CHECK-NEXT:     %alloc = memref.alloc() : memref<3x2x4xf32>
// CHECK-NEXT:     mpi.alltoall(%0, %alloc, %newcomm) : memref<3x2x4xf32>, memref<3x2x4xf32>
// CHECK-NEXT:     %9 = bufferization.to_tensor %alloc restrict : memref<3x2x4xf32> to tensor<3x2x4xf32>
// CHECK-NEXT:     %10 = tensor.empty() : tensor<2x3x4xf32>
// CHECK-NEXT:     %transposed = linalg.transpose ins(%9 : tensor<3x2x4xf32>) outs(%10 : tensor<2x3x4xf32>) permutation = [1, 0, 2]
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %transposed {{\[\[}}0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>
// CHECK-NEXT:     return %collapsed : tensor<2x12xf32>
// CHECK-NEXT:   }
func.func @exchange(%a: tensor<6x4xf32>) -> tensor<2x12xf32> {
  %0 = shard.all_to_all %a on @plane grid_axes = [1] split_axis = 0 concat_axis = 1 : tensor<6x4xf32> -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// CHECK-NEXT:   func.func @broadcast(%arg0: tensor<4xf32>, %arg1: index) -> tensor<4xf32> {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:     %1 = arith.addi %arg1, %c3 : index
// CHECK-NEXT:     %2 = arith.index_cast %1 : index to i32
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:     linalg.copy ins(%0 : memref<4xf32>) outs(%alloc : memref<4xf32>)
// CHECK-NEXT:     %3 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     mpi.bcast(%alloc, %2, %3) : memref<4xf32>, i32
// CHECK-NEXT:     %4 = bufferization.to_tensor %alloc restrict : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:     return %4 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @broadcast(%a: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %0 = shard.broadcast %a on @plane grid_axes = [0, 1] root = [1, %i] : (tensor<4xf32>, index) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-NEXT:   func.func @halo(%arg0: memref<?x6xf32>) -> memref<?x6xf32> {
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c91_i32 = arith.constant 91 : i32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x6xf32>
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %retval, %rank = mpi.comm_rank(%0) : !mpi.retval, i32
// CHECK-NEXT:     %1 = arith.index_cast %rank : i32 to index
// CHECK-NEXT:     %2 = arith.remsi %1, %c3 : index
// CHECK-NEXT:     %3 = arith.divsi %1, %c3 : index
// CHECK-NEXT:     %4 = arith.remsi %3, %c2 : index
// CHECK-NEXT:     %5 = arith.cmpi sle, %4, %c0 : index
// CHECK-NEXT:     %6 = scf.if %5 -> (index) {
// CHECK-NEXT:       scf.yield %c-1 : index
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %14 = arith.subi %4, %c1 : index
// CHECK-NEXT:       %15 = arith.muli %14, %c3 : index
// CHECK-NEXT:       %16 = arith.addi %2, %15 : index
// CHECK-NEXT:       scf.yield %16 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     %7 = arith.cmpi sge, %4, %c1 : index
// CHECK-NEXT:     %8 = scf.if %7 -> (index) {
// CHECK-NEXT:       scf.yield %c-1 : index
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %14 = arith.addi %4, %c1 : index
// CHECK-NEXT:       %15 = arith.muli %14, %c3 : index
// CHECK-NEXT:       %16 = arith.addi %2, %15 : index
// CHECK-NEXT:       scf.yield %16 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     %9 = arith.index_cast %6 : index to i32
// CHECK-NEXT:     %10 = arith.index_cast %8 : index to i32
// CHECK-NEXT:     %11 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %12 = arith.cmpi sge, %9, %c0_i32 : i32
// CHECK-NEXT:     %13 = arith.cmpi sge, %10, %c0_i32 : i32
// CHECK-NEXT:     %alloc = memref.alloc(%dim) : memref<?x1xf32>
// CHECK-NEXT:     scf.if %13 {
// CHECK-NEXT:       %subview = memref.subview %arg0[0, 5] [%dim, 1] [1, 1] : memref<?x6xf32> to memref<?x1xf32, strided<[6, 1], offset: 5>>
// CHECK-NEXT:       memref.copy %subview, %alloc : memref<?x1xf32, strided<[6, 1], offset: 5>> to memref<?x1xf32>
// CHECK-NEXT:       mpi.send(%alloc, %c91_i32, %10, %11) : memref<?x1xf32>, i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.if %12 {
// CHECK-NEXT:       mpi.recv(%alloc, %c91_i32, %9, %11) : memref<?x1xf32>, i32, i32
// CHECK-NEXT:       %subview = memref.subview %arg0[0, 0] [%dim, 1] [1, 1] : memref<?x6xf32> to memref<?x1xf32, strided<[6, 1]>>
// CHECK-NEXT:       memref.copy %alloc, %subview : memref<?x1xf32> to memref<?x1xf32, strided<[6, 1]>>
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.dealloc %alloc : memref<?x1xf32>
// CHECK-NEXT:     return %arg0 : memref<?x6xf32>
// CHECK-NEXT:   }
func.func @halo(%a: memref<?x6xf32>) -> memref<?x6xf32> {
  %0 = shard.update_halo %a on @plane split_axes = [[], [0]] halo_sizes = [1, 0] : memref<?x6xf32>
  return %0 : memref<?x6xf32>
}

// A sharding that a function takes and returns is three tensors.
// CHECK-NEXT:   func.func @callee(%arg0: tensor<?x?xi16>, %arg1: tensor<?x?xi64>, %arg2: tensor<?x?xi64>) -> (tensor<?x?xi16>, tensor<?x?xi64>, tensor<?x?xi64>) {
// CHECK-NEXT:     return %arg0, %arg1, %arg2 : tensor<?x?xi16>, tensor<?x?xi64>, tensor<?x?xi64>
// CHECK-NEXT:   }
func.func @callee(%s: !shard.sharding) -> !shard.sharding {
  return %s : !shard.sharding
}
// CHECK-NEXT:   func.func @caller(%arg0: tensor<4x4xf32>) -> (tensor<?x?xi16>, tensor<?x?xi64>, tensor<?x?xi64>) {
// CHECK-NEXT:     %cst = arith.constant dense<1> : tensor<1xi16>
// CHECK-NEXT:     %cst_0 = arith.constant dense<0> : tensor<1xi16>
// CHECK-NEXT:     %c-1_i16 = arith.constant -1 : i16
// CHECK-NEXT:     %0 = tensor.empty() : tensor<2x1xi16>
// CHECK-NEXT:     %1 = linalg.fill ins(%c-1_i16 : i16) outs(%0 : tensor<2x1xi16>) -> tensor<2x1xi16>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %cst_0 into %1[0, 0] [1, 1] [1, 1] : tensor<1xi16> into tensor<2x1xi16>
// CHECK-NEXT:     %inserted_slice_1 = tensor.insert_slice %cst into %inserted_slice[1, 0] [1, 1] [1, 1] : tensor<1xi16> into tensor<2x1xi16>
// CHECK-NEXT:     %2 = tensor.empty() : tensor<0x0xi64>
// CHECK-NEXT:     %3 = tensor.empty() : tensor<0x0xi64>
// CHECK-NEXT:     %cast = tensor.cast %inserted_slice_1 : tensor<2x1xi16> to tensor<?x?xi16>
// CHECK-NEXT:     %cast_2 = tensor.cast %2 : tensor<0x0xi64> to tensor<?x?xi64>
// CHECK-NEXT:     %cast_3 = tensor.cast %3 : tensor<0x0xi64> to tensor<?x?xi64>
// CHECK-NEXT:     %4:3 = call @callee(%cast, %cast_2, %cast_3) : (tensor<?x?xi16>, tensor<?x?xi64>, tensor<?x?xi64>) -> (tensor<?x?xi16>, tensor<?x?xi64>, tensor<?x?xi64>)
// CHECK-NEXT:     return %4#0, %4#1, %4#2 : tensor<?x?xi16>, tensor<?x?xi64>, tensor<?x?xi64>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @caller(%a: tensor<4x4xf32>) -> !shard.sharding {
  %s = shard.sharding @plane split_axes = [[0], [1]] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<4x4xf32>
  %1 = shard.get_sharding %0 : tensor<4x4xf32> -> !shard.sharding
  %2 = call @callee(%1) : (!shard.sharding) -> !shard.sharding
  return %2 : !shard.sharding
}
