// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// Bounds, functions to call, tiles and threads, dialects to convert; what is valid at the end.

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.affine.simplify_bounded_affine_ops' op incorrect number of lower bounds, expected 1 but found 2}}
  "transform.affine.simplify_bounded_affine_ops"(%t, %u) <{lower_bounds = array<i64: 1, 2>, upper_bounds = array<i64: 1>}> : (!transform.any_op, !transform.any_op) -> ()
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.affine.simplify_bounded_affine_ops' op incorrect number of upper bounds, expected 1 but found 0}}
  "transform.affine.simplify_bounded_affine_ops"(%t, %u) <{lower_bounds = array<i64: 1>, upper_bounds = array<i64>}> : (!transform.any_op, !transform.any_op) -> ()
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.func.cast_and_call' op expected a function handle or name to call}}
  %0 = "transform.func.cast_and_call"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  }) : (!transform.any_op) -> !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.func.cast_and_call' op function handle and name are mutually exclusive}}
  %0 = "transform.func.cast_and_call"(%t, %t) <{function_name = @f, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> ({
  }) : (!transform.any_op, !transform.any_op) -> !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.func.cast_and_call' op expected children ops to implement TypeConverterBuilderOpInterface}}
  %0 = "transform.func.cast_and_call"(%t) <{function_name = @f, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
    // expected-note @+1 {{op without interface}}
    "transform.apply_patterns.canonicalization"() : () -> ()
  }) : (!transform.any_op) -> !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.structured.tile_using_forall' op either (packed_)num_threads or (packed_)tile_sizes must be specified}}
  %0:2 = "transform.structured.tile_using_forall"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.structured.tile_using_forall' op num_threads and packed_num_threads are mutually exclusive}}
  %0:2 = "transform.structured.tile_using_forall"(%t, %u) <{static_num_threads = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.structured.tile_using_forall' op tile_sizes and packed_tile_sizes are mutually exclusive}}
  %0:2 = "transform.structured.tile_using_forall"(%t, %u) <{static_tile_sizes = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.apply_conversion_patterns.dialect_to_llvm' op dialect does not implement ConvertToLLVMPatternInterface or extension was not loaded: gpu}}
  transform.apply_conversion_patterns to %t { transform.apply_conversion_patterns.dialect_to_llvm "gpu" } {legal_dialects=["llvm"]} : !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.apply_conversion_patterns.dialect_to_llvm' op dialect does not implement ConvertToLLVMPatternInterface or extension was not loaded: scf}}
  transform.apply_conversion_patterns to %t { transform.apply_conversion_patterns.dialect_to_llvm "scf" } {legal_dialects=["llvm"]} : !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  // expected-error @+1 {{'transform.apply_conversion_patterns.dialect_to_llvm' op unknown dialect or dialect not loaded: foo}}
  transform.apply_conversion_patterns to %t { transform.apply_conversion_patterns.dialect_to_llvm "foo" } {legal_dialects=["llvm"]} : !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  %0 = "transform.func.cast_and_call"(%t) <{function_name = @f, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
    "transform.type_conversion.tensor.cast_shape_dynamic_dims"() : () -> ()
  }) : (!transform.any_op) -> !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  %0:2 = "transform.structured.tile_using_forall"(%t) <{static_tile_sizes = array<i64: 4>, static_num_threads = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  %0:2 = "transform.structured.pad_tiling_interface"(%t) <{static_padding_sizes = array<i64: -4>, pad_to_multiple_of, padding_values=[]}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  %0:2 = "transform.structured.pad_tiling_interface"(%t) <{static_padding_sizes = array<i64: 0>, padding_values=[]}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  "transform.yield"() : () -> ()
}) : () -> ()

// -----

"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%t: !transform.any_op):
  %u = "transform.structured.match"(%t) <{ops = ["a"]}> : (!transform.any_op) -> !transform.any_op
  transform.apply_conversion_patterns to %t { transform.apply_conversion_patterns.dialect_to_llvm "arith" } {legal_dialects=["llvm"]} : !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()
