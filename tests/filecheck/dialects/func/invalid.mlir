// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @caller() {
  // expected-error @+1 {{'func.call' op 'nowhere' does not reference a valid function}}
  call @nowhere() : () -> ()
  return
}

// -----

func.func private @callee(i32)
func.func @caller(%a: f32) {
  // expected-error @+1 {{operand type mismatch: expected operand type 'i32', but provided 'f32' for operand number 0}}
  call @callee(%a) : (f32) -> ()
  return
}

// -----

func.func @too_few() -> i32 {
  // expected-error @+1 {{'func.return' op has 0 operands, but enclosing function (@too_few) returns 1}}
  return
}

// -----

func.func @wrong(%a: f32) -> i32 {
  // expected-error @+1 {{type of return operand 0 ('f32') doesn't match function result type ('i32') in function @wrong}}
  return %a : f32
}
