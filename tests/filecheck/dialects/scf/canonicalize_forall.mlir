// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// forall: constant bounds are static, dimensions of one iteration go where there is no mapping.

// CHECK: module {
// CHECK-NEXT:   func.func @constants(%arg0: index) {
// CHECK-NEXT:     scf.forall (%arg1, %arg2) = (0, %arg0) to (8, 8) step (2, %arg0) {
// CHECK-NEXT:       "test.use"(%arg1, %arg2) : (index, index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @constants(%n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.forall (%i, %j) = (%c0, %n) to (%c8, %c8) step (%c2, %n) {
    "test.use"(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-NEXT:   func.func @one_iteration(%arg0: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.forall (%arg1) in (%arg0) {
// CHECK-NEXT:       "test.use"(%c1, %arg1) : (index, index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     "test.both"(%c0, %c0) : (index, index) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @one_iteration(%n: index) {
  scf.forall (%i, %j) = (1, 0) to (3, %n) step (2, 1) {
    "test.use"(%i, %j) : (index, index) -> ()
  }
  scf.forall (%i, %j) in (1, 1) {
    "test.both"(%i, %j) : (index, index) -> ()
  }
  scf.forall (%i) = (%n) to (%n) step (2) {
    "test.other"(%i) : (index) -> ()
  }
  return
}

// CHECK-NEXT:   func.func @none(%arg0: index, %arg1: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:     return %arg1 : tensor<8xf32>
// CHECK-NEXT:   }
func.func @none(%n: index, %t: tensor<8xf32>) -> tensor<8xf32> {
  %0 = scf.forall (%i, %j) in (0, %n) shared_outs(%o = %t) -> tensor<8xf32> {
    %v = "test.value"(%i, %j) : (index, index) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// CHECK-NEXT:   func.func @with_outputs(%arg0: index, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = scf.forall (%arg2) in (%arg0) shared_outs(%arg3 = %arg1) -> (tensor<8xf32>) {
// CHECK-NEXT:       %2 = "test.value"(%c0, %arg2) : (index, index) -> tensor<1xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %2 into %arg3[%arg2] [1] [1] : tensor<1xf32> into tensor<8xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = "test.value"(%c0) : (index) -> tensor<1xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %1 into %arg1[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
// CHECK-NEXT:     return %0, %inserted_slice : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:   }
func.func @with_outputs(%n: index, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = scf.forall (%i, %j) in (1, %n) shared_outs(%o = %t) -> tensor<8xf32> {
    %v = "test.value"(%i, %j) : (index, index) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%j] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  %1 = scf.forall (%i) in (1) shared_outs(%o = %t) -> tensor<8xf32> {
    %v = "test.value"(%i) : (index) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-NEXT:   func.func @mapped(%arg0: index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.forall (%arg1, %arg2) = (1, 0) to (3, %arg0) step (2, 1) {
// CHECK-NEXT:       "test.use"(%c1, %arg2) : (index, index) -> ()
// CHECK-NEXT:     } {mapping = [#gpu.block<x>, #gpu.block<y>]}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @mapped(%n: index) {
  scf.forall (%i, %j) = (1, 0) to (3, %n) step (2, 1) {
    "test.use"(%i, %j) : (index, index) -> ()
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
  return
}

// CHECK-NEXT:   func.func @two_outputs(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = "test.value"(%c2) : (index) -> tensor<1xf32>
// CHECK-NEXT:     %1 = "test.value"(%arg0) : (tensor<8xf32>) -> tensor<2xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg0[2] [1] [1] : tensor<1xf32> into tensor<8xf32>
// CHECK-NEXT:     %inserted_slice_0 = tensor.insert_slice %1 into %arg0[0] [2] [2] : tensor<2xf32> into tensor<8xf32>
// CHECK-NEXT:     return %inserted_slice, %inserted_slice_0 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @two_outputs(%t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c3 = arith.constant 3 : index
  %0:2 = scf.forall (%i) = (2) to (%c3) step (1) shared_outs(%o = %t, %p = %t) -> (tensor<8xf32>, tensor<8xf32>) {
    %v = "test.value"(%i) : (index) -> tensor<1xf32>
    %w = "test.value"(%o) : (tensor<8xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %w into %p[0] [2] [%i] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
