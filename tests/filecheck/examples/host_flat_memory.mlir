// All memory is in one address space.
// RUN: xgpu-opt %s --host-flat-memory | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @f(%arg0: !llvm.ptr) -> i32 {
// CHECK-NEXT:     %0 = llvm.load %arg0 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
module {
  llvm.func @f(%p: !llvm.ptr<3>) -> i32 {
    %0 = llvm.load %p : !llvm.ptr<3> -> i32
    llvm.return %0 : i32
  }
}
