// A buffer that each iteration allocates is allocated once, before the loop.
// RUN: xgpu-opt %s --buffer-loop-hoisting | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @use(memref<16xf32>)
func.func private @use(memref<16xf32>)
// CHECK-NEXT:   func.func @f(%arg0: index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %alloca = memref.alloca() : memref<16xf32>
// CHECK-NEXT:     scf.for %arg1 = %c0 to %arg0 step %c1 {
// CHECK-NEXT:       func.call @use(%alloca) : (memref<16xf32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloca() : memref<16xf32>
    func.call @use(%0) : (memref<16xf32>) -> ()
  }
  return
}
