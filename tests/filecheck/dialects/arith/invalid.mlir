// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @constant_sign() {
  // expected-error @+1 {{'arith.constant' op integer return type must be signless}}
  %0 = arith.constant 1 : si32
  return
}

// -----

func.func @narrowing_extension(%a: i16) {
  // expected-error @+1 {{'arith.extsi' op operand type 'i16' and result type 'i8' are cast incompatible}}
  %0 = arith.extsi %a : i16 to i8
  return
}

// -----

func.func @widening_truncation(%a: vector<2xf16>) {
  // expected-error @+1 {{'arith.truncf' op operand type 'vector<2xf16>' and result type 'vector<2xf32>' are cast incompatible}}
  %0 = arith.truncf %a : vector<2xf16> to vector<2xf32>
  return
}

// -----

func.func @bits(%a: i16) {
  // expected-error @+1 {{'arith.bitcast' op operand type 'i16' and result type 'f32' are cast incompatible}}
  %0 = arith.bitcast %a : i16 to f32
  return
}
