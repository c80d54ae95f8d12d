// SAME: --expand-realloc
func.func @a(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.realloc %m(%n) {alignment = 8} : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @b(%m: memref<2xf32>) -> memref<4xf32> {
  %0 = memref.realloc %m : memref<2xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}
func.func @c(%m: memref<2xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.realloc %m(%n) : memref<2xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}
func.func @d(%m: memref<?xf32>) -> memref<4xf32> {
  %0 = memref.realloc %m : memref<?xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}
