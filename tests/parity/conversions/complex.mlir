// SAME: --convert-complex-to-llvm=complex-range=improved

func.func @complex_div(%lhs: complex<f32>, %rhs: complex<f32>) -> complex<f32> {
  %div = complex.div %lhs, %rhs fastmath<nnan> : complex<f32>
  return %div : complex<f32>
}
