// RUN: xgpu-opt "--one-shot-bufferize=must-infer-memory-space" %s --verify-diagnostics

// expected-error@+1 {{could not infer memory space}}
func.func @overwritten(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  // expected-error@+1 {{failed to bufferize op}}
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
