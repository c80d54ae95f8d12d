// An `async.func` becomes a coroutine of the async runtime.
// RUN: xgpu-opt %s --async-func-to-async-runtime | filecheck %s --match-full-lines

async.func @f(%x: f32) -> !async.value<f32> {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: f32) -> !async.value<f32> attributes {passthrough = ["presplitcoroutine"]} {
// CHECK-NEXT:     %0 = async.runtime.create : !async.value<f32>
// CHECK-NEXT:     %1 = async.coro.id
// CHECK-NEXT:     %2 = async.coro.begin %1
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %3 = arith.addf %arg0, %arg0 : f32
// CHECK-NEXT:     async.runtime.store %3, %0 : <f32>
// CHECK-NEXT:     async.runtime.set_available %0 : !async.value<f32>
// CHECK-NEXT:     cf.br ^bb2
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     async.coro.free %1, %2
// CHECK-NEXT:     cf.br ^bb4
// CHECK-NEXT:   ^bb3:  // no predecessors
// CHECK-NEXT:     async.coro.free %1, %2
// CHECK-NEXT:     cf.br ^bb4
// CHECK-NEXT:   ^bb4:  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:     async.coro.end %2
// CHECK-NEXT:     return %0 : !async.value<f32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
