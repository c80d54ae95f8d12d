// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What verifiers of functions, calls and regions refuse.

// expected-error@+1 {{'async.func' op result is expected to be at least of size 1, but got 0}}
async.func @f() {
  return
}

// -----

// expected-error@+1 {{'async.func' op result type must be async value type or async token type, but got 'f32'}}
async.func @f() -> f32 {
  %c = arith.constant 1.0 : f32
  return %c : f32
}

// -----

// expected-error@+1 {{'async.func' op  results' (optional) async token type is expected to appear as the 1st return value, but got 2}}
async.func @f(%x: f32) -> (!async.value<f32>, !async.token) {
  return %x : f32
}

// -----

async.func @f(%x: f32) -> (!async.token, !async.value<f32>) {
  // expected-error@+1 {{'async.return' op operand types do not match the types returned from the parent FuncOp}}
  return
}

// -----

async.func @f(%x: f32) -> !async.value<i32> {
  // expected-error@+1 {{'async.return' op operand types do not match the types returned from the parent FuncOp}}
  return %x : f32
}

// -----

async.func @callee(%x: i32) -> !async.value<i32> {
  return %x : i32
}
func.func @f(%x: f32) {
  // expected-error@+1 {{'async.call' op operand type mismatch: expected operand type 'i32', but provided 'f32' for operand number 0}}
  %0 = async.call @callee(%x) : (f32) -> !async.value<i32>
  return
}

// -----

async.func @callee(%x: i32) -> !async.value<i32> {
  return %x : i32
}
func.func @f(%x: i32) {
  // expected-error@+3 {{'async.call' op result type mismatch at index 0}}
  // expected-note@+2 {{op result types: '!async.value<f32>'}}
  // expected-note@+1 {{function result types: '!async.value<i32>'}}
  %0 = async.call @callee(%x) : (i32) -> !async.value<f32>
  return
}

// -----

async.func @callee(%x: i32) -> !async.value<i32> {
  return %x : i32
}
func.func @f(%x: i32) {
  // expected-error@+1 {{'async.call' op incorrect number of results for callee}}
  async.call @callee(%x) : (i32) -> ()
  return
}

// -----

func.func private @callee()
func.func @f() {
  // expected-error@+1 {{'async.call' op 'callee' does not reference a valid async function}}
  %0 = async.call @callee() : () -> !async.token
  return
}

// -----

func.func @f(%v: !async.value<f32>) {
  // expected-error@+1 {{'async.await' op result type 'i32' does not match async value type 'f32'}}
  %0 = "async.await"(%v) : (!async.value<f32>) -> i32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{'async.await' op operand #0 must be async value type or async token type, but got 'f32'}}
  async.await %x : f32
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{'async.yield' op expects parent op 'async.execute'}}
  async.yield %x : f32
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{'async.return' op expects parent op 'async.func'}}
  async.return %x : f32
}

// -----

func.func @f() {
  // expected-error@+1 {{'async.execute' op along control flow edge from Operation async.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs}}
  %t, %v = async.execute -> !async.value<f32> {
    // expected-note@+1 {{region branch point}}
    async.yield
  }
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%v: !async.value<f32>) {
  // expected-error@+1 {{use of value '%v' expects different type than prior uses: '!async.value<i32>' vs '!async.value<f32>'}}
  %t = async.execute (%v as %x: !async.value<i32>) {
    async.yield
  }
  return
}

// -----

func.func @f(%t: !async.token) {
  // expected-error@+1 {{custom op 'async.runtime.add_ref' 'async.runtime.add_ref' op attribute 'count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  async.runtime.add_ref %t {count = 0 : i64} : !async.token
  return
}

// -----

func.func @f(%t: !async.token) {
  // expected-error@+1 {{custom op 'async.runtime.drop_ref' 'async.runtime.drop_ref' op attribute 'count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  async.runtime.drop_ref %t {count = -1 : i64} : !async.token
  return
}

// -----

func.func @f(%t: !async.token, %x: f32) {
  // expected-error@+1 {{custom op 'async.runtime.store' invalid kind of type specified: expected async.value, but found '!async.token'}}
  async.runtime.store %x, %t : !async.token
  return
}

// -----

func.func @f(%v: !async.value<i32>, %x: f32) {
  // expected-error@+1 {{'async.runtime.store' op failed to verify that type of 'value' matches element type of 'storage'}}
  "async.runtime.store"(%x, %v) : (f32, !async.value<i32>) -> ()
  return
}

// -----

func.func @f(%v: !async.value<i32>) {
  // expected-error@+1 {{'async.runtime.load' op failed to verify that type of 'value' matches element type of 'storage'}}
  %0 = "async.runtime.load"(%v) : (!async.value<i32>) -> f32
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%n: i32) {
  // expected-error@+1 {{use of value '%n' expects different type than prior uses: '!async.coro.id' vs 'i32'}}
  %0 = async.coro.begin %n
  return
}
