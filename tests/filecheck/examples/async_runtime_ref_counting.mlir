// A token that the function creates is released behind its last use.
// RUN: xgpu-opt %s --async-runtime-ref-counting | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f() {
// CHECK-NEXT:     %0 = async.runtime.create : !async.token
// CHECK-NEXT:     async.runtime.await %0 : !async.token
// CHECK-NEXT:     async.runtime.drop_ref %0 {count = 1 : i64} : !async.token
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() {
  %0 = async.runtime.create : !async.token
  async.runtime.await %0 : !async.token
  return
}
