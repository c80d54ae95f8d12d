// RUN: xgpu-opt %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @nowhere(%arg0: !llvm.ptr) {
// CHECK-NEXT:     llvm.indirectbr %arg0 : !llvm.ptr, []
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @nowhere(%a: !llvm.ptr) {
  llvm.indirectbr %a : !llvm.ptr, []
}
