// A structured operation becomes a launch, a thread for each element.
// RUN: xgpu-opt %s --convert-linalg-to-gpu | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: f32, %arg1: memref<8x128xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %c1_0 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c8, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c128, %arg12 = %c1_0, %arg13 = %c1) {
// CHECK-NEXT:       memref.store %arg0, %arg1[%arg2, %arg5] : memref<8x128xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: f32, %m: memref<8x128xf32>) {
  linalg.fill ins(%x : f32) outs(%m : memref<8x128xf32>)
  return
}
