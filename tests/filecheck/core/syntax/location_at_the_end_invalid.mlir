// RUN: xgpu-opt %s --verify-diagnostics

// expected-error @+1 {{expected '(' in location}}
module {} loc
