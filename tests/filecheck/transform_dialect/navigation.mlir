// RUN: xgpu-opt %s --transform-interpreter --split-input-file --verify-diagnostics -o /dev/null

// Handles that lead from an operation to others: what is found gets a remark.

module attributes {transform.with_named_sequence} {
  func.func @payload(%t: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
    // expected-remark @below {{defines the first operand}}
    %empty = tensor.empty() : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    // expected-remark @below {{produces}}
    // expected-remark @below {{the last operand}}
    // expected-note @below {{value handle points to an op result #0}}
    %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
    // expected-remark @below {{consumes}}
    %sum = linalg.add ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%filled : tensor<4x8xf32>) -> tensor<4x8xf32>
    return %sum : tensor<4x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.get_producer_of_operand %add[2] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %producer, "produces" : !transform.any_op
    %consumer = transform.get_consumers_of_result %fill[0] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %consumer, "consumes" : !transform.any_op
    %value = transform.get_operand %fill[1] : (!transform.any_op) -> !transform.any_value
    %maker = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    transform.debug.emit_remark_at %maker, "defines the first operand" : !transform.any_op
    %last = transform.get_operand %add[-1] : (!transform.any_op) -> !transform.any_value
    transform.debug.emit_remark_at %last, "the last operand" : !transform.any_value
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @argument(%a: i32) -> i32 {
    // expected-note @below {{target op}}
    %0 = arith.addi %a, %a : i32
    return %0 : i32
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{could not find a producer for operand number: 0 of}}
    %producer = transform.get_producer_of_operand %add[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @below {{target value}}
  func.func @block_argument(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    return %0 : i32
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    %value = transform.get_operand %add[0] : (!transform.any_op) -> !transform.any_value
    // expected-error @below {{cannot get defining op of block argument}}
    %maker = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @result_number(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    return %0 : i32
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{result number overflow}}
    %users = transform.get_consumers_of_result %add[1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-remark @below {{second way}}
  func.func @alternatives(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    return %0 : i32
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %add = transform.structured.match ops{["arith.addi"]} in %scope : (!transform.any_op) -> !transform.any_op
      %loop = transform.get_parent_op %add {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
      transform.yield
    }, {
    ^bb0(%scope: !transform.any_op):
      transform.debug.emit_remark_at %scope, "second way" : !transform.any_op
      transform.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func private @a()
  func.func private @b()
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{value # 0 associated with the parameter defined here}}
    %count = transform.num_associations %f : (!transform.any_op) -> !transform.param<i64>
    // expected-remark @below {{2 : i64}}
    transform.debug.emit_param_as_remark %count : !transform.param<i64>
    %two = transform.param.constant 2 : i64 -> !transform.param<i64>
    transform.match.param.cmpi eq %count, %two : !transform.param<i64>
    transform.match.param.cmpi le %count, %two : !transform.param<i64>
    transform.match.param.cmpi ge %count, %two : !transform.param<i64>
    // expected-error @below {{expected parameter to be not equal}}
    transform.match.param.cmpi ne %count, %two : !transform.param<i64>
    transform.yield
  }
}
