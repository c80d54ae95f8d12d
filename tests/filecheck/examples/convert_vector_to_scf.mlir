// A transfer of two dimensions becomes a loop of transfers of one.
// RUN: xgpu-opt %s --convert-vector-to-scf | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<?x?xf32>, %arg1: index) -> vector<4x8xf32> {
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %alloca = memref.alloca() : memref<vector<4x8xf32>>
// CHECK-NEXT:     %0 = vector.type_cast %alloca : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
// CHECK-NEXT:     scf.for %arg2 = %c0 to %c4 step %c1 {
// CHECK-NEXT:       %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
// CHECK-NEXT:       %2 = affine.apply #map(%arg2)[%arg1]
// CHECK-NEXT:       %3 = arith.cmpi sgt, %dim, %2 : index
// CHECK-NEXT:       scf.if %3 {
// CHECK-NEXT:         %4 = affine.apply #map(%arg2)[%arg1]
// CHECK-NEXT:         %5 = vector.transfer_read %arg0[%4, %arg1], %cst_0 : memref<?x?xf32>, vector<8xf32>
// CHECK-NEXT:         memref.store %5, %0[%arg2] : memref<4xvector<8xf32>>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         memref.store %cst, %0[%arg2] : memref<4xvector<8xf32>>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = memref.load %alloca[] : memref<vector<4x8xf32>>
// CHECK-NEXT:     return %1 : vector<4x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<?x?xf32>, %i: index) -> vector<4x8xf32> {
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %i], %z : memref<?x?xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
