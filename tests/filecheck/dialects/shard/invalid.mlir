// RUN: xgpu-opt --split-input-file --verify-diagnostics %s

// expected-error@+1 {{'shard.grid' op rank of grid is expected to be a positive integer}}
shard.grid @g(shape = [])

// -----

// expected-error@+1 {{custom op 'shard.grid' Failed parsing dimension list. Did you mean an empty list? It must be denoted by "[]".}}
shard.grid @g(shape = -1)

// -----

// expected-error@+1 {{'shard.grid' op dimension size of a grid is expected to be non-negative or dynamic}}
"shard.grid"() {sym_name = "g", shape = array<i64: -3>} : () -> ()

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{grid axis duplicated}}
  %0 = shard.sharding @plane split_axes = [[0], [0]] : !shard.sharding
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{grid axis is expected to be non-negative}}
  %0 = shard.sharding @plane split_axes = [[-1]] : !shard.sharding
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{'shard.sharding' op halo sizes and shard offsets are mutually exclusive}}
  %0 = shard.sharding @plane split_axes = [[0]] halo_sizes = [1, 1] sharded_dims_offsets = [0, 1, 2] : !shard.sharding
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{halo sizes must be specified for all split axes.}}
  %0 = shard.sharding @plane split_axes = [[0], [1]] halo_sizes = [1, 1] : !shard.sharding
  return
}

// -----

shard.grid @open(shape = ?)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{sharded dims offsets are not allowed for device grids with dynamic shape.}}
  %0 = shard.sharding @open split_axes = [[0]] sharded_dims_offsets = [0, 1] : !shard.sharding
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{sharded dims offsets has wrong size.}}
  %0 = shard.sharding @plane split_axes = [[1]] sharded_dims_offsets = [0, 1, 2] : !shard.sharding
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{sharded dims offsets must be non-decreasing.}}
  %0 = shard.sharding @plane split_axes = [[0]] sharded_dims_offsets = [0, 3, 2] : !shard.sharding
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{Undefined required grid symbol "none".}}
  %0 = shard.process_linear_index on @none : index
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{Unexpected number of results 1. Expected 2.}}
  %0 = shard.grid_shape @plane : index
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{0-based grid axis index 2 is out of bounds. The referenced grid "plane" is of rank 2.}}
  %0 = shard.process_multi_index on @plane axes = [2] : index
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{Grid axes contains duplicate elements.}}
  %0 = shard.all_reduce %t on @plane grid_axes = [1, 1] : tensor<6x12xf32> -> tensor<6x12xf32>
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{Gather axis 2 is out of bounds [0, 2).}}
  %0 = shard.all_gather %t on @plane grid_axes = [1] gather_axis = 2 : tensor<6x12xf32> -> tensor<6x12xf32>
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{Dimension size mismatch for result axis 0. Expected 18, but got 6.}}
  %0 = shard.all_gather %t on @plane grid_axes = [1] gather_axis = 0 : tensor<6x12xf32> -> tensor<6x12xf32>
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<5xf32>) {
  // expected-error@+1 {{Operand dimension size 5 is not divisible by collective device group size 2 for tensor axis 0.}}
  %0 = shard.all_slice %t on @plane grid_axes = [0] slice_axis = 0 : tensor<5xf32> -> tensor<?xf32>
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<?xf32>) {
  // expected-error@+1 {{Dimension size mismatch for result axis 0. Expected dynamic, but got 2.}}
  %0 = shard.reduce_scatter %t on @plane grid_axes = [0] scatter_axis = 0 : tensor<?xf32> -> tensor<2xf32>
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{Dimension size mismatch for result axis 1. Expected 36, but got 12.}}
  %0 = shard.all_to_all %t on @plane grid_axes = [1] split_axis = 0 concat_axis = 1 : tensor<6x12xf32> -> tensor<2x12xf32>
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{In-group device "root" has unexpected multi-index size 1. Expected 2.}}
  %0 = shard.broadcast %t on @plane grid_axes = [0, 1] root = [0] : (tensor<6x12xf32>) -> tensor<6x12xf32>
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{Out of bounds coordinate 0 for in-group device "source". Got 2, but expected value in the range [0, 1].}}
  %0 = shard.recv %t on @plane grid_axes = [0] source = [2] : (tensor<6x12xf32>) -> tensor<6x12xf32>
  return
}

// -----

shard.grid @plane(shape = 2x3)
func.func @f(%t: tensor<6x12xf32>) {
  // expected-error@+1 {{Invalid shift axis 1. It must be one of the grouping grid axes.}}
  %0 = shard.shift %t on @plane grid_axes = [0] shift_axis = 1 offset = 1 : tensor<6x12xf32> -> tensor<6x12xf32>
  return
}

// -----

shard.grid @g(shape = 2x4)
func.func @axis_of_more_than_16_bits() {
  // expected-error @+2 {{failed to parse Shard_GridAxesArrayAttr parameter 'axes' which is to be a `::llvm::ArrayRef<GridAxesAttr>`}}
  // expected-error@+1 {{custom op 'shard.sharding' integer value too large}}
  %s = shard.sharding @g split_axes = [[99999]] : !shard.sharding
  return
}

// -----

func.func @nested_symbol() {
  // expected-error @+1 {{custom op 'shard.sharding' invalid kind of attribute specified}}
  %0 = shard.sharding @a::@b split_axes = [[0]] : !shard.sharding
  return
}
