// SAME: --finalize-memref-to-llvm=use-generic-functions=1
func.func @allocate(%n: index, %u: memref<*xf32>) {
  %0 = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  memref.dealloc %u : memref<*xf32>
  return
}
