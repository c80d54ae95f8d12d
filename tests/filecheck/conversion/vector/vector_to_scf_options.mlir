// RUN: xgpu-opt --convert-vector-to-scf=full-unroll=true %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --convert-vector-to-scf=target-rank=2 %s | filecheck %s --match-full-lines --check-prefix=RANK
// RUN: xgpu-opt --convert-vector-to-scf="full-unroll=true lower-tensors=true" %s | filecheck %s --match-full-lines --check-prefix=TENSORS
// RUN: xgpu-opt --convert-vector-to-scf=lower-scalable=true %s | filecheck %s --match-full-lines --check-prefix=SCALABLE

// CHECK: #map = affine_map<()[s0] -> (s0 + 1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @read(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: f32) -> vector<2x2x4xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = vector.broadcast %arg2 : f32 to vector<2x2x4xf32>
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x?x?xf32>
// CHECK-NEXT:     %1 = arith.cmpi sgt, %dim, %arg1 : index
// CHECK-NEXT:     %2 = scf.if %1 -> (vector<2x2x4xf32>) {
// CHECK-NEXT:       %dim_1 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// CHECK-NEXT:       %6 = arith.cmpi sgt, %dim_1, %arg1 : index
// CHECK-NEXT:       %7 = scf.if %6 -> (vector<2x2x4xf32>) {
// CHECK-NEXT:         %11 = vector.transfer_read %arg0[%arg1, %arg1, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// CHECK-NEXT:         %12 = vector.insert %11, %0 [0, 0] : vector<4xf32> into vector<2x2x4xf32>
// CHECK-NEXT:         scf.yield %12 : vector<2x2x4xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %0 : vector<2x2x4xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %dim_2 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// CHECK-NEXT:       %8 = affine.apply #map()[%arg1]
// CHECK-NEXT:       %9 = arith.cmpi sgt, %dim_2, %8 : index
// CHECK-NEXT:       %10 = scf.if %9 -> (vector<2x2x4xf32>) {
// CHECK-NEXT:         %11 = affine.apply #map()[%arg1]
// CHECK-NEXT:         %12 = vector.transfer_read %arg0[%arg1, %11, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// CHECK-NEXT:         %13 = vector.insert %12, %7 [0, 1] : vector<4xf32> into vector<2x2x4xf32>
// CHECK-NEXT:         scf.yield %13 : vector<2x2x4xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %7 : vector<2x2x4xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %10 : vector<2x2x4xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %0 : vector<2x2x4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %dim_0 = memref.dim %arg0, %c0 : memref<?x?x?xf32>
// CHECK-NEXT:     %3 = affine.apply #map()[%arg1]
// CHECK-NEXT:     %4 = arith.cmpi sgt, %dim_0, %3 : index
// CHECK-NEXT:     %5 = scf.if %4 -> (vector<2x2x4xf32>) {
// CHECK-NEXT:       %6 = affine.apply #map()[%arg1]
// CHECK-NEXT:       %dim_1 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// CHECK-NEXT:       %7 = arith.cmpi sgt, %dim_1, %arg1 : index
// CHECK-NEXT:       %8 = scf.if %7 -> (vector<2x2x4xf32>) {
// CHECK-NEXT:         %12 = vector.transfer_read %arg0[%6, %arg1, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// CHECK-NEXT:         %13 = vector.insert %12, %2 [1, 0] : vector<4xf32> into vector<2x2x4xf32>
// CHECK-NEXT:         scf.yield %13 : vector<2x2x4xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %2 : vector<2x2x4xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %dim_2 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// CHECK-NEXT:       %9 = affine.apply #map()[%arg1]
// CHECK-NEXT:       %10 = arith.cmpi sgt, %dim_2, %9 : index
// CHECK-NEXT:       %11 = scf.if %10 -> (vector<2x2x4xf32>) {
// CHECK-NEXT:         %12 = affine.apply #map()[%arg1]
// CHECK-NEXT:         %13 = vector.transfer_read %arg0[%6, %12, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// CHECK-NEXT:         %14 = vector.insert %13, %8 [1, 1] : vector<4xf32> into vector<2x2x4xf32>
// CHECK-NEXT:         scf.yield %14 : vector<2x2x4xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %8 : vector<2x2x4xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %11 : vector<2x2x4xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %2 : vector<2x2x4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %5 : vector<2x2x4xf32>
// CHECK-NEXT:   }
// RANK: #map = affine_map<(d0)[s0] -> (d0 + s0)>
// RANK-NEXT: module {
// RANK-NEXT:   func.func @read(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: f32) -> vector<2x2x4xf32> {
// RANK-NEXT:     %c1 = arith.constant 1 : index
// RANK-NEXT:     %c2 = arith.constant 2 : index
// RANK-NEXT:     %c0 = arith.constant 0 : index
// RANK-NEXT:     %alloca = memref.alloca() : memref<vector<2x2x4xf32>>
// RANK-NEXT:     %0 = vector.type_cast %alloca : memref<vector<2x2x4xf32>> to memref<2xvector<2x4xf32>>
// RANK-NEXT:     scf.for %arg3 = %c0 to %c2 step %c1 {
// RANK-NEXT:       %dim = memref.dim %arg0, %c0 : memref<?x?x?xf32>
// RANK-NEXT:       %2 = affine.apply #map(%arg3)[%arg1]
// RANK-NEXT:       %3 = arith.cmpi sgt, %dim, %2 : index
// RANK-NEXT:       scf.if %3 {
// RANK-NEXT:         %4 = affine.apply #map(%arg3)[%arg1]
// RANK-NEXT:         %5 = vector.transfer_read %arg0[%4, %arg1, %arg1], %arg2 : memref<?x?x?xf32>, vector<2x4xf32>
// RANK-NEXT:         memref.store %5, %0[%arg3] : memref<2xvector<2x4xf32>>
// RANK-NEXT:       } else {
// RANK-NEXT:         %4 = vector.broadcast %arg2 : f32 to vector<2x4xf32>
// RANK-NEXT:         memref.store %4, %0[%arg3] : memref<2xvector<2x4xf32>>
// RANK-NEXT:       }
// RANK-NEXT:     }
// RANK-NEXT:     %1 = memref.load %alloca[] : memref<vector<2x2x4xf32>>
// RANK-NEXT:     return %1 : vector<2x2x4xf32>
// RANK-NEXT:   }
// TENSORS: #map = affine_map<()[s0] -> (s0 + 1)>
// TENSORS-NEXT: module {
// TENSORS-NEXT:   func.func @read(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: f32) -> vector<2x2x4xf32> {
// TENSORS-NEXT:     %c1 = arith.constant 1 : index
// TENSORS-NEXT:     %c0 = arith.constant 0 : index
// TENSORS-NEXT:     %0 = vector.broadcast %arg2 : f32 to vector<2x2x4xf32>
// TENSORS-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x?x?xf32>
// TENSORS-NEXT:     %1 = arith.cmpi sgt, %dim, %arg1 : index
// TENSORS-NEXT:     %2 = scf.if %1 -> (vector<2x2x4xf32>) {
// TENSORS-NEXT:       %dim_1 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// TENSORS-NEXT:       %6 = arith.cmpi sgt, %dim_1, %arg1 : index
// TENSORS-NEXT:       %7 = scf.if %6 -> (vector<2x2x4xf32>) {
// TENSORS-NEXT:         %11 = vector.transfer_read %arg0[%arg1, %arg1, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// TENSORS-NEXT:         %12 = vector.insert %11, %0 [0, 0] : vector<4xf32> into vector<2x2x4xf32>
// TENSORS-NEXT:         scf.yield %12 : vector<2x2x4xf32>
// TENSORS-NEXT:       } else {
// TENSORS-NEXT:         scf.yield %0 : vector<2x2x4xf32>
// TENSORS-NEXT:       }
// TENSORS-NEXT:       %dim_2 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// TENSORS-NEXT:       %8 = affine.apply #map()[%arg1]
// TENSORS-NEXT:       %9 = arith.cmpi sgt, %dim_2, %8 : index
// TENSORS-NEXT:       %10 = scf.if %9 -> (vector<2x2x4xf32>) {
// TENSORS-NEXT:         %11 = affine.apply #map()[%arg1]
// TENSORS-NEXT:         %12 = vector.transfer_read %arg0[%arg1, %11, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// TENSORS-NEXT:         %13 = vector.insert %12, %7 [0, 1] : vector<4xf32> into vector<2x2x4xf32>
// TENSORS-NEXT:         scf.yield %13 : vector<2x2x4xf32>
// TENSORS-NEXT:       } else {
// TENSORS-NEXT:         scf.yield %7 : vector<2x2x4xf32>
// TENSORS-NEXT:       }
// TENSORS-NEXT:       scf.yield %10 : vector<2x2x4xf32>
// TENSORS-NEXT:     } else {
// TENSORS-NEXT:       scf.yield %0 : vector<2x2x4xf32>
// TENSORS-NEXT:     }
// TENSORS-NEXT:     %dim_0 = memref.dim %arg0, %c0 : memref<?x?x?xf32>
// TENSORS-NEXT:     %3 = affine.apply #map()[%arg1]
// TENSORS-NEXT:     %4 = arith.cmpi sgt, %dim_0, %3 : index
// TENSORS-NEXT:     %5 = scf.if %4 -> (vector<2x2x4xf32>) {
// TENSORS-NEXT:       %6 = affine.apply #map()[%arg1]
// TENSORS-NEXT:       %dim_1 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// TENSORS-NEXT:       %7 = arith.cmpi sgt, %dim_1, %arg1 : index
// TENSORS-NEXT:       %8 = scf.if %7 -> (vector<2x2x4xf32>) {
// TENSORS-NEXT:         %12 = vector.transfer_read %arg0[%6, %arg1, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// TENSORS-NEXT:         %13 = vector.insert %12, %2 [1, 0] : vector<4xf32> into vector<2x2x4xf32>
// TENSORS-NEXT:         scf.yield %13 : vector<2x2x4xf32>
// TENSORS-NEXT:       } else {
// TENSORS-NEXT:         scf.yield %2 : vector<2x2x4xf32>
// TENSORS-NEXT:       }
// TENSORS-NEXT:       %dim_2 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// TENSORS-NEXT:       %9 = affine.apply #map()[%arg1]
// TENSORS-NEXT:       %10 = arith.cmpi sgt, %dim_2, %9 : index
// TENSORS-NEXT:       %11 = scf.if %10 -> (vector<2x2x4xf32>) {
// TENSORS-NEXT:         %12 = affine.apply #map()[%arg1]
// TENSORS-NEXT:         %13 = vector.transfer_read %arg0[%6, %12, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// TENSORS-NEXT:         %14 = vector.insert %13, %8 [1, 1] : vector<4xf32> into vector<2x2x4xf32>
// TENSORS-NEXT:         scf.yield %14 : vector<2x2x4xf32>
// TENSORS-NEXT:       } else {
// TENSORS-NEXT:         scf.yield %8 : vector<2x2x4xf32>
// TENSORS-NEXT:       }
// TENSORS-NEXT:       scf.yield %11 : vector<2x2x4xf32>
// TENSORS-NEXT:     } else {
// TENSORS-NEXT:       scf.yield %2 : vector<2x2x4xf32>
// TENSORS-NEXT:     }
// TENSORS-NEXT:     return %5 : vector<2x2x4xf32>
// TENSORS-NEXT:   }
// SCALABLE: #map = affine_map<(d0)[s0] -> (d0 + s0)>
// SCALABLE-NEXT: module {
// SCALABLE-NEXT:   func.func @read(%arg0: memref<?x?x?xf32>, %arg1: index, %arg2: f32) -> vector<2x2x4xf32> {
// SCALABLE-NEXT:     %c1 = arith.constant 1 : index
// SCALABLE-NEXT:     %c2 = arith.constant 2 : index
// SCALABLE-NEXT:     %c0 = arith.constant 0 : index
// SCALABLE-NEXT:     %alloca = memref.alloca() : memref<vector<2x2x4xf32>>
// SCALABLE-NEXT:     %0 = vector.type_cast %alloca : memref<vector<2x2x4xf32>> to memref<2xvector<2x4xf32>>
// SCALABLE-NEXT:     scf.for %arg3 = %c0 to %c2 step %c1 {
// SCALABLE-NEXT:       %dim = memref.dim %arg0, %c0 : memref<?x?x?xf32>
// SCALABLE-NEXT:       %2 = affine.apply #map(%arg3)[%arg1]
// SCALABLE-NEXT:       %3 = arith.cmpi sgt, %dim, %2 : index
// SCALABLE-NEXT:       scf.if %3 {
// SCALABLE-NEXT:         %4 = affine.apply #map(%arg3)[%arg1]
// SCALABLE-NEXT:         %5 = vector.type_cast %0 : memref<2xvector<2x4xf32>> to memref<2x2xvector<4xf32>>
// SCALABLE-NEXT:         scf.for %arg4 = %c0 to %c2 step %c1 {
// SCALABLE-NEXT:           %dim_0 = memref.dim %arg0, %c1 : memref<?x?x?xf32>
// SCALABLE-NEXT:           %6 = affine.apply #map(%arg4)[%arg1]
// SCALABLE-NEXT:           %7 = arith.cmpi sgt, %dim_0, %6 : index
// SCALABLE-NEXT:           scf.if %7 {
// SCALABLE-NEXT:             %8 = affine.apply #map(%arg4)[%arg1]
// SCALABLE-NEXT:             %9 = vector.transfer_read %arg0[%4, %8, %arg1], %arg2 : memref<?x?x?xf32>, vector<4xf32>
// SCALABLE-NEXT:             memref.store %9, %5[%arg3, %arg4] : memref<2x2xvector<4xf32>>
// SCALABLE-NEXT:           } else {
// SCALABLE-NEXT:             %8 = vector.broadcast %arg2 : f32 to vector<4xf32>
// SCALABLE-NEXT:             memref.store %8, %5[%arg3, %arg4] : memref<2x2xvector<4xf32>>
// SCALABLE-NEXT:           }
// SCALABLE-NEXT:         }
// SCALABLE-NEXT:       } else {
// SCALABLE-NEXT:         %4 = vector.broadcast %arg2 : f32 to vector<2x4xf32>
// SCALABLE-NEXT:         memref.store %4, %0[%arg3] : memref<2xvector<2x4xf32>>
// SCALABLE-NEXT:       }
// SCALABLE-NEXT:     }
// SCALABLE-NEXT:     %1 = memref.load %alloca[] : memref<vector<2x2x4xf32>>
// SCALABLE-NEXT:     return %1 : vector<2x2x4xf32>
// SCALABLE-NEXT:   }
func.func @read(%m: memref<?x?x?xf32>, %i: index, %x: f32) -> vector<2x2x4xf32> {
  %0 = vector.transfer_read %m[%i, %i, %i], %x : memref<?x?x?xf32>, vector<2x2x4xf32>
  return %0 : vector<2x2x4xf32>
}

// CHECK-NEXT:   func.func @tensor(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> vector<2x4xf32> {
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%arg1, %arg1], %arg2 : tensor<?x?xf32>, vector<2x4xf32>
// CHECK-NEXT:     return %0 : vector<2x4xf32>
// CHECK-NEXT:   }
// RANK-NEXT:   func.func @tensor(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> vector<2x4xf32> {
// RANK-NEXT:     %0 = vector.transfer_read %arg0[%arg1, %arg1], %arg2 : tensor<?x?xf32>, vector<2x4xf32>
// RANK-NEXT:     return %0 : vector<2x4xf32>
// RANK-NEXT:   }
// TENSORS-NEXT:   func.func @tensor(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> vector<2x4xf32> {
// TENSORS-NEXT:     %c0 = arith.constant 0 : index
// TENSORS-NEXT:     %0 = vector.broadcast %arg2 : f32 to vector<2x4xf32>
// TENSORS-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// TENSORS-NEXT:     %1 = arith.cmpi sgt, %dim, %arg1 : index
// TENSORS-NEXT:     %2 = scf.if %1 -> (vector<2x4xf32>) {
// TENSORS-NEXT:       %6 = vector.transfer_read %arg0[%arg1, %arg1], %arg2 : tensor<?x?xf32>, vector<4xf32>
// TENSORS-NEXT:       %7 = vector.insert %6, %0 [0] : vector<4xf32> into vector<2x4xf32>
// TENSORS-NEXT:       scf.yield %7 : vector<2x4xf32>
// TENSORS-NEXT:     } else {
// TENSORS-NEXT:       scf.yield %0 : vector<2x4xf32>
// TENSORS-NEXT:     }
// TENSORS-NEXT:     %dim_0 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// TENSORS-NEXT:     %3 = affine.apply #map()[%arg1]
// TENSORS-NEXT:     %4 = arith.cmpi sgt, %dim_0, %3 : index
// TENSORS-NEXT:     %5 = scf.if %4 -> (vector<2x4xf32>) {
// TENSORS-NEXT:       %6 = affine.apply #map()[%arg1]
// TENSORS-NEXT:       %7 = vector.transfer_read %arg0[%6, %arg1], %arg2 : tensor<?x?xf32>, vector<4xf32>
// TENSORS-NEXT:       %8 = vector.insert %7, %2 [1] : vector<4xf32> into vector<2x4xf32>
// TENSORS-NEXT:       scf.yield %8 : vector<2x4xf32>
// TENSORS-NEXT:     } else {
// TENSORS-NEXT:       scf.yield %2 : vector<2x4xf32>
// TENSORS-NEXT:     }
// TENSORS-NEXT:     return %5 : vector<2x4xf32>
// TENSORS-NEXT:   }
// SCALABLE-NEXT:   func.func @tensor(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> vector<2x4xf32> {
// SCALABLE-NEXT:     %0 = vector.transfer_read %arg0[%arg1, %arg1], %arg2 : tensor<?x?xf32>, vector<2x4xf32>
// SCALABLE-NEXT:     return %0 : vector<2x4xf32>
// SCALABLE-NEXT:   }
func.func @tensor(%t: tensor<?x?xf32>, %i: index, %x: f32) -> vector<2x4xf32> {
  %0 = vector.transfer_read %t[%i, %i], %x : tensor<?x?xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// CHECK-NEXT:   func.func @write(%arg0: memref<?x?xf32>, %arg1: index, %arg2: vector<2x4xf32>) {
// CHECK-NEXT:     %0 = vector.extract %arg2[0] : vector<4xf32> from vector<2x4xf32>
// CHECK-NEXT:     vector.transfer_write %0, %arg0[%arg1, %arg1] : vector<4xf32>, memref<?x?xf32>
// CHECK-NEXT:     %1 = affine.apply #map()[%arg1]
// CHECK-NEXT:     %2 = vector.extract %arg2[1] : vector<4xf32> from vector<2x4xf32>
// CHECK-NEXT:     vector.transfer_write %2, %arg0[%1, %arg1] : vector<4xf32>, memref<?x?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// RANK-NEXT:   func.func @write(%arg0: memref<?x?xf32>, %arg1: index, %arg2: vector<2x4xf32>) {
// RANK-NEXT:     vector.transfer_write %arg2, %arg0[%arg1, %arg1] {in_bounds = [true, false]} : vector<2x4xf32>, memref<?x?xf32>
// RANK-NEXT:     return
// RANK-NEXT:   }
// RANK-NEXT: }
// TENSORS-NEXT:   func.func @write(%arg0: memref<?x?xf32>, %arg1: index, %arg2: vector<2x4xf32>) {
// TENSORS-NEXT:     %0 = vector.extract %arg2[0] : vector<4xf32> from vector<2x4xf32>
// TENSORS-NEXT:     vector.transfer_write %0, %arg0[%arg1, %arg1] : vector<4xf32>, memref<?x?xf32>
// TENSORS-NEXT:     %1 = affine.apply #map()[%arg1]
// TENSORS-NEXT:     %2 = vector.extract %arg2[1] : vector<4xf32> from vector<2x4xf32>
// TENSORS-NEXT:     vector.transfer_write %2, %arg0[%1, %arg1] : vector<4xf32>, memref<?x?xf32>
// TENSORS-NEXT:     return
// TENSORS-NEXT:   }
// TENSORS-NEXT: }
// SCALABLE-NEXT:   func.func @write(%arg0: memref<?x?xf32>, %arg1: index, %arg2: vector<2x4xf32>) {
// SCALABLE-NEXT:     %c1 = arith.constant 1 : index
// SCALABLE-NEXT:     %c2 = arith.constant 2 : index
// SCALABLE-NEXT:     %c0 = arith.constant 0 : index
// SCALABLE-NEXT:     %alloca = memref.alloca() : memref<vector<2x4xf32>>
// SCALABLE-NEXT:     memref.store %arg2, %alloca[] : memref<vector<2x4xf32>>
// SCALABLE-NEXT:     %0 = vector.type_cast %alloca : memref<vector<2x4xf32>> to memref<2xvector<4xf32>>
// SCALABLE-NEXT:     scf.for %arg3 = %c0 to %c2 step %c1 {
// SCALABLE-NEXT:       %1 = affine.apply #map(%arg3)[%arg1]
// SCALABLE-NEXT:       %2 = memref.load %0[%arg3] : memref<2xvector<4xf32>>
// SCALABLE-NEXT:       vector.transfer_write %2, %arg0[%1, %arg1] : vector<4xf32>, memref<?x?xf32>
// SCALABLE-NEXT:     }
// SCALABLE-NEXT:     return
// SCALABLE-NEXT:   }
// SCALABLE-NEXT: }
func.func @write(%m: memref<?x?xf32>, %i: index, %v: vector<2x4xf32>) {
  vector.transfer_write %v, %m[%i, %i] {in_bounds = [true, false]} : vector<2x4xf32>, memref<?x?xf32>
  return
}
