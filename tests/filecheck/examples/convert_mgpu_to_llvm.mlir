// Operations of the runtime become calls of its functions.
// RUN: xgpu-opt %s --convert-mgpu-to-llvm | filecheck %s --match-full-lines

func.func @f() {
  %s = mgpu.stream_create
  mgpu.stream_synchronize %s
  mgpu.stream_destroy %s
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @f() {
// CHECK-NEXT:     %0 = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
// CHECK-NEXT:     llvm.call @mgpuStreamSynchronize(%0) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.call @mgpuStreamDestroy(%0) : (!llvm.ptr) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @mgpuStreamCreate() -> !llvm.ptr
// CHECK-NEXT:   llvm.func @mgpuStreamSynchronize(!llvm.ptr)
// CHECK-NEXT:   llvm.func @mgpuStreamDestroy(!llvm.ptr)
// CHECK-NEXT: }
