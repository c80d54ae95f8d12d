// RUN: xgpu-opt %s --test-memref-to-llvm-with-transforms | filecheck %s

// CHECK-LABEL: llvm.func @part
// CHECK: llvm.getelementptr
// CHECK-NOT: memref.subview
// CHECK: llvm.return
func.func @part(%m: memref<8x4xf32>, %i: index, %j: index, %x: f32) {
  %s = memref.subview %m[2, 1] [4, 2] [1, 1] : memref<8x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 9>>
  memref.store %x, %s[%i, %j] : memref<4x2xf32, strided<[4, 1], offset: 9>>
  return
}
