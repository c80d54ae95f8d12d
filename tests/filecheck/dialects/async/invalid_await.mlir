// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// mlir-opt 22.1 crashes here.

func.func @f(%v: !async.value<f32>) {
  // expected-error@+1 {{'async.await' op awaiting on '!async.value<f32>' must have a result}}
  "async.await"(%v) : (!async.value<f32>) -> ()
  return
}
