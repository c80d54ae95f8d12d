// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s -test-nvgpu-mmasync-f32-to-tf32-patterns=precision=tf32 | filecheck %s

// CHECK: nvgpu.mma.sync{{.*}} {mmaShape = [16, 8, 4], tf32Enabled}
func.func @product(%a: vector<2x1xf32>, %b: vector<1x1xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 4]} : (vector<2x1xf32>, vector<1x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  return %d : vector<2x2xf32>
}
