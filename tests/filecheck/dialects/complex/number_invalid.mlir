// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error@+1 {{expected ':'}}
"test.op"() {a = #complex.number<f32 1.0, 2.0>} : () -> ()

// -----

// expected-error@+1 {{expected ','}}
"test.op"() {a = #complex.number<:f32 1.0>} : () -> ()

// -----

// expected-error@+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note@+1 {{add a trailing dot to make the literal a float}}
"test.op"() {a = #complex.number<:f32 1.0, 2>} : () -> ()

// -----

// expected-error@+1 {{expected floating point literal}}
"test.op"() {a = #complex.number<:f32 true, 2.0>} : () -> ()

// -----

// expected-error@+1 {{expected a float type}}
"test.op"() {a = #complex.number<:i32 1.0, 2.0>} : () -> ()
