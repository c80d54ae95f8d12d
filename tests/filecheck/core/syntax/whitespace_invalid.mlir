// RUN: xgpu-opt %s --split-input-file --verify-diagnostics
// Form feeds and vertical tabs are no white space.

// expected-error @+1 {{unexpected character}}
func.func @f() { return }

// -----

// expected-error @+1 {{unexpected character}}
func.func @f() { return }

// -----

// expected-error @+1 {{unexpected character}}
func.func @f()  { return }
