// SAME: --fold-memref-alias-ops

func.func @sub(%a: memref<12x32xf32>, %i: index, %j: index, %k: index, %x: f32, %p: f32) -> (f32, vector<4xf32>, vector<4xf32>) {
  %s = memref.subview %a[%i, 4][4, 4][2, 3] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 3], offset: ?>>
  %0 = memref.load %s[%j, %k] : memref<4x4xf32, strided<[64, 3], offset: ?>>
  memref.store %x, %s[%j, %k] : memref<4x4xf32, strided<[64, 3], offset: ?>>
  %t = memref.subview %a[%i, %j][4, 4][1, 1] : memref<12x32xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
  %v = vector.load %t[%j, %k] : memref<4x4xf32, strided<[32, 1], offset: ?>>, vector<4xf32>
  %w = vector.transfer_read %t[%j, %k], %p {in_bounds = [true]} : memref<4x4xf32, strided<[32, 1], offset: ?>>, vector<4xf32>
  return %0, %v, %w : f32, vector<4xf32>, vector<4xf32>
}
func.func @red(%a: memref<12x32xf32>, %i: index, %k: index) -> f32 {
  %s = memref.subview %a[%i, 0][1, 32][1, 1] : memref<12x32xf32> to memref<32xf32, strided<[1], offset: ?>>
  %0 = memref.load %s[%k] : memref<32xf32, strided<[1], offset: ?>>
  return %0 : f32
}
func.func @ex(%a: memref<12x32xf32>, %i: index, %j: index, %k: index) -> (f32, f32) {
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [3, 4, 32] : memref<12x32xf32> into memref<3x4x32xf32>
  %0 = memref.load %e[%i, %j, %k] : memref<3x4x32xf32>
  %c = memref.collapse_shape %a [[0, 1]] : memref<12x32xf32> into memref<384xf32>
  %1 = memref.load %c[%k] : memref<384xf32>
  return %0, %1 : f32, f32
}
func.func @subsub(%a: memref<12x32xf32>, %i: index, %j: index) -> memref<2x2xf32, strided<[32, 1], offset: ?>> {
  %s = memref.subview %a[%i, 4][4, 4][1, 1] : memref<12x32xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
  %t = memref.subview %s[%j, 1][2, 2][1, 1] : memref<4x4xf32, strided<[32, 1], offset: ?>> to memref<2x2xf32, strided<[32, 1], offset: ?>>
  return %t : memref<2x2xf32, strided<[32, 1], offset: ?>>
}
