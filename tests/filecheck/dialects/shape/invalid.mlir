// RUN: xgpu-opt --split-input-file --verify-diagnostics %s

func.func @error(%s: !shape.size, %i: index) -> index {
  // expected-error@+1 {{'shape.add' op if at least one of the operands can hold error values then the result must be of type `size` to propagate them}}
  %0 = shape.add %s, %i : !shape.size, index -> index
  return %0 : index
}

// -----

func.func @error(%a: !shape.shape) -> tensor<?xindex> {
  // expected-error@+1 {{'shape.broadcast' op if at least one of the operands can hold error values then the result must be of type `shape` to propagate them}}
  %0 = shape.broadcast %a, %a : !shape.shape, !shape.shape -> tensor<?xindex>
  return %0 : tensor<?xindex>
}

// -----

func.func @one(%a: !shape.shape) {
  // expected-error@+1 {{'shape.cstr_broadcastable' op required at least 2 input shapes}}
  %0 = shape.cstr_broadcastable %a : !shape.shape
  return
}

// -----

func.func @none() {
  // expected-error@+1 {{'shape.assuming_all' op no operands specified}}
  %0 = shape.assuming_all
  return
}

// -----

func.func @yields(%t: tensor<?xindex>, %init: index) {
  %0 = shape.reduce(%t, %init) : tensor<?xindex> -> index {
  ^bb0(%i: index, %extent: index, %acc: index):
    // expected-error@+1 {{'shape.yield' op number of operands does not match number of results of its parent}}
    shape.yield %extent, %acc : index, index
  }
  return
}

// -----

func.func @body(%t: tensor<?xindex>, %init: index) {
  // expected-error@+1 {{'shape.reduce' op argument 1 of ReduceOp body is expected to be of IndexType if the ReduceOp operates on an extent tensor}}
  %0 = shape.reduce(%t, %init) : tensor<?xindex> -> index {
  ^bb0(%i: index, %extent: f32, %acc: index):
    shape.yield %acc : index
  }
  return
}

// -----

// expected-error@+1 {{@f required to be shape function library}}
module attributes {shape.lib = @f} {
  func.func private @f()
}

// -----

// expected-error@+1 {{only SymbolRefAttr allowed in shape.lib attribute array}}
module attributes {shape.lib = ["f"]} {
}
