// A reference that is added and dropped around one use is not counted.
// RUN: xgpu-opt %s --async-runtime-ref-counting-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @use(!async.token)
func.func private @use(!async.token)
// CHECK-NEXT:   func.func @f(%arg0: !async.token) {
// CHECK-NEXT:     call @use(%arg0) : (!async.token) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%t: !async.token) {
  async.runtime.add_ref %t {count = 1 : i64} : !async.token
  call @use(%t) : (!async.token) -> ()
  async.runtime.drop_ref %t {count = 1 : i64} : !async.token
  return
}
