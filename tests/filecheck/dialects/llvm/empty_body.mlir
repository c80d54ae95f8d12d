// RUN: xgpu-opt %s | filecheck %s

// CHECK: llvm.func @nothing()
// CHECK-NOT: {
llvm.func @nothing() {
}
