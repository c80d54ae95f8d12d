// RUN: xgpu-opt %s --transform-interpreter --canonicalize | filecheck %s --match-full-lines

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match interface{LinalgOp} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  // No height: the stride along the width stays.
  func.func @row(%x: tensor<?x1x?x?xf32>, %k: tensor<1x?x?x?xf32>, %y: tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32> {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<[3, 2]> : tensor<2xi64>}
        ins(%x, %k : tensor<?x1x?x?xf32>, tensor<1x?x?x?xf32>) outs(%y : tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32>
    return %0 : tensor<?x1x?x?xf32>
  }
  // No width.
  func.func @column(%x: tensor<2x3x20x1xf32>, %k: tensor<5x3x4x1xf32>, %y: tensor<2x5x17x1xf32>) -> tensor<2x5x17x1xf32> {
    %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
        ins(%x, %k : tensor<2x3x20x1xf32>, tensor<5x3x4x1xf32>) outs(%y : tensor<2x5x17x1xf32>) -> tensor<2x5x17x1xf32>
    return %0 : tensor<2x5x17x1xf32>
  }
  func.func @depthwise(%x: tensor<1x1x113x96xf32>, %k: tensor<1x3x96xf32>, %y: tensor<1x1x56x96xf32>) -> tensor<1x1x56x96xf32> {
    %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
        ins(%x, %k : tensor<1x1x113x96xf32>, tensor<1x3x96xf32>) outs(%y : tensor<1x1x56x96xf32>) -> tensor<1x1x56x96xf32>
    return %0 : tensor<1x1x56x96xf32>
  }
  func.func @plain(%x: tensor<9x1xf32>, %k: tensor<4x1xf32>, %y: tensor<6x1xf32>) -> tensor<6x1xf32> {
    %0 = linalg.conv_2d ins(%x, %k : tensor<9x1xf32>, tensor<4x1xf32>) outs(%y : tensor<6x1xf32>) -> tensor<6x1xf32>
    return %0 : tensor<6x1xf32>
  }
  func.func @pooling(%x: tensor<1x1x9x2xf32>, %k: tensor<1x3xf32>, %y: tensor<1x1x7x2xf32>) -> tensor<1x1x7x2xf32> {
    %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
        ins(%x, %k : tensor<1x1x9x2xf32>, tensor<1x3xf32>) outs(%y : tensor<1x1x7x2xf32>) -> tensor<1x1x7x2xf32>
    return %0 : tensor<1x1x7x2xf32>
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.decompose %0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @row(%arg0: tensor<?x1x?x?xf32>, %arg1: tensor<1x?x?x?xf32>, %arg2: tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x1x?x?xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c2 : tensor<?x1x?x?xf32>
// CHECK-NEXT:     %dim_1 = tensor.dim %arg0, %c3 : tensor<?x1x?x?xf32>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [%dim, 1, %dim_0, %dim_1] [1, 1, 1, 1] : tensor<?x1x?x?xf32> to tensor<?x?x?xf32>
// CHECK-NEXT:     %dim_2 = tensor.dim %arg1, %c1 : tensor<1x?x?x?xf32>
// CHECK-NEXT:     %dim_3 = tensor.dim %arg1, %c2 : tensor<1x?x?x?xf32>
// CHECK-NEXT:     %dim_4 = tensor.dim %arg1, %c3 : tensor<1x?x?x?xf32>
// CHECK-NEXT:     %extracted_slice_5 = tensor.extract_slice %arg1[0, 0, 0, 0] [1, %dim_2, %dim_3, %dim_4] [1, 1, 1, 1] : tensor<1x?x?x?xf32> to tensor<?x?x?xf32>
// CHECK-NEXT:     %dim_6 = tensor.dim %arg2, %c0 : tensor<?x1x?x?xf32>
// CHECK-NEXT:     %dim_7 = tensor.dim %arg2, %c2 : tensor<?x1x?x?xf32>
// CHECK-NEXT:     %dim_8 = tensor.dim %arg2, %c3 : tensor<?x1x?x?xf32>
// CHECK-NEXT:     %extracted_slice_9 = tensor.extract_slice %arg2[0, 0, 0, 0] [%dim_6, 1, %dim_7, %dim_8] [1, 1, 1, 1] : tensor<?x1x?x?xf32> to tensor<?x?x?xf32>
// CHECK-NEXT:     %0 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%extracted_slice, %extracted_slice_5 : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%extracted_slice_9 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg2[0, 0, 0, 0] [%dim_6, 1, %dim_7, %dim_8] [1, 1, 1, 1] : tensor<?x?x?xf32> into tensor<?x1x?x?xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<?x1x?x?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @column(%arg0: tensor<2x3x20x1xf32>, %arg1: tensor<5x3x4x1xf32>, %arg2: tensor<2x5x17x1xf32>) -> tensor<2x5x17x1xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [2, 3, 20, 1] [1, 1, 1, 1] : tensor<2x3x20x1xf32> to tensor<2x3x20xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg1[0, 0, 0, 0] [5, 3, 4, 1] [1, 1, 1, 1] : tensor<5x3x4x1xf32> to tensor<5x3x4xf32>
// CHECK-NEXT:     %extracted_slice_1 = tensor.extract_slice %arg2[0, 0, 0, 0] [2, 5, 17, 1] [1, 1, 1, 1] : tensor<2x5x17x1xf32> to tensor<2x5x17xf32>
// CHECK-NEXT:     %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%extracted_slice, %extracted_slice_0 : tensor<2x3x20xf32>, tensor<5x3x4xf32>) outs(%extracted_slice_1 : tensor<2x5x17xf32>) -> tensor<2x5x17xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg2[0, 0, 0, 0] [2, 5, 17, 1] [1, 1, 1, 1] : tensor<2x5x17xf32> into tensor<2x5x17x1xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<2x5x17x1xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @depthwise(%arg0: tensor<1x1x113x96xf32>, %arg1: tensor<1x3x96xf32>, %arg2: tensor<1x1x56x96xf32>) -> tensor<1x1x56x96xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 1, 113, 96] [1, 1, 1, 1] : tensor<1x1x113x96xf32> to tensor<1x113x96xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg1[0, 0, 0] [1, 3, 96] [1, 1, 1] : tensor<1x3x96xf32> to tensor<3x96xf32>
// CHECK-NEXT:     %extracted_slice_1 = tensor.extract_slice %arg2[0, 0, 0, 0] [1, 1, 56, 96] [1, 1, 1, 1] : tensor<1x1x56x96xf32> to tensor<1x56x96xf32>
// CHECK-NEXT:     %0 = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%extracted_slice, %extracted_slice_0 : tensor<1x113x96xf32>, tensor<3x96xf32>) outs(%extracted_slice_1 : tensor<1x56x96xf32>) -> tensor<1x56x96xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg2[0, 0, 0, 0] [1, 1, 56, 96] [1, 1, 1, 1] : tensor<1x56x96xf32> into tensor<1x1x56x96xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<1x1x56x96xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @plain(%arg0: tensor<9x1xf32>, %arg1: tensor<4x1xf32>, %arg2: tensor<6x1xf32>) -> tensor<6x1xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0] [9, 1] [1, 1] : tensor<9x1xf32> to tensor<9xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg1[0, 0] [4, 1] [1, 1] : tensor<4x1xf32> to tensor<4xf32>
// CHECK-NEXT:     %extracted_slice_1 = tensor.extract_slice %arg2[0, 0] [6, 1] [1, 1] : tensor<6x1xf32> to tensor<6xf32>
// CHECK-NEXT:     %0 = linalg.conv_1d ins(%extracted_slice, %extracted_slice_0 : tensor<9xf32>, tensor<4xf32>) outs(%extracted_slice_1 : tensor<6xf32>) -> tensor<6xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg2[0, 0] [6, 1] [1, 1] : tensor<6xf32> into tensor<6x1xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<6x1xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @pooling(%arg0: tensor<1x1x9x2xf32>, %arg1: tensor<1x3xf32>, %arg2: tensor<1x1x7x2xf32>) -> tensor<1x1x7x2xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 1, 9, 2] [1, 1, 1, 1] : tensor<1x1x9x2xf32> to tensor<1x9x2xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg1[0, 0] [1, 3] [1, 1] : tensor<1x3xf32> to tensor<3xf32>
// CHECK-NEXT:     %extracted_slice_1 = tensor.extract_slice %arg2[0, 0, 0, 0] [1, 1, 7, 2] [1, 1, 1, 1] : tensor<1x1x7x2xf32> to tensor<1x7x2xf32>
// CHECK-NEXT:     %0 = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%extracted_slice, %extracted_slice_0 : tensor<1x9x2xf32>, tensor<3xf32>) outs(%extracted_slice_1 : tensor<1x7x2xf32>) -> tensor<1x7x2xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg2[0, 0, 0, 0] [1, 1, 7, 2] [1, 1, 1, 1] : tensor<1x7x2xf32> into tensor<1x1x7x2xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<1x1x7x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
