// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Operations with masks, those on scalable vectors, and type_cast.

// CHECK: module {
// CHECK-NEXT:   func.func @masked(%arg0: memref<?x?xf32>, %arg1: index, %arg2: vector<8xi1>, %arg3: vector<8xf32>) {
// CHECK-NEXT:     %0 = vector.maskedload %arg0[%arg1, %arg1], %arg2, %arg3 : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK-NEXT:     %1 = vector.maskedload %arg0[%arg1, %arg1], %arg2, %arg3 {alignment = 16 : i64} : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK-NEXT:     vector.maskedstore %arg0[%arg1, %arg1], %arg2, %arg3 : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
// CHECK-NEXT:     vector.maskedstore %arg0[%arg1, %arg1], %arg2, %arg3 {alignment = 16 : i64} : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
// CHECK-NEXT:     %2 = vector.expandload %arg0[%arg1, %arg1], %arg2, %arg3 : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK-NEXT:     %3 = vector.expandload %arg0[%arg1, %arg1], %arg2, %arg3 {alignment = 8 : i64} : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK-NEXT:     vector.compressstore %arg0[%arg1, %arg1], %arg2, %arg3 : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
// CHECK-NEXT:     vector.compressstore %arg0[%arg1, %arg1], %arg2, %arg3 {alignment = 8 : i64} : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @masked(%m: memref<?x?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  %0 = vector.maskedload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %1 = vector.maskedload %m[%i, %i], %mask, %v {alignment = 16 : i64} : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  vector.maskedstore %m[%i, %i], %mask, %v {alignment = 16 : i64} : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  %2 = vector.expandload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %3 = vector.expandload %m[%i, %i], %mask, %v {alignment = 8 : i64} : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.compressstore %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  vector.compressstore %m[%i, %i], %mask, %v {alignment = 8 : i64} : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// CHECK-NEXT:   func.func @indexed(%arg0: memref<?xf32>, %arg1: tensor<?xf32>, %arg2: index, %arg3: vector<8xi32>, %arg4: vector<8xi1>, %arg5: vector<8xf32>) -> tensor<?xf32> {
// CHECK-NEXT:     %0 = vector.gather %arg0[%arg2] [%arg3], %arg4, %arg5 : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK-NEXT:     %1 = vector.gather %arg1[%arg2] [%arg3], %arg4, %arg5 {alignment = 4 : i64} : tensor<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK-NEXT:     vector.scatter %arg0[%arg2] [%arg3], %arg4, %arg5 : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
// CHECK-NEXT:     %2 = vector.scatter %arg1[%arg2] [%arg3], %arg4, %arg5 {alignment = 4 : i64} : tensor<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> -> tensor<?xf32>
// CHECK-NEXT:     return %2 : tensor<?xf32>
// CHECK-NEXT:   }
func.func @indexed(%m: memref<?xf32>, %t: tensor<?xf32>, %i: index, %at: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) -> tensor<?xf32> {
  %0 = vector.gather %m[%i] [%at], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %1 = vector.gather %t[%i] [%at], %mask, %v {alignment = 4 : i64} : tensor<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.scatter %m[%i] [%at], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  %2 = vector.scatter %t[%i] [%at], %mask, %v {alignment = 4 : i64} : tensor<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// CHECK-NEXT:   func.func @scalable(%arg0: vector<4xf32>, %arg1: vector<[8]xf32>) {
// CHECK-NEXT:     %0 = vector.scalable.insert %arg0, %arg1[4] : vector<4xf32> into vector<[8]xf32>
// CHECK-NEXT:     %1 = vector.scalable.extract %arg1[0] : vector<4xf32> from vector<[8]xf32>
// CHECK-NEXT:     %vscale = vector.vscale
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @scalable(%v: vector<4xf32>, %s: vector<[8]xf32>) {
  %0 = vector.scalable.insert %v, %s[4] : vector<4xf32> into vector<[8]xf32>
  %1 = vector.scalable.extract %s[0] : vector<4xf32> from vector<[8]xf32>
  %2 = vector.vscale
  return
}

// CHECK-NEXT:   func.func @type_cast(%arg0: memref<4x8xf32>) {
// CHECK-NEXT:     %0 = vector.type_cast %arg0 : memref<4x8xf32> to memref<vector<4x8xf32>>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @type_cast(%m: memref<4x8xf32>) {
  %0 = vector.type_cast %m : memref<4x8xf32> to memref<vector<4x8xf32>>
  return
}
