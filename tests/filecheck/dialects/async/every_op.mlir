// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every operation and type.

async.func @nothing() -> !async.token {
  return
}

async.func private @elsewhere(%x: f32) -> (!async.token, !async.value<f32>)

async.func @double(%x: f32) -> (!async.token, !async.value<f32>) attributes {passthrough = ["noinline"]} {
  %sum = arith.addf %x, %x : f32
  return %sum : f32
}

func.func @call(%x: f32) {
  %token = async.call @nothing() : () -> !async.token
  %done, %value = async.call @double(%x) {mark} : (f32) -> (!async.token, !async.value<f32>)
  return
}

func.func @execute(%a: !async.token, %b: !async.token, %v: !async.value<f32>) {
  %0 = async.execute {
    async.yield
  }
  %1 = async.execute [%a, %b] {
    async.yield
  }
  %2, %results:2 = async.execute [%a] (%v as %w: !async.value<f32>) -> (!async.value<f32>, !async.value<index>) attributes {mark} {
    %c = arith.constant 1 : index
    async.yield %w, %c : f32, index
  }
  return
}

func.func @await(%token: !async.token, %value: !async.value<memref<?xf32>>, %size: index) {
  async.await %token : !async.token
  %0 = async.await %value : !async.value<memref<?xf32>>
  %group = async.create_group %size : !async.group
  %1 = async.add_to_group %token, %group : !async.token
  %2 = async.add_to_group %value, %group : !async.value<memref<?xf32>>
  async.await_all %group
  return
}

func.func @coroutine() -> !async.coro.handle {
  %id = async.coro.id
  %handle = async.coro.begin %id
  %state = async.coro.save %handle
  async.coro.suspend %state, ^suspend, ^resume, ^cleanup
^resume:
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return %handle : !async.coro.handle
}

func.func @runtime(%x: f32, %handle: !async.coro.handle, %size: index) {
  %token = async.runtime.create : !async.token
  %value = async.runtime.create : !async.value<f32>
  %group = async.runtime.create_group %size : !async.group
  async.runtime.set_available %token : !async.token
  async.runtime.set_available %value : !async.value<f32>
  async.runtime.set_error %token : !async.token
  async.runtime.set_error %value : !async.value<f32>
  %0 = async.runtime.is_error %token : !async.token
  %1 = async.runtime.is_error %value : !async.value<f32>
  %2 = async.runtime.is_error %group : !async.group
  async.runtime.await %token : !async.token
  async.runtime.await %value : !async.value<f32>
  async.runtime.await %group : !async.group
  async.runtime.await_and_resume %token, %handle : !async.token
  async.runtime.await_and_resume %value, %handle : !async.value<f32>
  async.runtime.await_and_resume %group, %handle : !async.group
  async.runtime.resume %handle
  async.runtime.store %x, %value : !async.value<f32>
  %3 = async.runtime.load %value : !async.value<f32>
  %4 = async.runtime.add_to_group %token, %group : !async.token
  async.runtime.add_ref %token {count = 1 : i64} : !async.token
  async.runtime.add_ref %group {count = 2 : i64} : !async.group
  async.runtime.drop_ref %value {count = 1 : i64} : !async.value<f32>
  %5 = async.runtime.num_worker_threads : index
  return
}

// CHECK: module {
// CHECK-NEXT:   async.func @nothing() -> !async.token {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   async.func private @elsewhere(f32) -> (!async.token, !async.value<f32>)
// CHECK-NEXT:   async.func @double(%arg0: f32) -> (!async.token, !async.value<f32>) attributes {passthrough = ["noinline"]} {
// CHECK-NEXT:     %0 = arith.addf %arg0, %arg0 : f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @call(%arg0: f32) {
// CHECK-NEXT:     %0 = async.call @nothing() : () -> !async.token
// CHECK-NEXT:     %1:2 = async.call @double(%arg0) {mark} : (f32) -> (!async.token, !async.value<f32>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @execute(%arg0: !async.token, %arg1: !async.token, %arg2: !async.value<f32>) {
// CHECK-NEXT:     %token = async.execute {
// CHECK-NEXT:       async.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     %token_0 = async.execute [%arg0, %arg1] {
// CHECK-NEXT:       async.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     %token_1, %bodyResults:2 = async.execute [%arg0] (%arg2 as %arg3: !async.value<f32>) -> (!async.value<f32>, !async.value<index>) attributes {mark} {
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       async.yield %arg3, %c1 : f32, index
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @await(%arg0: !async.token, %arg1: !async.value<memref<?xf32>>, %arg2: index) {
// CHECK-NEXT:     async.await %arg0 : !async.token
// CHECK-NEXT:     %0 = async.await %arg1 : !async.value<memref<?xf32>>
// CHECK-NEXT:     %1 = async.create_group %arg2 : !async.group
// CHECK-NEXT:     %2 = async.add_to_group %arg0, %1 : !async.token
// CHECK-NEXT:     %3 = async.add_to_group %arg1, %1 : !async.value<memref<?xf32>>
// CHECK-NEXT:     async.await_all %1
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @coroutine() -> !async.coro.handle {
// CHECK-NEXT:     %0 = async.coro.id
// CHECK-NEXT:     %1 = async.coro.begin %0
// CHECK-NEXT:     %2 = async.coro.save %1
// CHECK-NEXT:     async.coro.suspend %2, ^bb3, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     cf.br ^bb2
// CHECK-NEXT:   ^bb2:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     async.coro.free %0, %1
// CHECK-NEXT:     cf.br ^bb3
// CHECK-NEXT:   ^bb3:  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:     async.coro.end %1
// CHECK-NEXT:     return %1 : !async.coro.handle
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @runtime(%arg0: f32, %arg1: !async.coro.handle, %arg2: index) {
// CHECK-NEXT:     %0 = async.runtime.create : !async.token
// CHECK-NEXT:     %1 = async.runtime.create : !async.value<f32>
// CHECK-NEXT:     %2 = async.runtime.create_group %arg2 : !async.group
// CHECK-NEXT:     async.runtime.set_available %0 : !async.token
// CHECK-NEXT:     async.runtime.set_available %1 : !async.value<f32>
// CHECK-NEXT:     async.runtime.set_error %0 : !async.token
// CHECK-NEXT:     async.runtime.set_error %1 : !async.value<f32>
// CHECK-NEXT:     %3 = async.runtime.is_error %0 : !async.token
// CHECK-NEXT:     %4 = async.runtime.is_error %1 : !async.value<f32>
// CHECK-NEXT:     %5 = async.runtime.is_error %2 : !async.group
// CHECK-NEXT:     async.runtime.await %0 : !async.token
// CHECK-NEXT:     async.runtime.await %1 : !async.value<f32>
// CHECK-NEXT:     async.runtime.await %2 : !async.group
// CHECK-NEXT:     async.runtime.await_and_resume %0, %arg1 : !async.token
// CHECK-NEXT:     async.runtime.await_and_resume %1, %arg1 : !async.value<f32>
// CHECK-NEXT:     async.runtime.await_and_resume %2, %arg1 : !async.group
// CHECK-NEXT:     async.runtime.resume %arg1
// CHECK-NEXT:     async.runtime.store %arg0, %1 : <f32>
// CHECK-NEXT:     %6 = async.runtime.load %1 : <f32>
// CHECK-NEXT:     %7 = async.runtime.add_to_group %0, %2 : !async.token
// CHECK-NEXT:     async.runtime.add_ref %0 {count = 1 : i64} : !async.token
// CHECK-NEXT:     async.runtime.add_ref %2 {count = 2 : i64} : !async.group
// CHECK-NEXT:     async.runtime.drop_ref %1 {count = 1 : i64} : !async.value<f32>
// CHECK-NEXT:     %8 = async.runtime.num_worker_threads : index
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
