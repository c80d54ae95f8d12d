// RUN: xgpu-opt %s -pass-pipeline='builtin.module(func.func(nvgpu-optimize-shared-memory))' | filecheck %s

// CHECK-LABEL: func.func @permuted(
// CHECK-SAME:    %{{.*}}: vector<8xf16>, %[[ROW:.*]]: index, %[[COLUMN:.*]]: index)
// CHECK:       %[[MASK:.*]] = arith.constant 6 : index
// CHECK:       %[[BITS:.*]] = arith.andi %[[ROW]], %[[MASK]]
// CHECK:       %[[SHIFT:.*]] = arith.constant 2 : index
// CHECK:       %[[VECTOR:.*]] = arith.shli %[[BITS]], %[[SHIFT]]
// CHECK:       %[[PLACE:.*]] = arith.xori %[[COLUMN]], %[[VECTOR]]
// CHECK:       vector.store %{{.*}}, %{{.*}}[%[[ROW]], %[[PLACE]]]
// CHECK:       %[[PLACE:.*]] = arith.xori %[[COLUMN]]
// CHECK:       nvgpu.ldmatrix %{{.*}}[%[[ROW]], %[[PLACE]]]
func.func @permuted(%v: vector<8xf16>, %row: index, %column: index) -> vector<4x2xf16> {
  %m = memref.alloc() : memref<128x32xf16, 3>
  vector.store %v, %m[%row, %column] : memref<128x32xf16, 3>, vector<8xf16>
  %r = nvgpu.ldmatrix %m[%row, %column] {numTiles = 4 : i32, transpose = false} : memref<128x32xf16, 3> -> vector<4x2xf16>
  return %r : vector<4x2xf16>
}

// Eight rows of 16 bytes are a line: they need no permutation.
// CHECK-LABEL: func.func @short_rows
// CHECK-NOT:   arith.xori
func.func @short_rows(%x: f32, %row: index, %column: index) -> f32 {
  %m = memref.alloc() : memref<128x4xf32, 3>
  memref.store %x, %m[%row, %column] : memref<128x4xf32, 3>
  %r = memref.load %m[%row, %column] : memref<128x4xf32, 3>
  return %r : f32
}
