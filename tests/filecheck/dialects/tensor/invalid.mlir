// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What is wrong with operations on tensors, in MLIR's words.

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{offset 0 is out-of-bounds: 127 >= 10}}
  %0 = tensor.extract_slice %t[127][4][1] : tensor<10xf32> to tensor<4xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{expected type to be 'tensor<7xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[0][7][1] : tensor<10xf32> to tensor<4xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 11 >= 10}}
  %0 = tensor.extract_slice %t[8][4][1] : tensor<10xf32> to tensor<4xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{expected offsets to be non-negative, but got -1}}
  %0 = tensor.extract_slice %t[-1][4][1] : tensor<10xf32> to tensor<4xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %i: index) {
// expected-error @+1 {{expected type to be 'tensor<4xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[%i][4][1] : tensor<10xf32> to tensor<?xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %i: index) {
// expected-error @+1 {{expected type to be 'tensor<?xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[%i][%i][1] : tensor<10xf32> to tensor<4xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{expected rank to be smaller or equal to the other rank.}}
  %0 = tensor.extract_slice %t[0][1][1] : tensor<10xf32> to tensor<1x1xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{expected type to be 'tensor<2xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[0][2][1] : tensor<10xf32> to tensor<f32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{expected element type to be 'f32'}}
  %0 = tensor.extract_slice %t[0][2][1] : tensor<10xf32> to tensor<2xf64>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{expected 1 offset values, got 2}}
  %0 = tensor.extract_slice %t[0, 0][2, 1][1, 1] : tensor<10xf32> to tensor<2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{expected 1 size values, got 2}}
  %0 = tensor.extract_slice %t[0][2, 1][1, 1] : tensor<10xf32> to tensor<2xf32>
 return
}

// -----

func.func @f(%u: tensor<4x?xf32>) {
// expected-error @+1 {{offset 0 is out-of-bounds: 4 >= 4}}
  %0 = tensor.extract_slice %u[4, 5][1, 7][1, 1] : tensor<4x?xf32> to tensor<7xf32>
 return
}

// -----

func.func @f(%u: tensor<4x?xf32>) {
// expected-error @+1 {{offset 0 is out-of-bounds: 4 >= 4}}
  %0 = tensor.extract_slice %u[4, 5][0, 7][1, 1] : tensor<4x?xf32> to tensor<0x7xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{expected type to be 'tensor<1x4x1xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %z[0, 0, 0][1, 4, 1][1, 1, 1] : tensor<3x4x5xf32> to tensor<4x1x1xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %u: tensor<4x?xf32>) {
// expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 9 >= 4}}
  %0 = tensor.insert_slice %t into %u[0, 0][10, 1][1, 1] : tensor<10xf32> into tensor<4x?xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %d: tensor<?x?xf32>) {
// expected-error @+1 {{expected type to be 'tensor<9x1xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.insert_slice %t into %d[0, 0][9, 1][1, 1] : tensor<10xf32> into tensor<?x?xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 10 >= 10}}
  %0 = tensor.insert_slice %t into %t[1][10][1] : tensor<10xf32> into tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %z: tensor<3x4x5xf32>) {
// expected-error @+1 {{expected rank to be smaller or equal to the other rank.}}
  %0 = tensor.insert_slice %z into %t[1][3][1] : tensor<3x4x5xf32> into tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %ti: tensor<3xindex>) {
// expected-error @+1 {{expected element type to be 'f32'}}
  %0 = tensor.insert_slice %ti into %t[1][3][1] : tensor<3xindex> into tensor<10xf32>
 return
}

// -----

func.func @f(%u: tensor<4x?xf32>, %d: tensor<?x?xf32>) {
// expected-error @+1 {{expected type to be 'tensor<4x5xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.insert_slice %u into %d[0,0][4,5][1,1] : tensor<4x?xf32> into tensor<?x?xf32>
 return
}

// -----

func.func @f() {
// expected-error @+1 {{'tensor.empty' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.empty() : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'tensor.empty' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = tensor.empty(%i) : tensor<3xf32>
 return
}

// -----

func.func @f(%i: index, %x: f32) {
// expected-error @+1 {{all body arguments must be index}}
  %0 = tensor.generate %i { ^bb0(%k: f16): tensor.yield %x : f32 } : tensor<?xf32>
 return
}

// -----

func.func @f(%x: f32) {
// expected-error @+1 {{'tensor.generate' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.generate { ^bb0(%k: index): tensor.yield %x : f32 } : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index, %x: f32) {
// expected-error @+1 {{must have one body argument per input dimension}}
  %0 = tensor.generate %i { ^bb0(%k: index, %l: index): tensor.yield %x : f32 } : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'tensor.generate' op body must be terminated with a `yield` operation of the tensor element type}}
  %0 = tensor.generate %i { ^bb0(%k: index): tensor.yield %k : index } : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'tensor.yield' op requires a single operand}}
  %0 = tensor.generate %i { ^bb0(%k: index): } : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'func.return' op expects parent op 'func.func'}}
  %0 = tensor.generate %i { ^bb0(%k: index): func.return } : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'tensor.yield' op requires a single operand}}
  %0 = tensor.generate %i { ^bb0(%k: index): "a.b"() : () -> () } : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index, %x: f32) {
// expected-error @+1 {{must have one body argument per input dimension}}
  %0 = tensor.generate %i { tensor.yield %x : f32 } : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'tensor.yield' op requires a single operand}}
  %0 = tensor.generate %i { } : tensor<?xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{specified type 'tensor<12xf32>' does not match the inferred type 'tensor<13xf32>'}}
  %0 = tensor.pad %t low[1] high[2] { ^bb0(%a: index): tensor.yield %x : f32 } : tensor<10xf32> to tensor<12xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{failed to infer expectedType from sourceType 'tensor<10xf32>', specified resultType is 'tensor<13xf32>'}}
  %0 = tensor.pad %t low[1, 2] high[2, 3] { ^bb0(%a: index): tensor.yield %x : f32 } : tensor<10xf32> to tensor<13xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{failed to infer expectedType from sourceType 'tensor<10xf32>', specified resultType is 'tensor<13x15xf32>'}}
  %0 = tensor.pad %t low[1, 2] high[2, 3] { ^bb0(%a: index, %b: index): tensor.yield %x : f32 } : tensor<10xf32> to tensor<13x15xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{specified type 'tensor<13x1xf32>' does not match the inferred type 'tensor<13xf32>'}}
  %0 = tensor.pad %t low[1] high[2] { ^bb0(%a: index): tensor.yield %x : f32 } : tensor<10xf32> to tensor<13x1xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{'tensor.pad' op expected block argument 1 to be an index}}
  %0 = tensor.pad %t low[1] high[2] { ^bb0(%a: f32): tensor.yield %x : f32 } : tensor<10xf32> to tensor<13xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{expected the block to have 1 arguments}}
  %0 = tensor.pad %t low[1] high[2] { ^bb0(%a: index, %b: index): tensor.yield %x : f32 } : tensor<10xf32> to tensor<13xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.pad' op expected yield type to match shape element type}}
  %0 = tensor.pad %t low[1] high[2] { ^bb0(%a: index): tensor.yield %a : index } : tensor<10xf32> to tensor<13xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{'tensor.pad' op expected yield type to match shape element type}}
  %0 = tensor.pad %t low[1] high[2] { ^bb0(%a: index): tensor.yield %x : f32 } : tensor<10xf32> to tensor<13xf64>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.yield' op requires a single operand}}
  %0 = tensor.pad %t low[1] high[2] { ^bb0(%a: index): } : tensor<10xf32> to tensor<13xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{specified type 'tensor<?xf32>' does not match the inferred type 'tensor<-3xf32>'}}
  %0 = tensor.pad %t low[-1] high[-12] { ^bb0(%a: index): tensor.yield %x : f32 } : tensor<10xf32> to tensor<?xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = tensor.extract %t[] : tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %i: index) {
// expected-error @+1 {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = tensor.extract %t[%i, %i] : tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %x: f32) {
// expected-error @+1 {{'tensor.insert' op incorrect number of indices}}
  %0 = tensor.insert %x into %t[] : tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %i: index, %x: f32) {
// expected-error @+1 {{'tensor.insert' op incorrect number of indices}}
  %0 = tensor.insert %x into %t[%i, %i] : tensor<10xf32>
 return
}

// -----

func.func @f(%x: f32) {
// expected-error @+1 {{'tensor.splat' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = tensor.splat %x : tensor<?xf32>
 return
}

// -----

func.func @f(%i: index, %x: f32) {
// expected-error @+1 {{'tensor.splat' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = tensor.splat %x[%i] : tensor<2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %ti: tensor<3xindex>) {
// expected-error @+1 {{'tensor.reshape' op length of shape operand differs from the result's tensor rank}}
  %0 = tensor.reshape %t(%ti) : (tensor<10xf32>, tensor<3xindex>) -> tensor<5x2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %ti: tensor<3xindex>) {
// expected-error @+1 {{'tensor.reshape' op element types of source and destination tensor types should be the same}}
  %0 = tensor.reshape %t(%ti) : (tensor<10xf32>, tensor<3xindex>) -> tensor<5x2x1xf64>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %ti: tensor<3xindex>) {
// expected-error @+1 {{'tensor.reshape' op source and destination tensor should have the same number of elements}}
  %0 = tensor.reshape %t(%ti) : (tensor<10xf32>, tensor<3xindex>) -> tensor<5x3x1xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %td: tensor<?xindex>) {
// expected-error @+1 {{'tensor.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked tensor type}}
  %0 = tensor.reshape %t(%td) : (tensor<10xf32>, tensor<?xindex>) -> tensor<?x3x1xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %ti: tensor<3xindex>) {
// expected-error @+1 {{'tensor.reshape' op element types of source and destination tensor types should be the same}}
  %0 = tensor.reshape %t(%ti) : (tensor<10xf32>, tensor<3xindex>) -> tensor<*xf64>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.cast' op operand type 'tensor<10xf32>' and result type 'tensor<11xf32>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<10xf32> to tensor<11xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.cast' op operand type 'tensor<10xf32>' and result type 'tensor<?x?xf32>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<10xf32> to tensor<?x?xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.cast' op operand type 'tensor<10xf32>' and result type 'tensor<10xf64>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<10xf32> to tensor<10xf64>
 return
}

// -----

func.func @f(%ti: tensor<3xindex>) {
// expected-error @+1 {{'tensor.bitcast' op operand #0 must be tensor of signless integer or unsigned integer or signed integer or floating-point values, but got 'tensor<3xindex>'}}
  %0 = tensor.bitcast %ti : tensor<3xindex> to tensor<3xi64>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.bitcast' op operand type 'tensor<10xf32>' and result type 'tensor<10xi64>' are cast incompatible}}
  %0 = tensor.bitcast %t : tensor<10xf32> to tensor<10xi64>
 return
}

// -----

func.func @f() {
// expected-error @+1 {{'tensor.concat' op requires at least one input}}
  %0 = tensor.concat dim(0) : () -> tensor<2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.concat' op result type 'tensor<21xf32>'does not match inferred shape 'tensor<20xf32>' static sizes}}
  %0 = tensor.concat dim(0) %t, %t : (tensor<10xf32>, tensor<10xf32>) -> tensor<21xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %0 = tensor.concat dim(1) %t, %t : (tensor<10xf32>, tensor<10xf32>) -> tensor<20xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.concat' op concatenation dim must not be negative}}
  %0 = tensor.concat dim(-1) %t, %t : (tensor<10xf32>, tensor<10xf32>) -> tensor<20xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %u: tensor<4x?xf32>) {
// expected-error @+1 {{'tensor.concat' op rank of concatenated inputs must match result rank}}
  %0 = tensor.concat dim(0) %t, %u : (tensor<10xf32>, tensor<4x?xf32>) -> tensor<20xf32>
 return
}

// -----

func.func @f(%u: tensor<4x?xf32>) {
// expected-error @+1 {{'tensor.concat' op result type 'tensor<5x3xf32>'does not match inferred shape 'tensor<4x?xf32>' static sizes}}
  %0 = tensor.concat dim(1) %u, %u : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<5x3xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.concat' op inputs and result element type must match}}
  %0 = tensor.concat dim(0) %t, %t : (tensor<10xf32>, tensor<10xf32>) -> tensor<20xf64>
 return
}

// -----

func.func @f(%s: tensor<f32>) {
// expected-error @+1 {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %0 = tensor.concat dim(0) %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.gather' op result type mismatch: expected 'tensor<2x1xf32>' or its rank-reduced variant 'tensor<2xf32>' (got: 'tensor<3x1xf32>')}}
  %0 = tensor.gather %t[%g] gather_dims([0]) : (tensor<10xf32>, tensor<2x1xindex>) -> tensor<3x1xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.gather' op gather_dims must be non-empty}}
  %0 = tensor.gather %t[%g] gather_dims([]) : (tensor<10xf32>, tensor<2x1xindex>) -> tensor<2x1xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.gather' op gather_dims value must be smaller than source rank}}
  %0 = tensor.gather %t[%g] gather_dims([1]) : (tensor<10xf32>, tensor<2x1xindex>) -> tensor<2x1xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.gather' op gather_dims overflow source rank}}
  %0 = tensor.gather %t[%g] gather_dims([0, 0]) : (tensor<10xf32>, tensor<2x1xindex>) -> tensor<2x1xf32>
 return
}

// -----

func.func @f(%g: tensor<2x1xindex>, %z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.gather' op gather_dims length must match the size of last dimension of indices}}
  %0 = tensor.gather %z[%g] gather_dims([2, 1]) : (tensor<3x4x5xf32>, tensor<2x1xindex>) -> tensor<2x3xf32>
 return
}

// -----

func.func @f(%g: tensor<2x1xindex>, %z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.gather' op gather_dims value must be non-negative}}
  %0 = tensor.gather %z[%g] gather_dims([-1]) : (tensor<3x4x5xf32>, tensor<2x1xindex>) -> tensor<2x3xf32>
 return
}

// -----

func.func @f(%g: tensor<2x1xindex>, %z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.gather' op gather_dims overflow source rank}}
  %0 = tensor.gather %z[%g] gather_dims([0,1,2,3]) : (tensor<3x4x5xf32>, tensor<2x1xindex>) -> tensor<2x3xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.scatter' op source type mismatch: expected 'tensor<2x1xf32>' or its rank-reduced variant 'tensor<2xf32>' (got: 'tensor<10xf32>')}}
  %0 = tensor.scatter %t into %t[%g] scatter_dims([0]) unique : (tensor<10xf32>, tensor<10xf32>, tensor<2x1xindex>) -> tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.scatter' op requires 'unique' attribute to be set}}
  %0 = tensor.scatter %t into %t[%g] scatter_dims([0]) : (tensor<10xf32>, tensor<10xf32>, tensor<2x1xindex>) -> tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.scatter' op scatter_dims value must be smaller than dest rank}}
  %0 = tensor.scatter %t into %t[%g] scatter_dims([3]) unique : (tensor<10xf32>, tensor<10xf32>, tensor<2x1xindex>) -> tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.scatter' op scatter_dims must be non-empty}}
  %0 = tensor.scatter %t into %t[%g] scatter_dims([]) unique : (tensor<10xf32>, tensor<10xf32>, tensor<2x1xindex>) -> tensor<10xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %g: tensor<2x1xindex>) {
// expected-error @+1 {{'tensor.scatter' op source type mismatch: expected 'tensor<2x1xf32>' or its rank-reduced variant 'tensor<2xf32>' (got: 'tensor<10xf32>')}}
  %0 = tensor.scatter %t into %t[%g] scatter_dims([0]) unique : (tensor<10xf32>, tensor<10xf32>, tensor<2x1xindex>) -> tensor<11xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected dimension 0 of collapsed type to be static value of 15}}
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [5, 3] : tensor<10xf32> into tensor<5x3xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic}}
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [5, 2] : tensor<10xf32> into tensor<5x?xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected number of static shape dims to be equal to the output rank (2) but found 1 inputs instead}}
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [5] : tensor<10xf32> into tensor<5x2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected reassociation map #0 to have size equal to the expanded rank (2), but it is  3.}}
  %0 = tensor.expand_shape %t [[0, 2]] output_shape [5, 2] : tensor<10xf32> into tensor<5x2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected collapsed rank (1) to equal the number of reassociation maps (2).}}
  %0 = tensor.expand_shape %t [[0], [1]] output_shape [5, 2] : tensor<10xf32> into tensor<5x2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected reassociation map #0 to be valid and contiguous.}}
  %0 = tensor.expand_shape %t [[1, 0]] output_shape [5, 2] : tensor<10xf32> into tensor<5x2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected reassociation map #0 to have size equal to the expanded rank (2), but it is  3.}}
  %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [5, 2] : tensor<10xf32> into tensor<5x2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected reassociation map #0 to have size equal to the expanded rank (2), but it is  1.}}
  %0 = tensor.expand_shape %t [[0]] output_shape [5, 2] : tensor<10xf32> into tensor<5x2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected collapsed rank (1) to equal the number of reassociation maps (0).}}
  %0 = tensor.expand_shape %t [] output_shape [5, 2] : tensor<10xf32> into tensor<5x2xf32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected collapsed type to be 'tensor<10xf64>', but got 'tensor<10xf32>'}}
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [5, 2] : tensor<10xf32> into tensor<5x2xf64>
 return
}

// -----

func.func @f(%u: tensor<4x?xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected dimension 1 of collapsed type to be static value of 6}}
  %0 = tensor.expand_shape %u [[0], [1, 2]] output_shape [4, 3, 2] : tensor<4x?xf32> into tensor<4x3x2xf32>
 return
}

// -----

func.func @f(%u: tensor<4x?xf32>, %i: index) {
// expected-error @+1 {{'tensor.expand_shape' op expected dimension 1 of collapsed type to be static value of 6}}
  %0 = tensor.expand_shape %u [[0], [1, 2]] output_shape [4, %i, 2] : tensor<4x?xf32> into tensor<4x3x2xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected the expanded type, 'tensor<4x3xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<3x4x5xf32>'.}}
  %0 = tensor.expand_shape %z [[0, 1]] output_shape [4, 2] : tensor<3x4x5xf32> into tensor<4x3xf32>
 return
}

// -----

func.func @f(%ur: tensor<*xf32>) {
// expected-error @+1 {{'tensor.expand_shape' op expected the expanded type, 'tensor<4x2xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<*xf32>'.}}
  %0 = tensor.expand_shape %ur [[0, 1]] output_shape [4, 2] : tensor<*xf32> into tensor<4x2xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 12}}
  %0 = tensor.collapse_shape %z [[0, 1], [2]] : tensor<3x4x5xf32> into tensor<13x5xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 12}}
  %0 = tensor.collapse_shape %z [[0, 1], [2]] : tensor<3x4x5xf32> into tensor<?x5xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected collapsed rank (2) to equal the number of reassociation maps (1).}}
  %0 = tensor.collapse_shape %z [[0, 1, 2]] : tensor<3x4x5xf32> into tensor<12x5xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected reassociation map #0 to have size equal to the expanded rank (3), but it is  2.}}
  %0 = tensor.collapse_shape %z [[0, 1]] : tensor<3x4x5xf32> into tensor<12xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected reassociation map #0 to have size equal to the expanded rank (3), but it is  4.}}
  %0 = tensor.collapse_shape %z [[0, 1], [2, 3]] : tensor<3x4x5xf32> into tensor<12x5xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 3}}
  %0 = tensor.collapse_shape %z [[0], [1, 2]] : tensor<3x4x5xf32> into tensor<12x5xf32>
 return
}

// -----

func.func @f(%z: tensor<3x4x5xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected collapsed type to be 'tensor<12x5xf32>', but got 'tensor<12x5xf64>'}}
  %0 = tensor.collapse_shape %z [[0, 1], [2]] : tensor<3x4x5xf32> into tensor<12x5xf64>
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected the expanded type, 'tensor<10xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<10x1xf32>'.}}
  %0 = tensor.collapse_shape %t [[0], [1]] : tensor<10xf32> into tensor<10x1xf32>
 return
}

// -----

func.func @f(%ur: tensor<*xf32>) {
// expected-error @+1 {{'tensor.collapse_shape' op expected the expanded type, 'tensor<*xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<f32>'.}}
  %0 = tensor.collapse_shape %ur [] : tensor<*xf32> into tensor<f32>
 return
}

// -----

func.func @f(%s: tensor<f32>, %i: index) {
// expected-error @+1 {{'tensor.dim' op operand #0 must be non-0-ranked or unranked tensor, but got 'tensor<f32>'}}
  %0 = tensor.dim %s, %i : tensor<f32>
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %i: index) {
// expected-error @+1 {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = "tensor.extract"(%t, %i, %i) : (tensor<10xf32>, index, index) -> f32
 return
}

// -----

func.func @f(%t: tensor<10xf32>, %ti: tensor<3xindex>) {
// expected-error @+1 {{expected element type to be 'f32'}}
  scf.forall (%k) in (3) shared_outs(%o = %t) -> tensor<10xf32> { scf.forall.in_parallel { tensor.parallel_insert_slice %ti into %o[0] [3] [1] : tensor<3xindex> into tensor<10xf32> } }
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{expected type to be 'tensor<3xf32>' or a rank-reduced version. (size mismatch)}}
  scf.forall (%k) in (3) shared_outs(%o = %t) -> tensor<10xf32> { scf.forall.in_parallel { tensor.parallel_insert_slice %t into %o[0] [3] [1] : tensor<10xf32> into tensor<10xf32> } }
 return
}

// -----

func.func @f(%t: tensor<10xf32>) {
// expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 12 >= 10}}
  scf.forall (%k) in (3) shared_outs(%o = %t) -> tensor<10xf32> { scf.forall.in_parallel { tensor.parallel_insert_slice %t into %o[3] [10] [1] : tensor<10xf32> into tensor<10xf32> } }
 return
}

// -----

// expected-error @+1 {{'tensor.gather' op gather_dims values must be strictly increasing}}
func.func @f(%z: tensor<3x4x5xf32>, %g: tensor<2x2xindex>) { %0 = tensor.gather %z[%g] gather_dims([2, 1]) : (tensor<3x4x5xf32>, tensor<2x2xindex>) -> tensor<2x3xf32>
 return }

// -----

// expected-error @+1 {{'tensor.gather' op gather_dims values must be strictly increasing}}
func.func @f(%z: tensor<3x4x5xf32>, %g: tensor<2x2xindex>) { %0 = tensor.gather %z[%g] gather_dims([1, 1]) : (tensor<3x4x5xf32>, tensor<2x2xindex>) -> tensor<2x3xf32>
 return }

// -----

// expected-error @+1 {{'tensor.gather' op gather_dims length must match the size of last dimension of indices}}
func.func @f(%z: tensor<3x4x5xf32>, %g: tensor<index>) { %0 = tensor.gather %z[%g] gather_dims([1, 2]) : (tensor<3x4x5xf32>, tensor<index>) -> tensor<2x3xf32>
 return }

// -----

// expected-error @+1 {{'tensor.expand_shape' op mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has 0 dynamic dims while output_shape has 1 values}}
func.func @f(%z: tensor<?xf32>, %i: index, %x: f32) { %0 = "tensor.expand_shape"(%z, %i) <{reassociation = [[0, 1]], static_output_shape = array<i64: 1, 2>}> : (tensor<?xf32>, index) -> tensor<1x2xf32>
 return }

// -----

// expected-error @+1 {{'tensor.collapse_shape' op expected reassociation map #0 to be valid and contiguous.}}
func.func @f(%z: tensor<?xf32>, %i: index, %x: f32) { %0 = "tensor.collapse_shape"(%z) <{reassociation = [[0, -1]]}> : (tensor<?xf32>) -> tensor<?xf32>
 return }

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected InParallelOpInterface parent, got:}}
  tensor.parallel_insert_slice %t into %t[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return
}

// -----

func.func @splat(%x: f32) {
  // expected-error @below {{custom op 'tensor.splat' invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
  %0 = tensor.splat %x : f32
  return
}

// -----

func.func @cast(%x: tensor<4xf32>) {
  // expected-error @below {{custom op 'tensor.cast' invalid kind of type specified}}
  %0 = tensor.cast %x : tensor<4xf32> to f32
  return
}

// -----

func.func @dealloc(%x: memref<4xf32>) {
  // expected-error @below {{custom op 'memref.dealloc' invalid kind of type specified}}
  memref.dealloc %x : f32
  return
}

// -----

func.func @empty_group(%a: tensor<1xf32>) {
  // expected-error @+1 {{'tensor.collapse_shape' op reassociation indices must not be empty}}
  %0 = tensor.collapse_shape %a [[0], []] : tensor<1xf32> into tensor<1x1xf32>
  return
}
