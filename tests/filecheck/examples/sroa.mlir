// A memory slot of several elements becomes one slot for each that is used.
// RUN: xgpu-opt --sroa %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @sum(%arg0: f32, %arg1: f32) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %alloca = memref.alloca() : memref<f32>
// CHECK-NEXT:     %alloca_0 = memref.alloca() : memref<f32>
// CHECK-NEXT:     memref.store %arg0, %alloca[] : memref<f32>
// CHECK-NEXT:     memref.store %arg1, %alloca_0[] : memref<f32>
// CHECK-NEXT:     %0 = memref.load %alloca[] : memref<f32>
// CHECK-NEXT:     %1 = memref.load %alloca_0[] : memref<f32>
// CHECK-NEXT:     %2 = arith.addf %0, %1 : f32
// CHECK-NEXT:     return %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @sum(%a: f32, %b: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pair = memref.alloca() : memref<2xf32>
  memref.store %a, %pair[%c0] : memref<2xf32>
  memref.store %b, %pair[%c1] : memref<2xf32>
  %x = memref.load %pair[%c0] : memref<2xf32>
  %y = memref.load %pair[%c1] : memref<2xf32>
  %s = arith.addf %x, %y : f32
  return %s : f32
}
