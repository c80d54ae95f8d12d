// RUN: xgpu-opt %s --lower-affine | filecheck %s

// CHECK-LABEL: func.func @copy
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: memref.dma_start %{{.*}}[%[[I]]], %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}}[%{{.*}}] : memref<64xf32>, memref<64xf32, 3>, memref<1xi32>
// CHECK: memref.dma_wait %{{.*}}[%{{.*}}], %{{.*}} : memref<1xi32>
func.func @copy(%a: memref<64xf32>, %b: memref<64xf32, 3>, %t: memref<1xi32>, %i: index) {
  %n = arith.constant 32 : index
  %z = arith.constant 0 : index
  affine.dma_start %a[%i + 4], %b[%i], %t[%z], %n : memref<64xf32>, memref<64xf32, 3>, memref<1xi32>
  affine.dma_wait %t[%z], %n : memref<1xi32>
  return
}
