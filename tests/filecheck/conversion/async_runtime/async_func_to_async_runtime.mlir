// RUN: xgpu-opt %s --async-func-to-async-runtime | filecheck %s

// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: attributes {passthrough = ["presplitcoroutine"]}
// CHECK: %[[V:.*]] = async.runtime.create : !async.value<f32>
// CHECK: async.coro.begin
// CHECK: cf.br ^[[BODY:.*]]
// CHECK: ^[[BODY]]:
// CHECK: async.runtime.store %{{.*}}, %[[V]]
// CHECK: async.runtime.set_available %[[V]]
async.func private @inner(%x: f32) -> !async.value<f32> {
  return %x : f32
}

// CHECK-LABEL: func.func @outer(
async.func @outer(%x: f32) -> (!async.token, !async.value<f32>) {
  // CHECK: %[[C:.*]] = call @inner(%{{.*}}) : (f32) -> !async.value<f32>
  %v = async.call @inner(%x) : (f32) -> !async.value<f32>
  // CHECK: async.runtime.await_and_resume %[[C]]
  %r = async.await %v : !async.value<f32>
  // What is inside of an execute waits for async-to-async-runtime.
  // CHECK: async.execute
  // CHECK: async.await %[[C]]
  %t = async.execute {
    %0 = async.await %v : !async.value<f32>
    async.yield
  }
  // CHECK: async.runtime.set_error
  return %r : f32
}

// CHECK-LABEL: func.func @plain(
func.func @plain(%t: !async.token) {
  // CHECK: async.await
  async.await %t : !async.token
  return
}
