// RUN: xgpu-opt --buffer-loop-hoisting %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @hoisted(%arg0: index, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:     scf.for %arg2 = %c0 to %arg0 step %c1 {
// CHECK-NEXT:       %alloc_0 = memref.alloc(%arg2) : memref<?xf32>
// CHECK-NEXT:       scf.for %arg3 = %c0 to %arg2 step %c1 {
// CHECK-NEXT:         memref.store %arg1, %alloc[%c0] : memref<4xf32>
// CHECK-NEXT:         memref.store %arg1, %alloc_0[%c0] : memref<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @hoisted(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %a = memref.alloc() : memref<4xf32>
      %b = memref.alloc(%i) : memref<?xf32>
      memref.store %x, %a[%c0] : memref<4xf32>
      memref.store %x, %b[%c0] : memref<?xf32>
    }
  }
  return
}

// A buffer that goes on to the next iteration is another one each time.
// CHECK-NEXT:   func.func @carried(%arg0: index, %arg1: memref<4xf32>, %arg2: i1) -> memref<4xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg1) -> (memref<4xf32>) {
// CHECK-NEXT:       %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT:       scf.if %arg2 {
// CHECK-NEXT:         %alloc_0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:         memref.copy %alloc, %alloc_0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %alloc : memref<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : memref<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @carried(%n: index, %m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.if %c {
      %b = memref.alloc() : memref<4xf32>
      memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    }
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}
