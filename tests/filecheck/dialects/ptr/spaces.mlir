// RUN: xgpu-opt %s | filecheck %s

// CHECK: func.func private @f(!ptr.ptr<#ptr.generic_space>, !ptr.ptr<#nvvm.memory_space<global>>, !ptr.ptr<#llvm.address_space<3>>)
func.func private @f(!ptr.ptr<#ptr.generic_space>, !ptr.ptr<#nvvm.memory_space<global>>, !ptr.ptr<#llvm.address_space<3>>)
