// RUN: xgpu-opt --inline=default-pipeline='' %s | filecheck %s --match-full-lines

// A symbol cannot be the induction variable of a loop: mlir-opt inlines, and refuses the result.

// CHECK: module {
// CHECK-NEXT:   func.func private @symbol(%arg0: index, %arg1: memref<?xf32>) {
// CHECK-NEXT:     %0 = affine.load %arg1[symbol(%arg0)] : memref<?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func private @symbol(%s: index, %m: memref<?xf32>) {
  %0 = affine.load %m[symbol(%s)] : memref<?xf32>
  return
}

// CHECK-NEXT:   func.func @loop(%arg0: memref<?xf32>) {
// CHECK-NEXT:     affine.for %arg1 = 0 to 4 {
// CHECK-NEXT:       func.call @symbol(%arg1, %arg0) : (index, memref<?xf32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @loop(%m: memref<?xf32>) {
  affine.for %i = 0 to 4 {
    func.call @symbol(%i, %m) : (index, memref<?xf32>) -> ()
  }
  return
}
