// RUN: xgpu-opt %s --allow-unregistered-dialect | xgpu-opt --allow-unregistered-dialect | filecheck %s

// The bits of a part are read as those of an f64, and printed so.

// CHECK: #complex.number<:f32 1.000000e+00, 0x7FF0000000000000> : complex<f32>
"t.u"() {a = #complex.number<:f32 1.0, 1.0e400> : complex<f32>} : () -> ()
