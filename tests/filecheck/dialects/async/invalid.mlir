// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

async.func @f(%x: i32) -> !async.value<i32> { return %x : i32 }
func.func @operands() {
  // expected-error @below {{incorrect number of operands for callee}}
  %r = async.call @f() : () -> !async.value<i32>
  return
}

// -----

func.func @callee(%x: i32) {
  // expected-error @below {{'nowhere' does not reference a valid async function}}
  %r = async.call @nowhere(%x) : (i32) -> !async.value<i32>
  return
}

// -----

func.func @yield(%x: i32) {
  // expected-error @below {{along control flow edge from Operation async.yield to parent: successor operand type #0 'i32' should match successor input type #0 '!async.value<f32>'}}
  // expected-note @below {{region branch point}}
  %t, %v = async.execute -> !async.value<f32> { async.yield %x : i32 }
  return
}

// -----

func.func @token(%t: !async.token) {
  // expected-error @below {{awaiting on a token must have empty result}}
  %r = "async.await"(%t) : (!async.token) -> f32
  return
}

// -----

func.func @empty() {
  // expected-error @below {{block with no terminator}}
  %t = async.execute { %c = arith.constant 1 : i32 }
  return
}

// -----

func.func @not_lowered() {
  return
}
