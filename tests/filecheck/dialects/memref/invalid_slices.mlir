// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Subviews that leave what they view, in MLIR's words.

func.func @f(%t: memref<10xf32>) {
// expected-error @+1 {{offset 0 is out-of-bounds: 10 >= 10}}
  %0 = memref.subview %t[10] [0] [1] : memref<10xf32> to memref<0xf32, strided<[1], offset: 10>>
  return
}

// -----

func.func @f(%t: memref<0xf32>) {
// expected-error @+1 {{offset 0 is out-of-bounds: 0 >= 0}}
  %0 = memref.subview %t[0] [0] [1] : memref<0xf32> to memref<0xf32>
  return
}

// -----

func.func @f(%t: memref<10xf32>) {
// expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 11 >= 10}}
  %0 = memref.subview %t[9] [3] [1] : memref<10xf32> to memref<3xf32, strided<[1], offset: 9>>
  return
}

// -----

func.func @f(%t: memref<10x?xf32>, %i: index) {
// expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 10 >= 10}}
  %0 = memref.subview %t[8, %i] [2, 4] [2, 1] : memref<10x?xf32> to memref<2x4xf32, strided<[?, 1], offset: ?>>
  return
}
