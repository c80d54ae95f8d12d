// RUN: xgpu-opt --one-shot-bufferize="must-infer-memory-space=true" --verify-diagnostics %s

func.func @unknown() -> tensor<10xf32> {
  // expected-error @below {{could not infer memory space}}
  // expected-error @below {{failed to bufferize op}}
  %0 = bufferization.alloc_tensor() : tensor<10xf32>
  return %0 : tensor<10xf32>
}
