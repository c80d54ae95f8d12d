// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Sizes and results of alloc_tensor and materialize_in_destination.

func.func @f(%n: index, %t: tensor<4xf32>) {
 // expected-error @+1 {{dynamic sizes not needed when copying a tensor}}
 %0 = "bufferization.alloc_tensor"(%n, %t) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (index, tensor<4xf32>) -> tensor<?xf32>
 return }

// -----

func.func @f(%n: index, %t: tensor<4xf32>) {
 // expected-error @+1 {{expected that `copy` and return type match}}
 %0 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<4xf32>) -> tensor<5xf32>
 return }

// -----

func.func @f(%n: index, %t: tensor<4xf32>) {
 // expected-error @+1 {{'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 0, expected 1}}
 %0 = "bufferization.alloc_tensor"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> tensor<?xf32>
 return }

// -----

func.func @f(%n: index, %t: tensor<4xf32>) {
 // expected-error @+1 {{'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 1, expected 0}}
 %0 = "bufferization.alloc_tensor"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> tensor<4xf32>
 return }

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<5xf32>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op source/destination shapes are incompatible}}
 %0 = bufferization.materialize_in_destination %t in %u : (tensor<4xf32>, tensor<5xf32>) -> tensor<5xf32>
 return }

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4x4xf32>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op rank mismatch between source and destination shape}}
 %0 = bufferization.materialize_in_destination %t in %u : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
 return }

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op tensor 'dest' implies exactly one tensor result}}
 bufferization.materialize_in_destination %t in %u : (tensor<4xf32>, tensor<4xf32>) -> ()
 return }

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op 'restrict' is valid only for memref destinations}}
 %0 = bufferization.materialize_in_destination %t in restrict %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
 return }

// -----

func.func @f(%t: tensor<4xf32>, %u: memref<4xf32>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op memref 'dest' implies zero results}}
 %0 = bufferization.materialize_in_destination %t in restrict writable %u : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
 return }

// -----

func.func @f(%t: tensor<4xf32>, %u: memref<4xf32>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
 bufferization.materialize_in_destination %t in restrict %u : (tensor<4xf32>, memref<4xf32>) -> ()
 return }

// -----

func.func @f(%t: tensor<4xf32>, %u: memref<5xf32>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op source/destination shapes are incompatible}}
 bufferization.materialize_in_destination %t in writable %u : (tensor<4xf32>, memref<5xf32>) -> ()
 return }

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
 %0 = bufferization.materialize_in_destination %t in writable %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
 return }

// -----

func.func @f(%t: tensor<?xf32>, %u: memref<5xf32>) {
 bufferization.materialize_in_destination %t in writable %u : (tensor<?xf32>, memref<5xf32>) -> ()
 return }

// -----

func.func @f(%t: tensor<?xf32>, %u: memref<5xf64>) {
 // expected-error @+1 {{'bufferization.materialize_in_destination' op failed to verify that all of {source, dest} have same element type}}
 bufferization.materialize_in_destination %t in writable %u : (tensor<?xf32>, memref<5xf64>) -> ()
 return }

// -----

func.func @two_messages(%a: tensor<4xf32>, %b: memref<5xf32>) {
  // expected-error @+2 {{shapes do not match}}
  // expected-error @+1 {{'bufferization.to_tensor' op failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_tensor %b : memref<5xf32> to tensor<4xf32>
  return
}

// -----

func.func @sizes_of_no_dimension(%n: index) {
  // expected-error @+1 {{'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = bufferization.alloc_tensor(%n) : tensor<*xf32>
  return
}
