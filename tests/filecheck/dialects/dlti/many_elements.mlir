// RUN: xgpu-opt %s --split-input-file --verify-diagnostics
// More elements than there is memory for are counted all the same.

// expected-error @+1 {{expected 1 or 2 elements in the data layout entry #dlti.dl_entry<f32, dense<16> : vector<2147483648xi64>>}}
module attributes {dlti.dl_spec = #dlti.dl_spec<f32 = dense<16> : vector<2147483648xi64>>} {}
