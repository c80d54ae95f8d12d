// An `async.execute` region becomes a coroutine, which the function calls.
// RUN: xgpu-opt %s --async-to-async-runtime | filecheck %s --match-full-lines

func.func @f(%m: memref<1xf32>, %x: f32) {
  %i = arith.constant 0 : index
  %t = async.execute {
    memref.store %x, %m[%i] : memref<1xf32>
    async.yield
  }
  async.await %t : !async.token
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<1xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = call @async_execute_fn(%arg1, %arg0) : (f32, memref<1xf32>) -> !async.token
// CHECK-NEXT:     async.runtime.await %0 : !async.token
// CHECK-NEXT:     %1 = async.runtime.is_error %0 : !async.token
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %2 = arith.xori %1, %true : i1
// CHECK-NEXT:     cf.assert %2, "Awaited async operand is in error state"
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @async_execute_fn(%arg0: f32, %arg1: memref<1xf32>) -> !async.token attributes {passthrough = ["presplitcoroutine"]} {
// CHECK-NEXT:     %0 = async.runtime.create : !async.token
// CHECK-NEXT:     %1 = async.coro.id
// CHECK-NEXT:     %2 = async.coro.begin %1
// CHECK-NEXT:     %3 = async.coro.save %2
// CHECK-NEXT:     async.runtime.resume %2
// CHECK-NEXT:     async.coro.suspend %3, ^bb4, ^bb1, ^bb3
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     memref.store %arg0, %arg1[%c0] : memref<1xf32>
// CHECK-NEXT:     async.runtime.set_available %0 : !async.token
// CHECK-NEXT:     cf.br ^bb2
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     async.coro.free %1, %2
// CHECK-NEXT:     cf.br ^bb4
// CHECK-NEXT:   ^bb3:  // pred: ^bb0
// CHECK-NEXT:     async.coro.free %1, %2
// CHECK-NEXT:     cf.br ^bb4
// CHECK-NEXT:   ^bb4:  // 3 preds: ^bb0, ^bb2, ^bb3
// CHECK-NEXT:     async.coro.end %2
// CHECK-NEXT:     return %0 : !async.token
// CHECK-NEXT:   }
// CHECK-NEXT: }
