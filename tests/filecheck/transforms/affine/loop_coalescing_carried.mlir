// RUN: xgpu-opt %s --affine-loop-coalescing --allow-unregistered-dialect | filecheck %s --match-full-lines

// What the inner loop carries along begins anew in each iteration of the outer one; MLIR forgets it.
// CHECK: module {
// CHECK-NEXT:   func.func @begins_anew(%arg0: f32) {
// CHECK-NEXT:     affine.for %arg1 = 0 to 8 {
// CHECK-NEXT:       %0 = affine.for %arg2 = 0 to 4 iter_args(%arg3 = %arg0) -> (f32) {
// CHECK-NEXT:         %1 = arith.addf %arg3, %arg3 : f32
// CHECK-NEXT:         "test.use"(%1) : (f32) -> ()
// CHECK-NEXT:         affine.yield %1 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @begins_anew(%a: f32) {
  affine.for %i = 0 to 8 {
    %1 = affine.for %j = 0 to 4 iter_args(%y = %a) -> (f32) {
      %2 = arith.addf %y, %y : f32
      "test.use"(%2) : (f32) -> ()
      affine.yield %2 : f32
    }
  }
  return
}
