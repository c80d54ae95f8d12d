// RUN: xgpu-opt %s --verify-diagnostics

// expected-error @+2 {{failed to parse Ptr_PtrType parameter 'memorySpace' which is to be a `MemorySpaceAttrInterface`}}
// expected-error@+1 {{invalid kind of attribute specified}}
func.func private @f(!ptr.ptr<#gpu.address_space<global>>)
