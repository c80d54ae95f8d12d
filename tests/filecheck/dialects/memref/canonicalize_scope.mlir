// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect --split-input-file | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @allocates(%arg0: i32) {
// CHECK-NEXT:     memref.alloca_scope  {
// CHECK-NEXT:       %0 = llvm.alloca %arg0 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:       llvm.store %arg0, %0 : i32, !llvm.ptr
// CHECK-NEXT:     }
// CHECK-NEXT:     "unknown.x"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @allocates(%c: i32) {
  memref.alloca_scope {
    %p = llvm.alloca %c x i32 : (i32) -> !llvm.ptr
    llvm.store %c, %p : i32, !llvm.ptr
  }
  "unknown.x"() : () -> ()
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func private @g()
func.func private @g()
// CHECK-NEXT:   func.func @calls(%arg0: i32) {
// CHECK-NEXT:     memref.alloca_scope  {
// CHECK-NEXT:       func.call @g() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     "unknown.x"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @calls(%c: i32) {
  memref.alloca_scope {
    func.call @g() : () -> ()
  }
  "unknown.x"() : () -> ()
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func private @g()
func.func private @g()
// CHECK-NEXT:   func.func @calls_deeper(%arg0: i1) {
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       memref.alloca_scope  {
// CHECK-NEXT:         func.call @g() : () -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @calls_deeper(%c: i1) {
  scf.if %c {
  memref.alloca_scope {
    func.call @g() : () -> ()
  }
  }
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func private @g()
func.func private @g()
// CHECK-NEXT:   func.func @ends_with_the_function(%arg0: i1) {
// CHECK-NEXT:     call @g() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @ends_with_the_function(%c: i1) {
  memref.alloca_scope {
    func.call @g() : () -> ()
  }
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @hoisted(%arg0: i1, %arg1: index) {
// CHECK-NEXT:     %alloca = memref.alloca(%arg1) : memref<?xi32>
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       memref.alloca_scope  {
// CHECK-NEXT:         "unknown.x"(%alloca) : (memref<?xi32>) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @hoisted(%c: i1, %n: index) {
  scf.if %c {
  memref.alloca_scope {
    %m = memref.alloca(%n) : memref<?xi32>
    "unknown.x"(%m) : (memref<?xi32>) -> ()
  }
  }
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @size_from_inside(%arg0: i1, %arg1: index) {
// CHECK-NEXT:     scf.if %arg0 {
// CHECK-NEXT:       %0 = arith.addi %arg1, %arg1 : index
// CHECK-NEXT:       memref.alloca_scope  {
// CHECK-NEXT:         %alloca = memref.alloca(%0) : memref<?xi32>
// CHECK-NEXT:         "unknown.x"(%alloca) : (memref<?xi32>) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @size_from_inside(%c: i1, %n: index) {
  scf.if %c {
  %k = arith.addi %n, %n : index
  memref.alloca_scope {
    %m = memref.alloca(%k) : memref<?xi32>
    "unknown.x"(%m) : (memref<?xi32>) -> ()
  }
  }
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @nothing_allocates(%arg0: i1, %arg1: memref<4xi32>) -> i32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = memref.load %arg1[%c0] : memref<4xi32>
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @nothing_allocates(%c: i1, %n: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (i32) {
    %m = memref.load %n[%c0] : memref<4xi32>
    gpu.barrier
    memref.alloca_scope.return %m : i32
  }
  return %r : i32
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @scope_inside(%arg0: i1, %arg1: memref<4xi32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %arg2 = %c0 to %c4 step %c1 {
// CHECK-NEXT:       %alloca = memref.alloca() : memref<4xi32>
// CHECK-NEXT:       memref.copy %arg1, %alloca : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:       memref.copy %alloca, %arg1 : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:     }
// CHECK-NEXT:     "unknown.x"() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @scope_inside(%c: i1, %n: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  memref.alloca_scope {
    scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.alloca() : memref<4xi32>
    memref.copy %n, %m : memref<4xi32> to memref<4xi32>
    memref.copy %m, %n : memref<4xi32> to memref<4xi32>
    }
  }
  "unknown.x"() : () -> ()
  return
}
