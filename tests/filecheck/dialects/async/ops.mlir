// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// CHECK-LABEL: func.func @execute
func.func @execute(%a: !async.token, %b: !async.value<f32>) -> !async.value<f32> {
  // CHECK: %[[TOKEN:.*]], %[[RESULTS:.*]] = async.execute [%{{.*}}] (%{{.*}} as %[[B:.*]]: !async.value<f32>) -> !async.value<f32> {
  %token, %result = async.execute [%a] (%b as %unwrapped: !async.value<f32>) -> !async.value<f32> {
    // CHECK: async.yield %[[B]] : f32
    async.yield %unwrapped : f32
  }
  // CHECK: async.await %[[TOKEN]] : !async.token
  async.await %token : !async.token
  // CHECK: return %[[RESULTS]] : !async.value<f32>
  return %result : !async.value<f32>
}
