// RUN: xgpu-opt %s --convert-bufferization-to-memref --split-input-file --verify-diagnostics

func.func @layout(%m: memref<4xf32, strided<[2]>>) -> memref<4xf32, strided<[2]>> {
  // expected-error@+2 {{failed to legalize operation 'bufferization.clone' that was explicitly marked illegal}}
  // expected-note@+1 {{a buffer with this layout cannot be allocated}}
  %0 = bufferization.clone %m : memref<4xf32, strided<[2]>> to memref<4xf32, strided<[2]>>
  return %0 : memref<4xf32, strided<[2]>>
}

// -----

func.func @tensor(%m: memref<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{failed to legalize operation 'bufferization.to_tensor' that was explicitly marked illegal}}
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
