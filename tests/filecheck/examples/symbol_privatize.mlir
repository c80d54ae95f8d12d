// Functions become private, but for those that are named.
// RUN: xgpu-opt %s --symbol-privatize=exclude=f | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @g() {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @g() {
  return
}
// CHECK-NEXT:   func.func @f() {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() {
  return
}
