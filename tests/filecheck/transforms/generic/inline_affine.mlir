// RUN: xgpu-opt --inline=default-pipeline='' --split-input-file %s | filecheck %s --match-full-lines

// What is a symbol at the top of a function would not be one in a loop.

// CHECK: module {
// CHECK-NEXT:   func.func private @index() -> index
func.func private @index() -> index

// CHECK-NEXT:   func.func @computed(%arg0: memref<?xf32>) {
// CHECK-NEXT:     %0 = call @index() : () -> index
// CHECK-NEXT:     %1 = affine.load %arg0[%0] : memref<?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @computed(%m: memref<?xf32>) {
  %0 = call @index() : () -> index
  %1 = affine.load %m[%0] : memref<?xf32>
  return
}

// CHECK-NEXT:   func.func @stays(%arg0: memref<?xf32>) {
// CHECK-NEXT:     affine.for %arg1 = 0 to 4 {
// CHECK-NEXT:       func.call @computed(%arg0) : (memref<?xf32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @stays(%m: memref<?xf32>) {
  affine.for %i = 0 to 4 {
    func.call @computed(%m) : (memref<?xf32>) -> ()
  }
  return
}

// -----

// Induction variables are dimensions, constants and sizes both.

func.func private @dimension(%i: index, %m: memref<?xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  %0 = affine.load %m[%i + %c3] : memref<?xf32>
  affine.store %0, %m[%i + symbol(%size)] : memref<?xf32>
  return %0 : f32
}

func.func @goes(%m: memref<?xf32>) {
  affine.for %i = 0 to 4 {
    %0 = func.call @dimension(%i, %m) : (index, memref<?xf32>) -> f32
  }
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @goes(%arg0: memref<?xf32>) {
// CHECK-NEXT:     affine.for %arg1 = 0 to 4 {
// CHECK-NEXT:       %c3 = arith.constant 3 : index
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:       %0 = affine.load %arg0[%arg1 + %c3] : memref<?xf32>
// CHECK-NEXT:       affine.store %0, %arg0[%arg1 + symbol(%dim)] : memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// A symbol may be what is fixed in the function around.

func.func private @symbol(%s: index, %m: memref<?xf32>) {
  %0 = affine.load %m[symbol(%s)] : memref<?xf32>
  return
}

func.func @around(%m: memref<?xf32>, %s: index) {
  affine.for %i = 0 to 4 {
    func.call @symbol(%s, %m) : (index, memref<?xf32>) -> ()
  }
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @around(%arg0: memref<?xf32>, %arg1: index) {
// CHECK-NEXT:     affine.for %arg2 = 0 to 4 {
// CHECK-NEXT:       %0 = affine.load %arg0[symbol(%arg1)] : memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// What values of loops in the callee are for is not known; nor do blocks fit.

func.func private @nested(%m: memref<?xf32>) {
  affine.for %i = 0 to 4 {
  }
  return
}

func.func private @blocks(%m: memref<?xf32>) {
  cf.br ^bb1
^bb1:
  return
}

func.func @both(%m: memref<?xf32>) {
  affine.for %i = 0 to 4 {
    func.call @nested(%m) : (memref<?xf32>) -> ()
    func.call @blocks(%m) : (memref<?xf32>) -> ()
  }
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func private @nested(%arg0: memref<?xf32>) {
// CHECK-NEXT:     affine.for %arg1 = 0 to 4 {
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @blocks(%arg0: memref<?xf32>) {
// CHECK-NEXT:     cf.br ^bb1
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @both(%arg0: memref<?xf32>) {
// CHECK-NEXT:     affine.for %arg1 = 0 to 4 {
// CHECK-NEXT:       func.call @nested(%arg0) : (memref<?xf32>) -> ()
// CHECK-NEXT:       func.call @blocks(%arg0) : (memref<?xf32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
