// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Sizes, permutations and handles of operations that tile, pad, pack and split.

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.interchange' op expects iterator_interchange to be a permutation, found 1, 1}}
"transform.structured.interchange"(%h) <{iterator_interchange = array<i64: 1, 1>}> : (!transform.any_op) -> !transform.any_op

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.multitile_sizes' op expects all results type to be the same}}
%a:3 = "transform.structured.multitile_sizes"(%h) <{dimension = 0, target_size = 3, divisor = 1}> : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.continuous_tile_sizes' op expects all results type to be the same}}
%a:2 = "transform.structured.continuous_tile_sizes"(%h) <{dimension = 0, target_size = 3}> : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pack_greedily' op "matmul_inner_dims_order" is not a valid permutation}}
%a = "transform.structured.pack_greedily"(%h) <{operandSegmentSizes = array<i32: 1, 0>, matmul_inner_dims_order = array<i64: 1, 1, 2>, matmul_padded_sizes_next_multiple_of = array<i64: 1, 2, 3>, static_matmul_packed_sizes = array<i64: 0, 0, 0>}> : (!transform.any_op) -> !transform.op<"linalg.generic">

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pack_greedily' op at most one of the packed_size and the padded_sizes_next_multiple_of can be nonzero for the matmul strategy}}
%a = "transform.structured.pack_greedily"(%h) <{matmul_inner_dims_order = array<i64: 0, 1, 2>, matmul_padded_sizes_next_multiple_of = array<i64: 1, 2, 3>, static_matmul_packed_sizes = array<i64: 1, 0, 0>}> : (!transform.any_op) -> !transform.op<"linalg.generic">

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pack_greedily' op attribute 'matmul_padded_sizes_next_multiple_of' failed to satisfy constraint: i64 dense array attribute with 0 or 3 elements}}
%a = "transform.structured.pack_greedily"(%h) <{matmul_inner_dims_order = array<i64: 0, 1, 2>, matmul_padded_sizes_next_multiple_of = array<i64: 1, 2>, static_matmul_packed_sizes = array<i64: 0, 0, 0>}> : (!transform.any_op) -> !transform.op<"linalg.generic">

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pack_transpose' op "inner_perm" is not a valid permutation}}
%a:3 = "transform.structured.pack_transpose"(%h, %h) <{outer_perm = array<i64: 1, 1>, inner_perm = array<i64: 0, 0>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pack_transpose' op "inner_perm" is not a valid permutation}}
%a:3 = "transform.structured.pack_transpose"(%h, %h) <{outer_perm = array<i64: 1, 0>, inner_perm = array<i64: 0, 0>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pack_transpose' op  at least one of "inner_perm" or "outer_perm" must be specified}}
%a:3 = "transform.structured.pack_transpose"(%h, %h) <{outer_perm = array<i64>, inner_perm = array<i64>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.split' op expects either a dynamic or a static split point to be provided}}
%a = "transform.structured.split"(%h, %h) <{dimension = 0, static_chunk_sizes = 4 : i64}> : (!transform.any_op, !transform.any_op) -> !transform.any_op

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.split' op expects either a dynamic or a static split point to be provided}}
%a = "transform.structured.split"(%h) <{dimension = 0, static_chunk_sizes = -9223372036854775808 : i64}> : (!transform.any_op) -> !transform.any_op

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.split_handle' op overflow_result is not a valid result index}}
%a:2 = "transform.split_handle"(%h) <{overflow_result = 2 : i64}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.split_handle' op overflow_result is not a valid result index}}
%a:2 = "transform.split_handle"(%h) <{overflow_result = -1 : i64}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.get_operand' op expected the listed values to be unique}}
%a = "transform.get_operand"(%h) <{raw_position_list = array<i64: 1, 1>}> : (!transform.any_op) -> !transform.any_value

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.get_operand' op cannot both request 'all' and specific values in the list}}
%a = "transform.get_operand"(%h) <{raw_position_list = array<i64: 1>, is_all}> : (!transform.any_op) -> !transform.any_value

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.get_result' op must request specific values in the list if 'all' is not specified}}
%a = "transform.get_result"(%h) <{raw_position_list = array<i64>}> : (!transform.any_op) -> !transform.any_value

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{expected the type of the parameter attribute ('i64') to match the parameter type ('i32')}}
%a = "transform.num_associations"(%h) : (!transform.any_op) -> !transform.param<i32>

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.fuse' op interchange length exceeds iteration space dimensions (1), found }}
%a:2 = "transform.structured.fuse"(%h) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_tile_sizes = array<i64: 1>, tile_interchange = array<i64: 1, 1>, static_tile_interchange = array<i64: 1, 1>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.fuse' op expects 1 loop results}}
%a:3 = "transform.structured.fuse"(%h) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_tile_sizes = array<i64: 1>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.hoist_pad' op expects transpose to be a permutation, found 1, 1}}
%a = "transform.structured.hoist_pad"(%h) <{num_loops = 1, transpose = array<i64: 1, 1>}> : (!transform.any_op) -> !transform.any_op

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.hoist_pad.build_packing_loop_nest' op expects transpose to be a permutation, found 1, 1}}
%a = "transform.structured.hoist_pad.build_packing_loop_nest"(%h, %h) <{transpose = array<i64: 1, 1>}> : (!transform.any_op, !transform.any_op) -> !transform.any_op

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pad' op invalid copy_back_op}}
%a:3 = "transform.structured.pad"(%h) <{copy_back_op = "x", nofold_flags = [], padding_dimensions = [], padding_values = [], transpose_paddings = [], static_pad_to_multiple_of = array<i64>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pad' op expects nofold_flags to contain booleans (0/1), found [2]}}
%a:3 = "transform.structured.pad"(%h) <{copy_back_op = "none", nofold_flags = [2], padding_dimensions = [], padding_values = [], transpose_paddings = [], static_pad_to_multiple_of = array<i64>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pad' op expects padding_dimensions to contain positive integers, found [-1]}}
%a:3 = "transform.structured.pad"(%h) <{copy_back_op = "none", nofold_flags = [1], padding_dimensions = [-1], padding_values = [], transpose_paddings = [], static_pad_to_multiple_of = array<i64>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pad' op expects transpose_paddings to be a permutation, found [1, 1]}}
%a:3 = "transform.structured.pad"(%h) <{copy_back_op = "none", nofold_flags = [1], padding_dimensions = [1], padding_values = [], transpose_paddings = [[1, 1]], static_pad_to_multiple_of = array<i64>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.pad' op expects as many multiples as padding_dimensions}}
%a:3 = "transform.structured.pad"(%h) <{copy_back_op = "none", nofold_flags = [1], padding_dimensions = [1], padding_values = [], transpose_paddings = [], static_pad_to_multiple_of = array<i64: 1, 2>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.vectorize' op expected same number of vector sizes (2) and scalable sizes (1)}}
"transform.structured.vectorize"(%h) <{static_vector_sizes = array<i64: 1, 2>, scalable_sizes = array<i1: true>}> : (!transform.any_op) -> ()

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.replace' op expected one operation in block}}
"transform.structured.replace"(%h) ({ func.func private @x() 
func.func private @y() }) : (!transform.any_op) -> !transform.any_op

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.bufferize_to_allocation' op unsupported memcpy op}}
"transform.structured.bufferize_to_allocation"(%h) <{memory_space = 3 : i64, memcpy_op = "x", alloc_op = "memref.alloc"}> : (!transform.any_op) -> (!transform.any_value, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.structured.bufferize_to_allocation' op unsupported alloc op}}
"transform.structured.bufferize_to_allocation"(%h) <{memory_space = 3 : i64, memcpy_op = "memref.copy", alloc_op = "y"}> : (!transform.any_op) -> (!transform.any_value, !transform.any_op)

// -----

%h = "test.h"() : () -> !transform.any_op
 // expected-error @+1 {{'transform.bufferization.one_shot_bufferize' op unsupported memcpy op}}
"transform.bufferization.one_shot_bufferize"(%h) <{memcpy_op = "x"}> : (!transform.any_op) -> !transform.any_op
