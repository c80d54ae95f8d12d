// RUN: xgpu-opt %s --verify-diagnostics

// What is in a region is verified before the operation's own rules for it.
func.func @f(%n: index) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %g = %n)
             threads(%h, %i, %j) in (%k = %n, %l = %n, %m = %n) {
    // expected-error @+1 {{'gpu.return' op expects parent op 'gpu.func'}}
    gpu.return
  }
  return
}
