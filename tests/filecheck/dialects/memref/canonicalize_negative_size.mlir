// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// A size below zero stays a value: MLIR makes memref<-1xf32> of it, which is no type.

// CHECK: module {
// CHECK-NEXT:   func.func @view(%arg0: memref<2048xi8>, %arg1: index) -> memref<?xf32> {
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %view = memref.view %arg0[%arg1][%c-1] : memref<2048xi8> to memref<?xf32>
// CHECK-NEXT:     return %view : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @view(%bytes: memref<2048xi8>, %o: index) -> memref<?xf32> {
  %m1 = arith.constant -1 : index
  %0 = memref.view %bytes[%o][%m1] : memref<2048xi8> to memref<?xf32>
  return %0 : memref<?xf32>
}
