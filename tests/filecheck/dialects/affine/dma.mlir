// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

#twice = affine_map<(d0) -> (d0 * 2)>
// CHECK: module {
// CHECK-NEXT:   func.func @dma(%arg0: memref<100xf32>, %arg1: memref<32xf32, 2>, %arg2: memref<1xi32>, %arg3: index, %arg4: index, %arg5: index) {
// CHECK-NEXT:     affine.for %arg6 = 0 to 4 {
// CHECK-NEXT:       affine.dma_start %arg0[%arg6 + 3], %arg1[%arg6 * 2], %arg2[%arg5], %arg3 : memref<100xf32>, memref<32xf32, 2>, memref<1xi32>
// CHECK-NEXT:       affine.dma_start %arg0[%arg6], %arg1[0], %arg2[0], %arg3, %arg4, %arg3 : memref<100xf32>, memref<32xf32, 2>, memref<1xi32>
// CHECK-NEXT:       affine.dma_wait %arg2[%arg5], %arg3 : memref<1xi32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @dma(%src: memref<100xf32>, %dst: memref<32xf32, 2>, %tag: memref<1xi32>, %n: index, %stride: index, %z: index) {
  affine.for %i = 0 to 4 {
    affine.dma_start %src[%i + 3], %dst[%i * 2], %tag[%z], %n : memref<100xf32>, memref<32xf32, 2>, memref<1xi32>
    affine.dma_start %src[%i], %dst[0], %tag[0], %n, %stride, %n : memref<100xf32>, memref<32xf32, 2>, memref<1xi32>
    affine.dma_wait %tag[%z], %n : memref<1xi32>
  }
  return
}
