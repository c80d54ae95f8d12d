// RUN: xgpu-opt --convert-linalg-to-affine-loops %s | filecheck %s --match-full-lines --check-prefix=AFFINE
// RUN: xgpu-opt --convert-linalg-to-parallel-loops %s | filecheck %s --match-full-lines --check-prefix=PARALLEL
// RUN: xgpu-opt --convert-linalg-to-loops %s | filecheck %s --match-full-lines --check-prefix=LOOPS

// AFFINE: module {
// AFFINE-NEXT:   func.func @matmul(%arg0: memref<4x?xf32>, %arg1: memref<?x16xf32>, %arg2: memref<4x16xf32>) {
// AFFINE-NEXT:     %c1 = arith.constant 1 : index
// AFFINE-NEXT:     %dim = memref.dim %arg0, %c1 : memref<4x?xf32>
// AFFINE-NEXT:     affine.for %arg3 = 0 to 4 {
// AFFINE-NEXT:       affine.for %arg4 = 0 to 16 {
// AFFINE-NEXT:         affine.for %arg5 = 0 to %dim {
// AFFINE-NEXT:           %0 = affine.load %arg0[%arg3, %arg5] : memref<4x?xf32>
// AFFINE-NEXT:           %1 = affine.load %arg1[%arg5, %arg4] : memref<?x16xf32>
// AFFINE-NEXT:           %2 = affine.load %arg2[%arg3, %arg4] : memref<4x16xf32>
// AFFINE-NEXT:           %3 = arith.mulf %0, %1 : f32
// AFFINE-NEXT:           %4 = arith.addf %2, %3 : f32
// AFFINE-NEXT:           affine.store %4, %arg2[%arg3, %arg4] : memref<4x16xf32>
// AFFINE-NEXT:         }
// AFFINE-NEXT:       }
// AFFINE-NEXT:     }
// AFFINE-NEXT:     return
// AFFINE-NEXT:   }
// PARALLEL: module {
// PARALLEL-NEXT:   func.func @matmul(%arg0: memref<4x?xf32>, %arg1: memref<?x16xf32>, %arg2: memref<4x16xf32>) {
// PARALLEL-NEXT:     %c16 = arith.constant 16 : index
// PARALLEL-NEXT:     %c4 = arith.constant 4 : index
// PARALLEL-NEXT:     %c0 = arith.constant 0 : index
// PARALLEL-NEXT:     %c1 = arith.constant 1 : index
// PARALLEL-NEXT:     %dim = memref.dim %arg0, %c1 : memref<4x?xf32>
// PARALLEL-NEXT:     scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c4, %c16) step (%c1, %c1) {
// PARALLEL-NEXT:       scf.for %arg5 = %c0 to %dim step %c1 {
// PARALLEL-NEXT:         %0 = memref.load %arg0[%arg3, %arg5] : memref<4x?xf32>
// PARALLEL-NEXT:         %1 = memref.load %arg1[%arg5, %arg4] : memref<?x16xf32>
// PARALLEL-NEXT:         %2 = memref.load %arg2[%arg3, %arg4] : memref<4x16xf32>
// PARALLEL-NEXT:         %3 = arith.mulf %0, %1 : f32
// PARALLEL-NEXT:         %4 = arith.addf %2, %3 : f32
// PARALLEL-NEXT:         memref.store %4, %arg2[%arg3, %arg4] : memref<4x16xf32>
// PARALLEL-NEXT:       }
// PARALLEL-NEXT:       scf.reduce 
// PARALLEL-NEXT:     }
// PARALLEL-NEXT:     return
// PARALLEL-NEXT:   }
// LOOPS: module {
// LOOPS-NEXT:   func.func @matmul(%arg0: memref<4x?xf32>, %arg1: memref<?x16xf32>, %arg2: memref<4x16xf32>) {
// LOOPS-NEXT:     %c16 = arith.constant 16 : index
// LOOPS-NEXT:     %c4 = arith.constant 4 : index
// LOOPS-NEXT:     %c0 = arith.constant 0 : index
// LOOPS-NEXT:     %c1 = arith.constant 1 : index
// LOOPS-NEXT:     %dim = memref.dim %arg0, %c1 : memref<4x?xf32>
// LOOPS-NEXT:     scf.for %arg3 = %c0 to %c4 step %c1 {
// LOOPS-NEXT:       scf.for %arg4 = %c0 to %c16 step %c1 {
// LOOPS-NEXT:         scf.for %arg5 = %c0 to %dim step %c1 {
// LOOPS-NEXT:           %0 = memref.load %arg0[%arg3, %arg5] : memref<4x?xf32>
// LOOPS-NEXT:           %1 = memref.load %arg1[%arg5, %arg4] : memref<?x16xf32>
// LOOPS-NEXT:           %2 = memref.load %arg2[%arg3, %arg4] : memref<4x16xf32>
// LOOPS-NEXT:           %3 = arith.mulf %0, %1 : f32
// LOOPS-NEXT:           %4 = arith.addf %2, %3 : f32
// LOOPS-NEXT:           memref.store %4, %arg2[%arg3, %arg4] : memref<4x16xf32>
// LOOPS-NEXT:         }
// LOOPS-NEXT:       }
// LOOPS-NEXT:     }
// LOOPS-NEXT:     return
// LOOPS-NEXT:   }
func.func @matmul(%a: memref<4x?xf32>, %b: memref<?x16xf32>, %c: memref<4x16xf32>) {
  linalg.matmul ins(%a, %b : memref<4x?xf32>, memref<?x16xf32>) outs(%c : memref<4x16xf32>)
  return
}

// AFFINE-NEXT:   func.func @fill(%arg0: f32, %arg1: memref<?xf32>) {
// AFFINE-NEXT:     %c0 = arith.constant 0 : index
// AFFINE-NEXT:     %dim = memref.dim %arg1, %c0 : memref<?xf32>
// AFFINE-NEXT:     affine.for %arg2 = 0 to %dim {
// AFFINE-NEXT:       affine.store %arg0, %arg1[%arg2] : memref<?xf32>
// AFFINE-NEXT:     }
// AFFINE-NEXT:     return
// AFFINE-NEXT:   }
// PARALLEL-NEXT:   func.func @fill(%arg0: f32, %arg1: memref<?xf32>) {
// PARALLEL-NEXT:     %c1 = arith.constant 1 : index
// PARALLEL-NEXT:     %c0 = arith.constant 0 : index
// PARALLEL-NEXT:     %dim = memref.dim %arg1, %c0 : memref<?xf32>
// PARALLEL-NEXT:     scf.parallel (%arg2) = (%c0) to (%dim) step (%c1) {
// PARALLEL-NEXT:       memref.store %arg0, %arg1[%arg2] : memref<?xf32>
// PARALLEL-NEXT:       scf.reduce 
// PARALLEL-NEXT:     }
// PARALLEL-NEXT:     return
// PARALLEL-NEXT:   }
// LOOPS-NEXT:   func.func @fill(%arg0: f32, %arg1: memref<?xf32>) {
// LOOPS-NEXT:     %c1 = arith.constant 1 : index
// LOOPS-NEXT:     %c0 = arith.constant 0 : index
// LOOPS-NEXT:     %dim = memref.dim %arg1, %c0 : memref<?xf32>
// LOOPS-NEXT:     scf.for %arg2 = %c0 to %dim step %c1 {
// LOOPS-NEXT:       memref.store %arg0, %arg1[%arg2] : memref<?xf32>
// LOOPS-NEXT:     }
// LOOPS-NEXT:     return
// LOOPS-NEXT:   }
func.func @fill(%x: f32, %m: memref<?xf32>) {
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  return
}

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// AFFINE-NEXT:   func.func @generic(%arg0: memref<8x4xf32>, %arg1: memref<8xf32>) {
// AFFINE-NEXT:     affine.for %arg2 = 0 to 8 {
// AFFINE-NEXT:       affine.for %arg3 = 0 to 4 {
// AFFINE-NEXT:         %0 = affine.load %arg0[%arg2, %arg3] : memref<8x4xf32>
// AFFINE-NEXT:         %1 = affine.load %arg1[%arg2] : memref<8xf32>
// AFFINE-NEXT:         %2 = arith.index_cast %arg3 : index to i32
// AFFINE-NEXT:         %3 = arith.sitofp %2 : i32 to f32
// AFFINE-NEXT:         %4 = arith.mulf %0, %3 : f32
// AFFINE-NEXT:         %5 = arith.addf %1, %4 : f32
// AFFINE-NEXT:         affine.store %5, %arg1[%arg2] : memref<8xf32>
// AFFINE-NEXT:       }
// AFFINE-NEXT:     }
// AFFINE-NEXT:     return
// AFFINE-NEXT:   }
// AFFINE-NEXT: }
// PARALLEL-NEXT:   func.func @generic(%arg0: memref<8x4xf32>, %arg1: memref<8xf32>) {
// PARALLEL-NEXT:     %c0 = arith.constant 0 : index
// PARALLEL-NEXT:     %c8 = arith.constant 8 : index
// PARALLEL-NEXT:     %c1 = arith.constant 1 : index
// PARALLEL-NEXT:     %c4 = arith.constant 4 : index
// PARALLEL-NEXT:     scf.parallel (%arg2) = (%c0) to (%c8) step (%c1) {
// PARALLEL-NEXT:       scf.for %arg3 = %c0 to %c4 step %c1 {
// PARALLEL-NEXT:         %0 = memref.load %arg0[%arg2, %arg3] : memref<8x4xf32>
// PARALLEL-NEXT:         %1 = memref.load %arg1[%arg2] : memref<8xf32>
// PARALLEL-NEXT:         %2 = arith.index_cast %arg3 : index to i32
// PARALLEL-NEXT:         %3 = arith.sitofp %2 : i32 to f32
// PARALLEL-NEXT:         %4 = arith.mulf %0, %3 : f32
// PARALLEL-NEXT:         %5 = arith.addf %1, %4 : f32
// PARALLEL-NEXT:         memref.store %5, %arg1[%arg2] : memref<8xf32>
// PARALLEL-NEXT:       }
// PARALLEL-NEXT:       scf.reduce 
// PARALLEL-NEXT:     }
// PARALLEL-NEXT:     return
// PARALLEL-NEXT:   }
// PARALLEL-NEXT: }
// LOOPS-NEXT:   func.func @generic(%arg0: memref<8x4xf32>, %arg1: memref<8xf32>) {
// LOOPS-NEXT:     %c0 = arith.constant 0 : index
// LOOPS-NEXT:     %c8 = arith.constant 8 : index
// LOOPS-NEXT:     %c1 = arith.constant 1 : index
// LOOPS-NEXT:     %c4 = arith.constant 4 : index
// LOOPS-NEXT:     scf.for %arg2 = %c0 to %c8 step %c1 {
// LOOPS-NEXT:       scf.for %arg3 = %c0 to %c4 step %c1 {
// LOOPS-NEXT:         %0 = memref.load %arg0[%arg2, %arg3] : memref<8x4xf32>
// LOOPS-NEXT:         %1 = memref.load %arg1[%arg2] : memref<8xf32>
// LOOPS-NEXT:         %2 = arith.index_cast %arg3 : index to i32
// LOOPS-NEXT:         %3 = arith.sitofp %2 : i32 to f32
// LOOPS-NEXT:         %4 = arith.mulf %0, %3 : f32
// LOOPS-NEXT:         %5 = arith.addf %1, %4 : f32
// LOOPS-NEXT:         memref.store %5, %arg1[%arg2] : memref<8xf32>
// LOOPS-NEXT:       }
// LOOPS-NEXT:     }
// LOOPS-NEXT:     return
// LOOPS-NEXT:   }
// LOOPS-NEXT: }
func.func @generic(%m: memref<8x4xf32>, %r: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%m : memref<8x4xf32>) outs(%r : memref<8xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %0 = arith.mulf %x, %f : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
