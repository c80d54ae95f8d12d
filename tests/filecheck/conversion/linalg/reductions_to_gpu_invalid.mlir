// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(convert-linalg-reductions-to-gpu{threads=100}))" --verify-diagnostics

// expected-error @+1 {{expected a multiple of 32 threads up to 1024, but found 100}}
func.func @f() {
  return
}
