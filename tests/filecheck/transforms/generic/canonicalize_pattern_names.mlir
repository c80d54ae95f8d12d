// RUN: xgpu-opt --canonicalize="disable-patterns=simplify_wait" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --canonicalize="enable-patterns=simplify_wait" %s | filecheck %s --match-full-lines --check-prefix=ENABLED

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: !gpu.async.token, %arg1: memref<f32>) -> !gpu.async.token {
// CHECK-NEXT:     %0 = gpu.wait async
// CHECK-NEXT:     %1 = gpu.wait async [%arg0]
// CHECK-NEXT:     %2 = gpu.wait async [%1]
// CHECK-NEXT:     return %2 : !gpu.async.token
// CHECK-NEXT:   }
// CHECK-NEXT: }
// ENABLED: module {
// ENABLED-NEXT:   func.func @f(%arg0: !gpu.async.token, %arg1: memref<f32>) -> !gpu.async.token {
// ENABLED-NEXT:     %0 = gpu.wait async
// ENABLED-NEXT:     %1 = gpu.wait async [%arg0, %0]
// ENABLED-NEXT:     return %1 : !gpu.async.token
// ENABLED-NEXT:   }
// ENABLED-NEXT: }
func.func @f(%t: !gpu.async.token, %m: memref<f32>) -> !gpu.async.token {
  %0 = gpu.wait async
  %1 = gpu.wait async [%t, %0]
  %2 = gpu.wait async [%1]
  return %2 : !gpu.async.token
}
