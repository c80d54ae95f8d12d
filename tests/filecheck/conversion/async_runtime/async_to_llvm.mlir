// RUN: xgpu-opt %s --convert-async-to-llvm | filecheck %s

// CHECK-LABEL: func.func @runtime
// CHECK-SAME: (%[[T:.*]]: !llvm.ptr, %[[N:.*]]: index) -> f32
func.func @runtime(%t: !async.token, %n: index) -> f32 {
  // CHECK: %[[SIZE:.*]] = builtin.unrealized_conversion_cast %[[N]] : index to i64
  // CHECK: %[[G:.*]] = call @mlirAsyncRuntimeCreateGroup(%[[SIZE]]) : (i64) -> !llvm.ptr
  %g = async.runtime.create_group %n : !async.group
  // CHECK: call @mlirAsyncRuntimeAddTokenToGroup(%[[T]], %[[G]]) : (!llvm.ptr, !llvm.ptr) -> i64
  %r = async.runtime.add_to_group %t, %g : !async.token
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[NULL]][1] : (!llvm.ptr) -> !llvm.ptr, f32
  // CHECK: %[[BYTES:.*]] = llvm.ptrtoint %[[NEXT]] : !llvm.ptr to i64
  // CHECK: %[[V:.*]] = call @mlirAsyncRuntimeCreateValue(%[[BYTES]])
  %v = async.runtime.create : !async.value<f32>
  // CHECK: call @mlirAsyncRuntimeAwaitAllInGroup(%[[G]])
  async.runtime.await %g : !async.group
  // CHECK: call @mlirAsyncRuntimeIsTokenError(%[[T]]) : (!llvm.ptr) -> i1
  %e = async.runtime.is_error %t : !async.token
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: call @mlirAsyncRuntimeDropRef(%[[T]], %[[ONE]])
  async.runtime.drop_ref %t {count = 1 : i64} : !async.token
  // CHECK: %[[S:.*]] = call @mlirAsyncRuntimeGetValueStorage(%[[V]])
  // CHECK: llvm.load %[[S]] : !llvm.ptr -> f32
  %l = async.runtime.load %v : !async.value<f32>
  return %l : f32
}

// CHECK-LABEL: func.func @coroutine
// CHECK: llvm.intr.coro.id
// CHECK: llvm.intr.coro.size : i64
// CHECK: llvm.intr.coro.align : i64
// CHECK: llvm.call @aligned_alloc
// CHECK: %[[H:.*]] = llvm.intr.coro.begin
// CHECK: %[[SAVED:.*]] = llvm.intr.coro.save %[[H]]
// CHECK: %[[RESUME:.*]] = llvm.mlir.addressof @__resume : !llvm.ptr
// CHECK: call @mlirAsyncRuntimeExecute(%[[H]], %[[RESUME]])
// CHECK: %[[CODE:.*]] = llvm.intr.coro.suspend %[[SAVED]]
// CHECK: llvm.sext %[[CODE]] : i8 to i32
// CHECK: llvm.switch
// CHECK: llvm.intr.coro.free
// CHECK: llvm.call @free
// CHECK: llvm.intr.coro.end
func.func @coroutine() {
  %id = async.coro.id
  %h = async.coro.begin %id
  %s = async.coro.save %h
  async.runtime.resume %h
  async.coro.suspend %s, ^suspend, ^resume, ^cleanup
^resume:
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %h
  cf.br ^suspend
^suspend:
  async.coro.end %h
  return
}

// CHECK: func.func private @mlirAsyncRuntimeAddRef(!llvm.ptr, i64)
// CHECK: func.func private @mlirAsyncRuntimGetNumWorkerThreads() -> index
// CHECK: llvm.func @__resume(%[[ARG:.*]]: !llvm.ptr)
// CHECK: llvm.intr.coro.resume %[[ARG]] : !llvm.ptr
