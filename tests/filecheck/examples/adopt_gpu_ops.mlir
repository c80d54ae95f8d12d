// Operations of xDSL's own classes become those of xgpu. In xgpu's tools they are xgpu's from the start.
// RUN: xgpu-opt %s --adopt-gpu-ops | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: !gpu.async.token) {
// CHECK-NEXT:     gpu.wait [%arg0]
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%t: !gpu.async.token) {
  gpu.wait [%t]
  return
}
