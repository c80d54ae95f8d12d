// RUN: xgpu-opt %s --verify-diagnostics

// expected-error@+1 {{invalid kind of attribute specified}}
func.func private @f(!ptr.ptr<#gpu.address_space<global>>)
