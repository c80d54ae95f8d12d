// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: f32) {
  // expected-error@+1 {{quad_perm attribute must have exactly 4 elements}}
  %0 = amdgpu.dpp %a %a quad_perm([1 : i32]) : f32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{Each element of quad_perm must be in the range [0, 3]}}
  %0 = amdgpu.dpp %a %a quad_perm([1 : i32, 2 : i32, 5 : i32, 1 : i32]) : f32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{Attribute 'row_shl' value not specified}}
  %0 = amdgpu.dpp %a %a row_shl : f32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{Attribute value must be between 1 and 15}}
  %0 = amdgpu.dpp %a %a row_shr(17 : i32) : f32
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{Expected unit attribute for permArgument, but found non-trivial argument}}
  %0 = amdgpu.dpp %a %a row_mirror(1 : i32) : f32
  return
}

// -----

func.func @f(%a: i128) {
  // expected-error@+1 {{integer and floating point types larger than 64 bits are not supported}}
  %0 = amdgpu.dpp %a %a row_mirror(unit) : i128
  return
}
