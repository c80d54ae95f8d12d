// SAME: --finalize-memref-to-llvm --reconcile-unrealized-casts

func.func @copy(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<?x4xf32>, %e: memref<4x4xf32, strided<[8,1], offset: ?>>, %u: memref<*xf32>, %v: memref<*xf32>) {
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32>
  memref.copy %c, %c : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %a, %e : memref<4x4xf32> to memref<4x4xf32, strided<[8,1], offset: ?>>
  memref.copy %u, %v : memref<*xf32> to memref<*xf32>
  return
}
// -----
memref.global "private" constant @g : memref<2x2xf32> = dense<[[1.0, 2.0],[3.0,4.0]]> {alignment = 64}
memref.global @g2 : memref<2xf32, 3>
memref.global @g3 : memref<2xf32> = uninitialized
memref.global "private" @g4 : memref<f32> = dense<1.0>
memref.global "private" @g5 : memref<i32> = dense<1>
func.func @gl() {
  %0 = memref.get_global @g : memref<2x2xf32>
  %1 = memref.get_global @g2 : memref<2xf32, 3>
  %2 = memref.get_global @g4 : memref<f32>
  return
}
// -----
func.func @rc(%a: memref<4x4xf32>, %o: index, %s: index, %u: memref<*xf32>, %sh: memref<2xindex>, %shd: memref<?xindex>) {
  %0 = memref.reinterpret_cast %a to offset: [%o], sizes: [%s, 2], strides: [4, %s] : memref<4x4xf32> to memref<?x2xf32, strided<[4, ?], offset: ?>>
  %1 = memref.reinterpret_cast %u to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32>
  %2 = memref.reshape %a(%sh) : (memref<4x4xf32>, memref<2xindex>) -> memref<?x?xf32>
  %3 = memref.reshape %a(%shd) : (memref<4x4xf32>, memref<?xindex>) -> memref<*xf32>
  %b, %of, %sz:2, %st:2 = memref.extract_strided_metadata %a : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
  %p = memref.extract_aligned_pointer_as_index %a : memref<4x4xf32> -> index
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, affine_map<(i,j)->(j*4+i)>>
  %ms = memref.memory_space_cast %a : memref<4x4xf32> to memref<4x4xf32, 1>
  %mu = memref.memory_space_cast %u : memref<*xf32> to memref<*xf32, 1>
  return
}
// -----
func.func @scope(%a: i32) -> i32 {
  %0 = memref.alloca_scope -> (i32) {
     memref.alloca_scope.return %a : i32
  }
  memref.alloca_scope {
     memref.alloca_scope.return
  }
  return %0 : i32
}
// -----
func.func @sub(%a: memref<64x4xf32, strided<[4,1]>>, %o: index) {
  %0 = memref.subview %a[%o, 0][2, 2][1, 1] : memref<64x4xf32, strided<[4,1]>> to memref<2x2xf32, strided<[4,1], offset: ?>>
  return
}
// -----
func.func @rm(%o: index, %i: memref<10xi32>, %u: memref<*xi32>) {
  %g = memref.generic_atomic_rmw %i[%o] : memref<10xi32> {
    ^bb0(%c : i32):
      %e = llvm.add %c, %c : i32
      memref.atomic_yield %e : i32
  }
  "t.t"(%g) : (i32) -> ()
  memref.dealloc %u : memref<*xi32>
  %p = memref.extract_aligned_pointer_as_index %u : memref<*xi32> -> index
  return
}
// -----
func.func @al(%o: index) {
  %p = memref.alloc() : memref<vector<4xf32>>
  %0 = memref.alloc() : memref<4xmemref<?xf32>>
  %1 = memref.alloca() : memref<4xf32, 5>
  return
}
