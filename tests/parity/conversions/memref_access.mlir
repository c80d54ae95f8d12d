// SAME: --finalize-memref-to-llvm

func.func @view(%a: memref<2048xi8>, %o: index, %s: index, %f: memref<10xf32>, %i: memref<10xi32>, %x: f32, %y: i32) {
  %0 = memref.view %a[%o][%s] : memref<2048xi8> to memref<?x4xf32>
  %1 = memref.view %a[%o][] : memref<2048xi8> to memref<64x4xf32>
  %2 = memref.atomic_rmw addf %x, %f[%o] : (f32, memref<10xf32>) -> f32
  %3 = memref.atomic_rmw maxs %y, %i[%o] : (i32, memref<10xi32>) -> i32
  memref.prefetch %f[%o], read, locality<3>, data : memref<10xf32>
  %g = memref.generic_atomic_rmw %i[%o] : memref<10xi32> {
    ^bb0(%c : i32):
      %e = arith.addi %c, %c : i32
      memref.atomic_yield %e : i32
  }
  %al = memref.assume_alignment %f, 16 : memref<10xf32>
  %q = memref.load %al[%o] : memref<10xf32>
  return
}
