// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   async.func private @callee(%arg0: f32 {test.a}) -> (!async.value<f32> {test.b}) attributes {tag} {
// CHECK-NEXT:     return %arg0 : f32
// CHECK-NEXT:   }
async.func private @callee(%x: f32 {test.a}) -> (!async.value<f32> {test.b}) attributes {tag} {
  return %x : f32
}

// CHECK-NEXT:   async.func nested @visible() -> !async.token
async.func nested @visible() -> !async.token

// CHECK-NEXT:   func.func private @types(!async.token, !async.value<memref<4xf32>>, !async.group, !async.coro.id, !async.coro.handle, !async.coro.state)
func.func private @types(!async.token, !async.value<memref<4xf32>>, !async.group, !async.coro.id, !async.coro.handle, !async.coro.state)

// CHECK-NEXT:   func.func @call(%arg0: f32) {
// CHECK-NEXT:     %0 = async.call @callee(%arg0) {arg_attrs = [{test.a}], res_attrs = [{test.b}]} : (f32) -> !async.value<f32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @call(%x: f32) {
  %0 = "async.call"(%x) <{arg_attrs = [{test.a}], callee = @callee, res_attrs = [{test.b}]}> : (f32) -> !async.value<f32>
  return
}
