// The pass proves that a stream is used while it lives, and reports where not. A right program stays as it is.
// RUN: xgpu-opt %s --mgpu-verify-lifetimes | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f() {
// CHECK-NEXT:     %0 = mgpu.stream_create
// CHECK-NEXT:     mgpu.stream_synchronize %0
// CHECK-NEXT:     mgpu.stream_destroy %0
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() {
  %s = mgpu.stream_create
  mgpu.stream_synchronize %s
  mgpu.stream_destroy %s
  return
}
