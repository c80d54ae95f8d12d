// RUN: xgpu-opt %s -convert-vector-to-scf | filecheck %s
// RUN: xgpu-opt %s -convert-vector-to-scf=full-unroll | filecheck %s --check-prefix=UNROLL

// CHECK-LABEL: func.func @read_masked
// CHECK-DAG:   %[[BUFFER:.*]] = memref.alloca() : memref<vector<2x4xf32>>
// CHECK-DAG:   %[[MASKS:.*]] = memref.alloca() : memref<vector<2x4xi1>>
// CHECK:       memref.store %{{.*}}, %[[MASKS]][]
// CHECK:       %[[ROWS:.*]] = vector.type_cast %[[BUFFER]] : memref<vector<2x4xf32>> to memref<2xvector<4xf32>>
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         %[[DIM:.*]] = memref.dim
// CHECK:         %[[AT:.*]] = affine.apply
// CHECK:         arith.cmpi sgt, %[[DIM]], %[[AT]]
// CHECK:         scf.if
// CHECK:           %[[ROW:.*]] = vector.transfer_read
// CHECK:           memref.store %[[ROW]], %[[ROWS]][%[[I]]]
// CHECK:         } else {
// CHECK:           vector.broadcast
// CHECK:       memref.load %[[BUFFER]][]
// UNROLL-LABEL: func.func @read_masked
// UNROLL:       vector.extract %{{.*}}[0] : vector<4xi1> from vector<2x4xi1>
// UNROLL:       vector.transfer_read
// UNROLL:       vector.insert %{{.*}}, %{{.*}} [0] : vector<4xf32> into vector<2x4xf32>
// UNROLL:       vector.insert %{{.*}}, %{{.*}} [1] : vector<4xf32> into vector<2x4xf32>
func.func @read_masked(%m: memref<?x?xf32>, %i: index, %pad: f32, %mask: vector<2x4xi1>) -> vector<2x4xf32> {
  %v = vector.transfer_read %m[%i, %i], %pad, %mask : memref<?x?xf32>, vector<2x4xf32>
  return %v : vector<2x4xf32>
}

// CHECK-LABEL: func.func @column
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         %[[X:.*]] = vector.extract %{{.*}}[%[[I]]] : f32 from vector<4xf32>
// CHECK:         memref.store %[[X]]
func.func @column(%m: memref<4x4xf32, strided<[1, 4]>>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %m[%c0, %c0] : vector<4xf32>, memref<4x4xf32, strided<[1, 4]>>
  return
}

// CHECK-LABEL: func.func @print
// CHECK:       vector.print punctuation <open>
// CHECK:       scf.for
// CHECK:         vector.extract
// CHECK:         vector.print punctuation <comma>
func.func @print(%v: vector<4xf32>) {
  vector.print %v : vector<4xf32>
  return
}
