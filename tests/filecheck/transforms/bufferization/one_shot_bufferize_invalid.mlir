// RUN: xgpu-opt --one-shot-bufferize=bufferize-function-boundaries --split-input-file --verify-diagnostics %s

func.func @yielded(%s: tensor<?xf32>, %t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> (tensor<?xf32>) {
    // expected-error @below {{Yield operand #0 is not equivalent to the corresponding iter bbArg}}
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @maybe_aliased(%m: memref<4xf32>, %i: index) -> f32 {
  // expected-error @below {{to_tensor ops without `restrict` are not supported by One-Shot Analysis}}
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %e = tensor.extract %t[%i] : tensor<4xf32>
  return %e : f32
}

// -----

func.func @unknown(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{op was not bufferized}}
  %0 = arith.addf %t, %t : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @read_only(%t: tensor<5xf32>, %d: tensor<5xf32> {bufferization.writable = false}) -> tensor<5xf32> {
  // expected-error @below {{not bufferizable under the given constraints: would write to read-only buffer}}
  %0 = bufferization.materialize_in_destination %t in %d : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
