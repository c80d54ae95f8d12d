// RUN: xgpu-opt %s --scf-for-loop-canonicalization --allow-unregistered-dialect | filecheck %s --match-full-lines

// The last value of %i and %j is known from the steps.
// CHECK: #map = affine_map<(d0)[s0] -> (-d0 + s0)>
// CHECK-NEXT: #map1 = affine_map<(d0)[s0] -> (-d0 + s0, 2)>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0] -> (-d0 + s0, 4)>
// CHECK-NEXT: #map3 = affine_map<(d0)[s0] -> (-d0 + s0, 0)>
// CHECK-NEXT: #map4 = affine_map<(d0)[s0] -> (-d0 + s0, d0 - s0)>
// CHECK-NEXT: #map5 = affine_map<(d0)[s0] -> (s0, d0)>
// CHECK-NEXT: #map6 = affine_map<(d0)[s0, s1] -> (s0 floordiv 4, d0, s1)>
// CHECK-NEXT: #map7 = affine_map<(d0)[s0] -> (d0 floordiv 4, d0, d0 mod 3)>
// CHECK-NEXT: #map8 = affine_map<(d0)[s0] -> (d0 + s0, s0 + 3, d0 + s0 + 2)>
// CHECK-NEXT: #map9 = affine_map<(d0, d1) -> (d0, d1 - 1, 1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @forall(%arg0: memref<index>, %arg1: index) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     scf.forall (%arg2, %arg3) = (0, 3) to (4, 9) step (2, 3) {
// CHECK-NEXT:       memref.store %c5, %arg0[] : memref<index>
// CHECK-NEXT:       memref.store %c2, %arg0[] : memref<index>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.forall (%arg2) in (%arg1) {
// CHECK-NEXT:       %0 = affine.apply #map(%arg2)[%arg1]
// CHECK-NEXT:       memref.store %0, %arg0[] : memref<index>
// CHECK-NEXT:       %1 = affine.max #map1(%arg2)[%arg1]
// CHECK-NEXT:       memref.store %1, %arg0[] : memref<index>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @forall(%A : memref<index>, %n: index) {
  scf.forall (%i, %j) = (0, 3) to (4, 9) step (2, 3) {
    %0 = affine.min affine_map<(d0, d1)[] -> (5, 13 - d0 - d1, 14 - d1)> (%i, %j)
    memref.store %0, %A[]: memref<index>
    %1 = affine.min affine_map<(d0)[] -> (2, 4 - d0)> (%i)
    memref.store %1, %A[]: memref<index>
  }
  scf.forall (%i) in (%n) {
    %0 = affine.max affine_map<(d0)[s0] -> (s0 - d0, 1)> (%i)[%n]
    memref.store %0, %A[]: memref<index>
    %1 = affine.max affine_map<(d0)[s0] -> (s0 - d0, 2)> (%i)[%n]
    memref.store %1, %A[]: memref<index>
  }
  return
}

// CHECK-NEXT:   func.func @for(%arg0: index, %arg1: index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     scf.for %arg2 = %arg0 to %arg1 step %c4 {
// CHECK-NEXT:       %0 = affine.min #map2(%arg2)[%arg1]
// CHECK-NEXT:       %1 = affine.max #map3(%arg2)[%arg1]
// CHECK-NEXT:       %2 = affine.max #map4(%arg2)[%arg1]
// CHECK-NEXT:       %3 = affine.max #map5(%arg2)[%arg1]
// CHECK-NEXT:       %4 = affine.min #map6(%arg2)[%arg1, %arg0]
// CHECK-NEXT:       "test.use"(%0, %1, %2, %3, %4) : (index, index, index, index, index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @for(%n: index, %m: index) {
  %c4 = arith.constant 4 : index
  scf.for %i = %n to %m step %c4 {
    %0 = affine.min affine_map<(d0)[s0] -> (s0 - d0, 4)> (%i)[%m]
    %1 = affine.max affine_map<(d0)[s0] -> (s0 - d0, 0)> (%i)[%m]
    %2 = affine.max affine_map<(d0)[s0] -> (s0 - d0, d0 - s0)> (%i)[%m]
    %3 = affine.max affine_map<(d0)[s0] -> (s0, d0)> (%i)[%m]
    %4 = affine.min affine_map<(d0)[s0, s1] -> (s0 floordiv 4, d0, s1)> (%i)[%m, %n]
    "test.use"(%0, %1, %2, %3, %4) : (index, index, index, index, index) -> ()
  }
  return
}

// An induction variable of one value is that number.
// CHECK-NEXT:   func.func @once(%arg0: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     scf.for %arg1 = %c0 to %c4 step %c4 {
// CHECK-NEXT:       %0 = affine.max #map7(%arg1)[%c4]
// CHECK-NEXT:       "test.use"(%arg0, %c0, %0) : (index, index, index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @once(%m: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c4 {
    %0 = affine.min affine_map<(d0)[s0] -> (s0 + d0, s0 + 3, s0 + d0 + 2)> (%i)[%m]
    %1 = affine.min affine_map<(d0)[s0] -> (d0 floordiv 4, d0, s0 floordiv 2)> (%i)[%c4]
    %2 = affine.max affine_map<(d0)[s0] -> (d0 floordiv 4, d0, d0 mod 3)> (%i)[%c4]
    "test.use"(%0, %1, %2) : (index, index, index) -> ()
  }
  return
}

// CHECK-NEXT:   func.func @no_step(%arg0: index, %arg1: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     scf.for %arg2 = %c0 to %c4 step %arg1 {
// CHECK-NEXT:       %0 = affine.min #map8(%arg2)[%arg0]
// CHECK-NEXT:       "test.use"(%0) : (index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %arg2 = %c4 to %c0 step %c4 {
// CHECK-NEXT:       "test.use"(%c0) : (index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @no_step(%m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %n {
    %0 = affine.min affine_map<(d0)[s0] -> (s0 + d0, s0 + 3, s0 + d0 + 2)> (%i)[%m]
    "test.use"(%0) : (index) -> ()
  }
  scf.for %i = %c4 to %c0 step %c4 {
    %0 = affine.min affine_map<(d0) -> (d0 + 7, 0)> (%i)
    "test.use"(%0) : (index) -> ()
  }
  return
}

// CHECK-NEXT:   func.func @parallel(%arg0: index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c7 = arith.constant 7 : index
// CHECK-NEXT:     scf.parallel (%arg1, %arg2) = (%c1, %c1) to (%c7, %arg0) step (%c2, %c1) {
// CHECK-NEXT:       %0 = affine.max #map9(%arg1, %arg2)
// CHECK-NEXT:       "test.use"(%c2, %0) : (index, index) -> ()
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @parallel(%m: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  scf.parallel (%i, %j) = (%c1, %c1) to (%c7, %m) step (%c2, %c1) {
    %0 = affine.min affine_map<(d0)[s0] -> (2, s0 - d0)> (%i)[%c7]
    %1 = affine.max affine_map<(d0, d1) -> (d0, d1 - 1, 1)> (%i, %j)
    "test.use"(%0, %1) : (index, index) -> ()
  }
  return
}

// CHECK-NEXT:   func.func @sizes(%arg0: tensor<?xf32>, %arg1: tensor<4xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) -> (index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %0:3 = scf.for %arg4 = %c0 to %c9 step %c1 iter_args(%arg5 = %arg0, %arg6 = %arg2, %arg7 = %arg2) -> (tensor<?xf32>, memref<?xf32>, memref<?xf32>) {
// CHECK-NEXT:       %dim_1 = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT:       %dim_2 = memref.dim %arg2, %c0 : memref<?xf32>
// CHECK-NEXT:       %dim_3 = memref.dim %arg7, %c0 : memref<?xf32>
// CHECK-NEXT:       "test.use"(%dim_1, %dim_2, %dim_3) : (index, index, index) -> ()
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %arg1 into %arg5[%arg4] [4] [1] : tensor<4xf32> into tensor<?xf32>
// CHECK-NEXT:       %1 = scf.for %arg8 = %c0 to %c9 step %c1 iter_args(%arg9 = %inserted_slice) -> (tensor<?xf32>) {
// CHECK-NEXT:         scf.yield %arg9 : tensor<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1, %arg6, %arg3 : tensor<?xf32>, memref<?xf32>, memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
// CHECK-NEXT:     %dim_0 = memref.dim %0#2, %c0 : memref<?xf32>
// CHECK-NEXT:     return %dim, %dim_0 : index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @sizes(%t: tensor<?xf32>, %u: tensor<4xf32>, %m: memref<?xf32>, %n: memref<?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:3 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %t, %b = %m, %c = %m) -> (tensor<?xf32>, memref<?xf32>, memref<?xf32>) {
    %0 = tensor.dim %a, %c0 : tensor<?xf32>
    %1 = memref.dim %b, %c0 : memref<?xf32>
    %2 = memref.dim %c, %c0 : memref<?xf32>
    "test.use"(%0, %1, %2) : (index, index, index) -> ()
    %3 = tensor.insert_slice %u into %a[%i] [4] [1] : tensor<4xf32> into tensor<?xf32>
    %4 = scf.for %j = %c0 to %c9 step %c1 iter_args(%d = %3) -> (tensor<?xf32>) {
      scf.yield %d : tensor<?xf32>
    }
    scf.yield %4, %b, %n : tensor<?xf32>, memref<?xf32>, memref<?xf32>
  }
  %5 = tensor.dim %r#0, %c0 : tensor<?xf32>
  %6 = memref.dim %r#2, %c0 : memref<?xf32>
  return %5, %6 : index, index
}
