// SAME: --memref-expand

func.func @r(%a: memref<?xf32>, %s: memref<3xi32>, %s2: memref<2xindex>) -> (memref<?x?x8xf32>, memref<2x?xf32>) {
 %0 = memref.reshape %a(%s) : (memref<?xf32>, memref<3xi32>) -> memref<?x?x8xf32>
 %1 = memref.reshape %a(%s2) : (memref<?xf32>, memref<2xindex>) -> memref<2x?xf32>
 return %0, %1 : memref<?x?x8xf32>, memref<2x?xf32> }
