// Operations of the async runtime become calls of its functions.
// RUN: xgpu-opt %s --convert-async-to-llvm | filecheck %s --match-full-lines

func.func @f() {
  %0 = async.runtime.create : !async.token
  async.runtime.await %0 : !async.token
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @f() {
// CHECK-NEXT:     %0 = call @mlirAsyncRuntimeCreateToken() : () -> !llvm.ptr
// CHECK-NEXT:     call @mlirAsyncRuntimeAwaitToken(%0) : (!llvm.ptr) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeAddRef(!llvm.ptr, i64)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeDropRef(!llvm.ptr, i64)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeCreateToken() -> !llvm.ptr
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeCreateValue(i64) -> !llvm.ptr
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeCreateGroup(i64) -> !llvm.ptr
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeEmplaceToken(!llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeEmplaceValue(!llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeSetTokenError(!llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeSetValueError(!llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeIsTokenError(!llvm.ptr) -> i1
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeIsValueError(!llvm.ptr) -> i1
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeIsGroupError(!llvm.ptr) -> i1
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeAwaitToken(!llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeAwaitValue(!llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeAwaitAllInGroup(!llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeExecute(!llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeGetValueStorage(!llvm.ptr) -> !llvm.ptr
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeAddTokenToGroup(!llvm.ptr, !llvm.ptr) -> i64
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeAwaitTokenAndExecute(!llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeAwaitValueAndExecute(!llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimeAwaitAllInGroupAndExecute(!llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK-NEXT:   func.func private @mlirAsyncRuntimGetNumWorkerThreads() -> index
// CHECK-NEXT: }
