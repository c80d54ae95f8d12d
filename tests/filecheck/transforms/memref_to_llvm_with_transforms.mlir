// RUN: xgpu-opt %s --test-memref-to-llvm-with-transforms | filecheck %s

// What takes and returns memrefs is converted; views and accesses need not be.
// CHECK-LABEL: llvm.func @part
// CHECK: %[[M:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to memref<8x4xf32>
// CHECK: %[[S:.*]] = memref.subview %[[M]][2, 1] [4, 2] [1, 1]
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: llvm.return
func.func @part(%m: memref<8x4xf32>, %i: index, %j: index, %x: f32) {
  %s = memref.subview %m[2, 1] [4, 2] [1, 1] : memref<8x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 9>>
  memref.store %x, %s[%i, %j] : memref<4x2xf32, strided<[4, 1], offset: 9>>
  return
}
