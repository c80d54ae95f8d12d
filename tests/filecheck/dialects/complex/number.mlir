// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   "test.op"() {a = #complex.number<:f32 1.000000e+00, 2.000000e+00> : complex<f32>, b = #complex.number<:f64 1.000000e+00, -2.500000e+00> : complex<f64>, c = #complex.number<:f16 9.997550e-02, -2.500000e+00> : complex<f16>, d = #complex.number<:f80 0.100000000000000005551, 1.0000000000000000525E+300> : complex<f80>, e = #complex.number<:f32 1.000000e+00, 2.000000e+00> : complex<f32>} : () -> ()
// CHECK-NEXT: }
"test.op"() {a = #complex.number<:f32 1.0, 2.0> : complex<f32>, b = #complex.number<:f64 1.0, -2.5>, c = #complex.number<:f16 0.1, -2.5>, d = #complex.number<:f80 0.1, 1.0e300>, e = #complex.number<:f32 0x3FF0000000000000, 2.0>} : () -> ()
