// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// A size of a reshaped memref is in the shape that it was given, as that was when it was reshaped.

func.func @constant(%m: memref<*xf32>, %shape: memref<3xindex>) -> index {
  %c1 = arith.constant 1 : index
  %0 = memref.reshape %m(%shape) : (memref<*xf32>, memref<3xindex>) -> memref<?x?x?xf32>
  "test.writes"(%shape) : (memref<3xindex>) -> ()
  %1 = memref.dim %0, %c1 : memref<?x?x?xf32>
  return %1 : index
}

func.func @argument(%m: memref<*xf32>, %shape: memref<?xindex>, %i: index) -> index {
  %0 = memref.reshape %m(%shape) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %1 = memref.dim %0, %i : memref<*xf32>
  return %1 : index
}

func.func @of_integers(%m: memref<*xf32>, %shape: memref<?xi32>, %i: index) -> index {
  %0 = memref.reshape %m(%shape) : (memref<*xf32>, memref<?xi32>) -> memref<*xf32>
  %1 = memref.dim %0, %i : memref<*xf32>
  return %1 : index
}

func.func @computed_before(%m: memref<*xf32>, %shape: memref<?xindex>, %i: index) -> index {
  %j = arith.addi %i, %i : index
  %0 = memref.reshape %m(%shape) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %1 = memref.dim %0, %j : memref<*xf32>
  return %1 : index
}

func.func @computed_behind(%m: memref<*xf32>, %shape: memref<?xindex>, %i: index) -> index {
  %0 = memref.reshape %m(%shape) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %j = arith.addi %i, %i : index
  %1 = memref.dim %0, %j : memref<*xf32>
  return %1 : index
}

func.func @in_a_loop(%m: memref<*xf32>, %shape: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.reshape %m(%shape) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  scf.for %i = %c0 to %n step %c1 {
    %1 = memref.dim %0, %i : memref<*xf32>
    "test.use"(%1) : (index) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %1 = memref.reshape %m(%shape) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
    %2 = memref.dim %1, %i : memref<*xf32>
    "test.use"(%2) : (index) -> ()
  }
  return
}

func.func @in_another_block(%m: memref<*xf32>, %shape: memref<?xindex>, %i: index, %p: i1) -> index {
  %j = arith.addi %i, %i : index
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  %0 = memref.reshape %m(%shape) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %1 = memref.dim %0, %j : memref<*xf32>
  return %1 : index
^bb2:
  return %i : index
}

// CHECK: module {
// CHECK-NEXT:   func.func @constant(%arg0: memref<*xf32>, %arg1: memref<3xindex>) -> index {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = memref.load %arg1[%c1] : memref<3xindex>
// CHECK-NEXT:     "test.writes"(%arg1) : (memref<3xindex>) -> ()
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @argument(%arg0: memref<*xf32>, %arg1: memref<?xindex>, %arg2: index) -> index {
// CHECK-NEXT:     %0 = memref.load %arg1[%arg2] : memref<?xindex>
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @of_integers(%arg0: memref<*xf32>, %arg1: memref<?xi32>, %arg2: index) -> index {
// CHECK-NEXT:     %0 = memref.load %arg1[%arg2] : memref<?xi32>
// CHECK-NEXT:     %1 = arith.index_cast %0 : i32 to index
// CHECK-NEXT:     return %1 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @computed_before(%arg0: memref<*xf32>, %arg1: memref<?xindex>, %arg2: index) -> index {
// CHECK-NEXT:     %0 = arith.addi %arg2, %arg2 : index
// CHECK-NEXT:     %1 = memref.load %arg1[%0] : memref<?xindex>
// CHECK-NEXT:     return %1 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @computed_behind(%arg0: memref<*xf32>, %arg1: memref<?xindex>, %arg2: index) -> index {
// CHECK-NEXT:     %reshape = memref.reshape %arg0(%arg1) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
// CHECK-NEXT:     %0 = arith.addi %arg2, %arg2 : index
// CHECK-NEXT:     %dim = memref.dim %reshape, %0 : memref<*xf32>
// CHECK-NEXT:     return %dim : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @in_a_loop(%arg0: memref<*xf32>, %arg1: memref<?xindex>, %arg2: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %reshape = memref.reshape %arg0(%arg1) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
// CHECK-NEXT:     scf.for %arg3 = %c0 to %arg2 step %c1 {
// CHECK-NEXT:       %dim = memref.dim %reshape, %arg3 : memref<*xf32>
// CHECK-NEXT:       "test.use"(%dim) : (index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %arg3 = %c0 to %arg2 step %c1 {
// CHECK-NEXT:       %0 = memref.load %arg1[%arg3] : memref<?xindex>
// CHECK-NEXT:       "test.use"(%0) : (index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @in_another_block(%arg0: memref<*xf32>, %arg1: memref<?xindex>, %arg2: index, %arg3: i1) -> index {
// CHECK-NEXT:     %0 = arith.addi %arg2, %arg2 : index
// CHECK-NEXT:     cf.cond_br %arg3, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %1 = memref.load %arg1[%0] : memref<?xindex>
// CHECK-NEXT:     return %1 : index
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     return %arg2 : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
