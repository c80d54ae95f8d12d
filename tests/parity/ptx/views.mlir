gpu.func @k(%A: memref<64x64xf32>, %n: index) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %v = memref.subview %A[%n, 8] [16, 16] [1, 2]
    : memref<64x64xf32> to memref<16x16xf32, strided<[64, 2], offset: ?>>
  %x = memref.load %v[%t, %c0] : memref<16x16xf32, strided<[64, 2], offset: ?>>
  %f = memref.collapse_shape %A [[0, 1]] : memref<64x64xf32> into memref<4096xf32>
  memref.store %x, %f[%t] : memref<4096xf32>
  %d = memref.dim %A, %c0 : memref<64x64xf32>
  %r = memref.reinterpret_cast %A to offset: [%n], sizes: [8, 8], strides: [8, 1]
    : memref<64x64xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
  %y = memref.load %r[%c0, %t] : memref<8x8xf32, strided<[8, 1], offset: ?>>
  memref.store %y, %f[%d] : memref<4096xf32>
  gpu.return
}
