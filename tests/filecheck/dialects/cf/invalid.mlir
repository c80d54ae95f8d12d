// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @arguments(%a: i32) {
  // expected-error @+1 {{branch has 1 operands for successor #0, but target block has 0}}
  cf.br ^bb1(%a : i32)
^bb1:
  return
}

// -----

func.func @weights(%c: i1) {
  // expected-error @+1 {{expects number of branch weights to match number of successors: 3 vs 2}}
  cf.cond_br %c weights([1, 2, 3]), ^bb1, ^bb1
^bb1:
  return
}

// -----

func.func @sizes(%a: i32) {
  // expected-error @+1 {{'cf.switch' op caseOperands count (1) does not match with the total size (2) specified in attribute 'case_operand_segments'}}
  "cf.switch"(%a, %a)[^bb1, ^bb2] <{case_operand_segments = array<i32: 1, 1>, case_values = dense<[3]> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
^bb1:
  return
^bb2(%b: i32):
  return
}

// -----

func.func @sizes(%a: i32) {
  // expected-error @+1 {{'cf.switch' op number of case operand segments (2) should match number of case destinations (1)}}
  "cf.switch"(%a, %a)[^bb1, ^bb2] <{case_operand_segments = array<i32: 1, 0>, case_values = dense<[3]> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
^bb1:
  return
^bb2(%b: i32):
  return
}

// -----

func.func @sizes(%a: i32) {
  // expected-error @+1 {{'cf.switch' op 'case_operand_segments' attribute cannot have negative elements}}
  "cf.switch"(%a, %a, %a)[^bb1, ^bb1, ^bb1] <{case_operand_segments = array<i32: 3, -1>, case_values = dense<[3, 4]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 2>}> : (i32, i32, i32) -> ()
^bb1:
  return
}
