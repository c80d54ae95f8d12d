// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{"transform.target_tag" attribute must be a string}}
func.func @f() attributes {transform.target_tag = 5} {
  return
}

// -----

// expected-error @+1 {{'bufferization.writable' is expected to be a boolean attribute}}
func.func @stated(%t: tensor<?xf32> {bufferization.writable = 1 : i32}) {
  return
}
