// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @sizes(%arg0: memref<2048xi8>, %arg1: index, %arg2: index) -> (memref<?x?xf32>, memref<?x4xf32>) {
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %view = memref.view %arg0[%arg1][%arg2] : memref<2048xi8> to memref<8x?xf32>
// CHECK-NEXT:     %cast = memref.cast %view : memref<8x?xf32> to memref<?x?xf32>
// CHECK-NEXT:     %view_0 = memref.view %arg0[%c16][] : memref<2048xi8> to memref<8x4xf32>
// CHECK-NEXT:     %cast_1 = memref.cast %view_0 : memref<8x4xf32> to memref<?x4xf32>
// CHECK-NEXT:     return %cast, %cast_1 : memref<?x?xf32>, memref<?x4xf32>
// CHECK-NEXT:   }
func.func @sizes(%m: memref<2048xi8>, %o: index, %n: index) -> (memref<?x?xf32>, memref<?x4xf32>) {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %0 = memref.view %m[%o][%c8, %n] : memref<2048xi8> to memref<?x?xf32>
  %1 = memref.view %m[%c16][%c8] : memref<2048xi8> to memref<?x4xf32>
  return %0, %1 : memref<?x?xf32>, memref<?x4xf32>
}

// CHECK-NEXT:   func.func @cast(%arg0: index, %arg1: index) -> memref<?xf32> {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<64xi8>
// CHECK-NEXT:     %view = memref.view %alloc[%arg0][%arg1] : memref<64xi8> to memref<?xf32>
// CHECK-NEXT:     return %view : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @cast(%o: index, %n: index) -> memref<?xf32> {
  %0 = memref.alloc() : memref<64xi8>
  %1 = memref.cast %0 : memref<64xi8> to memref<?xi8>
  %2 = memref.view %1[%o][%n] : memref<?xi8> to memref<?xf32>
  return %2 : memref<?xf32>
}
