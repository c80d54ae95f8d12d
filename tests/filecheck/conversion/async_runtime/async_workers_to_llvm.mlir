// RUN: xgpu-opt %s --convert-async-to-llvm | filecheck %s

// The number of workers.

func.func @workers() -> index {
  %n = async.runtime.num_worker_threads : index
  return %n : index
}

// CHECK: module {
// CHECK-NEXT:   func.func @workers() -> index {
// CHECK-NEXT:     %0 = call @mlirAsyncRuntimGetNumWorkerThreads() : () -> index
// CHECK-NEXT:     return %0 : index
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
