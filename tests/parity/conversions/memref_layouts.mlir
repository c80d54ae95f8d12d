// SAME: --finalize-memref-to-llvm

func.func @ldst(%m: memref<?x4xf32, strided<[?, 1], offset: ?>>, %s: memref<8x16xf32>, %d: memref<?x?xf32>, %z: memref<f32>, %i: index, %j: index) {
  %0 = memref.load %m[%i, %j] : memref<?x4xf32, strided<[?, 1], offset: ?>>
  memref.store %0, %s[%i, %j] {nontemporal = true} : memref<8x16xf32>
  %1 = memref.load %d[%i, %j] {alignment = 16} : memref<?x?xf32>
  %2 = memref.load %z[] : memref<f32>
  return
}
// -----
func.func @off(%m: memref<4x4xf32, strided<[8, 2], offset: 3>>,  %i: index, %j: index) {
  %0 = memref.load %m[%i, %j] : memref<4x4xf32, strided<[8, 2], offset: 3>>
  return
}
// -----
func.func @alloc(%i: index) {
  %0 = memref.alloc(%i) : memref<4x?x8xf32>
  %1 = memref.alloc() {alignment = 64} : memref<4xf32, 3>
  %2 = memref.alloca(%i) : memref<?xf32>
  %3 = memref.alloca() {alignment = 32}: memref<4x2xf32>
  %4 = memref.alloc() : memref<f32>
  memref.dealloc %0 : memref<4x?x8xf32>

  return
}
// -----
func.func @dim(%m: memref<?x4xf32>, %u: memref<*xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %0 = memref.dim %m, %c0 : memref<?x4xf32>
  %1 = memref.dim %m, %i : memref<?x4xf32>
  %2 = memref.dim %u, %i : memref<*xf32>
  %3 = memref.rank %u : memref<*xf32>
  %4 = memref.cast %m : memref<?x4xf32> to memref<*xf32>
  %5 = memref.cast %u : memref<*xf32> to memref<4xf32>
  %6 = memref.cast %m : memref<?x4xf32> to memref<?x?xf32>
  %7 = memref.cast %m : memref<?x4xf32> to memref<?x4xf32, strided<[?,1], offset: ?>>
  return
}
