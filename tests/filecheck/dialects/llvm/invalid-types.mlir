// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{invalid array element type}}
func.func private @f(!llvm.array<4 x void>)

// -----

// expected-error @+1 {{unknown LLVM type: vec}}
func.func private @f(!llvm.struct<(vec<4 x i32>)>)

// -----

// expected-error @+1 {{struct without a body only allowed in a recursive struct}}
func.func private @f(!llvm.struct<"a">)

// -----

func.func private @f(!llvm.struct<"a", (i32)>)
// expected-error @+1 {{identified type already used with a different body}}
func.func private @g(!llvm.struct<"a", (i64)>)

// -----

// expected-error @+1 {{only identified structs can be opaque}}
func.func private @f(!llvm.struct<opaque>)
