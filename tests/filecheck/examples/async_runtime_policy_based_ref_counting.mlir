// A token is released behind the question whether it has an error.
// RUN: xgpu-opt %s --async-runtime-policy-based-ref-counting | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: !async.token) -> i1 {
// CHECK-NEXT:     %0 = async.runtime.is_error %arg0 : !async.token
// CHECK-NEXT:     async.runtime.drop_ref %arg0 {count = 1 : i64} : !async.token
// CHECK-NEXT:     return %0 : i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%t: !async.token) -> i1 {
  %0 = async.runtime.is_error %t : !async.token
  return %0 : i1
}
