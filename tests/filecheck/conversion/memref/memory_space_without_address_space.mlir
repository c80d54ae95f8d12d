// RUN: xgpu-opt %s --convert-func-to-llvm 2>&1 | filecheck %s
// RUN: xgpu-opt %s --finalize-memref-to-llvm 2>&1 | filecheck %s
// RUN: xgpu-opt %s --convert-to-llvm 2>&1 | filecheck %s
// RUN: xgpu-opt %s --gpu-to-llvm 2>&1 | filecheck %s

// The operation stays, and what its type lacks is said.

// CHECK: <unknown>:0: error: conversion of memref memory space #gpu.address_space<workgroup> to integer address space failed. Consider adding memory space conversions.
// CHECK: memref.store %{{.*}} : memref<4xf32, #gpu.address_space<workgroup>>
func.func @f(%x: f32, %i: index, %m: memref<4xf32, #gpu.address_space<workgroup>>) {
  memref.store %x, %m[%i] : memref<4xf32, #gpu.address_space<workgroup>>
  return
}
