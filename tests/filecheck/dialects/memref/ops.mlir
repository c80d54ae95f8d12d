// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

memref.global "private" constant @g1 : memref<2xf32> = dense<[0.0, 1.0]>
memref.global @g2 : memref<2xf32>
memref.global "private" @g4 : memref<8xi32> = sparse<[[1], [3]], [10, 20]>
memref.global "public" @g3 : memref<2xf32> = uninitialized {alignment = 64 : i64}
func.func @f(%a: index, %m: memref<?x?xf32>, %u: memref<*xf32>, %x: f32, %n: memref<4x4xf32, strided<[4, 1], offset: ?>>, %i32: i32, %b : memref<2048xi8>, %sh: memref<1xi32>, %t: memref<1xi32>) {
  %0 = memref.alloc(%a)[%a] {alignment = 8 : i64} : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %1 = memref.alloca() : memref<4xf32>
  memref.alloca_scope { memref.alloca_scope.return }
  %2 = memref.alloca_scope -> f32 { memref.alloca_scope.return %x : f32 }
  %3 = memref.cast %m : memref<?x?xf32> to memref<4x?xf32>
  memref.copy %m, %m : memref<?x?xf32> to memref<?x?xf32>
  %4 = memref.load %m[%a, %a] : memref<?x?xf32>
  %5 = memref.load %m[%a, %a] {nontemporal = true} : memref<?x?xf32>
  memref.store %4, %m[%a, %a] : memref<?x?xf32>
  %6 = memref.subview %m[0, %a] [4, %a] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %7 = memref.reinterpret_cast %u to offset: [%a], sizes: [4, %a], strides: [%a, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %8 = memref.view %b[%a][%a] : memref<2048xi8> to memref<?x4xf32>
  %9 = memref.expand_shape %1 [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  %10 = memref.collapse_shape %9 [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %11 = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  %12 = memref.dim %m, %a : memref<?x?xf32>
  %13 = memref.rank %m : memref<?x?xf32>
  %14 = memref.atomic_rmw addf %x, %m[%a, %a] : (f32, memref<?x?xf32>) -> f32
  %15 = memref.generic_atomic_rmw %m[%a, %a] : memref<?x?xf32> { ^bb0(%c: f32): memref.atomic_yield %c : f32 }
  %16 = memref.reshape %m(%sh) : (memref<?x?xf32>, memref<1xi32>) -> memref<?xf32>
  %17 = memref.realloc %1 : memref<4xf32> to memref<8xf32>
  %18 = memref.realloc %1(%a) {alignment = 8} : memref<4xf32> to memref<?xf32>
  memref.prefetch %m[%a, %a], read, locality<3>, data : memref<?x?xf32>
  %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %19 = memref.assume_alignment %m, 16 : memref<?x?xf32>
  %20 = memref.get_global @g1 : memref<2xf32>
  %21 = memref.extract_aligned_pointer_as_index %m : memref<?x?xf32> -> index
  %22 = memref.memory_space_cast %1 : memref<4xf32> to memref<4xf32, 3>
  memref.dma_start %1[%a], %22[%a], %a, %sh[%a] : memref<4xf32>, memref<4xf32, 3>, memref<1xi32>
  memref.dma_start %1[%a], %22[%a], %a, %sh[%a], %a, %a : memref<4xf32>, memref<4xf32, 3>, memref<1xi32>
  memref.dma_wait %sh[%a], %a : memref<1xi32>
  %23:2 = memref.distinct_objects %1, %1 : memref<4xf32>, memref<4xf32>
  memref.dealloc %0 : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return
}

// CHECK: #map = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   memref.global "private" constant @g1 : memref<2xf32> = dense<[0.000000e+00, 1.000000e+00]>
// CHECK-NEXT:   memref.global @g2 : memref<2xf32>
// CHECK-NEXT:   memref.global "private" @g4 : memref<8xi32> = sparse<{{\[\[1\], \[3\]\], \[10, 20\]}}>
// CHECK-NEXT:   memref.global "public" @g3 : memref<2xf32> = uninitialized {alignment = 64 : i64}
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<*xf32>, %arg3: f32, %arg4: memref<4x4xf32, strided<[4, 1], offset: ?>>, %arg5: i32, %arg6: memref<2048xi8>, %arg7: memref<1xi32>, %arg8: memref<1xi32>) {
// CHECK-NEXT:     %alloc = memref.alloc(%arg0)[%arg0] {alignment = 8 : i64} : memref<?xf32, #map>
// CHECK-NEXT:     %alloca = memref.alloca() : memref<4xf32>
// CHECK-NEXT:     memref.alloca_scope  {
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = memref.alloca_scope  -> (f32) {
// CHECK-NEXT:       memref.alloca_scope.return %arg3 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %cast = memref.cast %arg1 : memref<?x?xf32> to memref<4x?xf32>
// CHECK-NEXT:     memref.copy %arg1, %arg1 : memref<?x?xf32> to memref<?x?xf32>
// CHECK-NEXT:     %1 = memref.load %arg1[%arg0, %arg0] : memref<?x?xf32>
// CHECK-NEXT:     %2 = memref.load %arg1[%arg0, %arg0] {nontemporal = true} : memref<?x?xf32>
// CHECK-NEXT:     memref.store %1, %arg1[%arg0, %arg0] : memref<?x?xf32>
// CHECK-NEXT:     %subview = memref.subview %arg1[0, %arg0] [4, %arg0] [1, 1] : memref<?x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %arg2 to offset: [%arg0], sizes: [4, %arg0], strides: [%arg0, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:     %view = memref.view %arg6[%arg0][%arg0] : memref<2048xi8> to memref<?x4xf32>
// CHECK-NEXT:     %expand_shape = memref.expand_shape %alloca {{\[\[}}0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
// CHECK-NEXT:     %collapse_shape = memref.collapse_shape %expand_shape {{\[\[}}0, 1]] : memref<2x2xf32> into memref<4xf32>
// CHECK-NEXT:     %transpose = memref.transpose %arg1 (d0, d1) -> (d1, d0) : memref<?x?xf32> to memref<?x?xf32, #map1>
// CHECK-NEXT:     %dim = memref.dim %arg1, %arg0 : memref<?x?xf32>
// CHECK-NEXT:     %3 = memref.rank %arg1 : memref<?x?xf32>
// CHECK-NEXT:     %4 = memref.atomic_rmw addf %arg3, %arg1[%arg0, %arg0] : (f32, memref<?x?xf32>) -> f32
// CHECK-NEXT:     %5 = memref.generic_atomic_rmw %arg1[%arg0, %arg0] : memref<?x?xf32> {
// CHECK-NEXT:     ^bb0(%arg9: f32):
// CHECK-NEXT:       memref.atomic_yield %arg9 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %reshape = memref.reshape %arg1(%arg7) : (memref<?x?xf32>, memref<1xi32>) -> memref<?xf32>
// CHECK-NEXT:     %6 = memref.realloc %alloca : memref<4xf32> to memref<8xf32>
// CHECK-NEXT:     %7 = memref.realloc %alloca(%arg0) {alignment = 8 : i64} : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:     memref.prefetch %arg1[%arg0, %arg0], read, locality<3>, data : memref<?x?xf32>
// CHECK-NEXT:     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:     %assume_align = memref.assume_alignment %arg1, 16 : memref<?x?xf32>
// CHECK-NEXT:     %8 = memref.get_global @g1 : memref<2xf32>
// CHECK-NEXT:     %intptr = memref.extract_aligned_pointer_as_index %arg1 : memref<?x?xf32> -> index
// CHECK-NEXT:     %memspacecast = memref.memory_space_cast %alloca : memref<4xf32> to memref<4xf32, 3>
// CHECK-NEXT:     memref.dma_start %alloca[%arg0], %memspacecast[%arg0], %arg0, %arg7[%arg0] : memref<4xf32>, memref<4xf32, 3>, memref<1xi32>
// CHECK-NEXT:     memref.dma_start %alloca[%arg0], %memspacecast[%arg0], %arg0, %arg7[%arg0], %arg0, %arg0 : memref<4xf32>, memref<4xf32, 3>, memref<1xi32>
// CHECK-NEXT:     memref.dma_wait %arg7[%arg0], %arg0 : memref<1xi32>
// CHECK-NEXT:     %9:2 = memref.distinct_objects %alloca, %alloca : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:     memref.dealloc %alloc : memref<?xf32, #map>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
