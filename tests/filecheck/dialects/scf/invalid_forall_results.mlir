// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// A result of scf.forall is what became of an output: it has its type.

func.func @other_type(%n: index, %a: tensor<5xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected type of operand #2 ('tensor<4xf32>') to match type of corresponding result ('tensor<9xf32>')}}
  %0:2 = "scf.forall"(%n, %a, %b) <{operandSegmentSizes = array<i32: 0, 1, 0, 2>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index, %x: tensor<5xf32>, %y: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%b, %y) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<4xf32>) -> ()
    }) : () -> ()
  }) : (index, tensor<5xf32>, tensor<4xf32>) -> (tensor<5xf32>, tensor<9xf32>)
  return
}
