// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// A body that the text lacks is where its operation is; attributes are verified after it was made.

func.func @signed(%a: tensor<4x4xsi8>) -> tensor<4x4xsi8> {
  // expected-error @+1 {{'arith.muli' op operand #0 must be signless-integer-like, but got 'si8'}}
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xsi8>, tensor<4x4xsi8>) outs(%a : tensor<4x4xsi8>) -> tensor<4x4xsi8>
  return %0 : tensor<4x4xsi8>
}

// -----

func.func @cast(%a: tensor<4x4xi8>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-error @+1 {{'linalg.matmul' op attribute 'cast' failed to satisfy constraint}}
  %0 = linalg.matmul {cast = 5} ins(%a, %a : tensor<4x4xi8>, tensor<4x4xi8>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// -----

// What the operation's own form does not say has to be what its name says.

func.func @body(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected add/mul op in the body}}
  %0 = "linalg.matmul"(%a, %a, %a) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.addf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @factors(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected add/mul op in the body}}
  %0 = "linalg.matmul"(%a, %a, %a) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %x : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Conversions may stand between, and either side may come first.

func.func @converted(%a: tensor<4x4xf16>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "linalg.matmul"(%a, %a, %c) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f16, %y: f16, %z: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %v, %u : f32
    %s = arith.addf %p, %z : f32
    linalg.yield %s : f32
  }) : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @tensors_and_buffers(%a: tensor<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'linalg.matmul' op expected to have pure tensor or buffer semantics}}
  linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @unsigned_float(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unsupported operation: unsigned div not on uint}}
  %0 = linalg.div_unsigned ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unsigned_pooling(%a: tensor<1x4x1xi1>, %w: tensor<2xi1>, %c: tensor<1x2x1xi1>) -> tensor<1x2x1xi1> {
  // expected-error @+1 {{unsupported operation: unsigned max not on uint}}
  %0 = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %w : tensor<1x4x1xi1>, tensor<2xi1>) outs(%c : tensor<1x2x1xi1>) -> tensor<1x2x1xi1>
  return %0 : tensor<1x2x1xi1>
}

// -----

func.func @indices(%a: tensor<4xindex>) -> tensor<4xindex> {
  // expected-error @+1 {{expects allComplex, allFloatingPoint, or allInteger, got 'index' and 'index'}}
  %0 = linalg.add ins(%a, %a : tensor<4xindex>, tensor<4xindex>) outs(%a : tensor<4xindex>) -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

func.func @two_messages(%a: tensor<4xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add>
    ins(%a : tensor<4xi32>) outs(%a : tensor<4xi32>) -> tensor<4xi32>
  // expected-error @+2 {{ods-gen generated region expects 3 args, got 2}}
  // expected-error @+1 {{'linalg.elementwise' unable to parse elemwise op}}
  return
}

// -----

func.func @kind(%a: tensor<4xi32>) {
  // expected-error @+3 {{expected ::mlir::linalg::ElementwiseKind to be one of: exp,}}
  // expected-error @+2 {{failed to parse ElementwiseKindAttr parameter 'value' which is to be a `::mlir::linalg::ElementwiseKind`}}
  // expected-error @+1 {{'linalg.elementwise' expected operation 'kind' attribute}}
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<foo> ins(%a : tensor<4xi32>)
    outs(%a : tensor<4xi32>) -> tensor<4xi32>
  return
}
