// SAME: '--finalize-memref-to-llvm=use-aligned-alloc=1 use-generic-functions=1 index-bitwidth=32'
func.func @allocate(%n: index) {
  %0 = memref.alloc(%n) : memref<?x3xf32>
  %1 = memref.alloc() {alignment = 64} : memref<5xf64>
  %2 = memref.alloc() : memref<3xvector<4xf32>>
  memref.dealloc %0 : memref<?x3xf32>
  memref.dealloc %1 : memref<5xf64>
  memref.dealloc %2 : memref<3xvector<4xf32>>
  return
}
func.func @stack(%n: index) {
  %0 = memref.alloca(%n) {alignment = 32} : memref<?xi8>
  memref.alloca_scope {
    %1 = memref.alloca() : memref<4xf32>
    memref.alloca_scope.return
  }
  return
}
