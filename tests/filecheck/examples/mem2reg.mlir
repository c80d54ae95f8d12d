// What a memory slot holds becomes values; where two stores meet, a block argument.
// RUN: xgpu-opt --mem2reg="region-simplify=false" %s | filecheck %s --match-full-lines

func.func @larger(%a: f32, %b: f32) -> f32 {
  %slot = memref.alloca() : memref<f32>
  memref.store %a, %slot[] : memref<f32>
  %c = arith.cmpf ogt, %b, %a : f32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.store %b, %slot[] : memref<f32>
  cf.br ^bb2
^bb2:
  %r = memref.load %slot[] : memref<f32>
  return %r : f32
}

// CHECK: module {
// CHECK-NEXT:   func.func @larger(%arg0: f32, %arg1: f32) -> f32 {
// CHECK-NEXT:     %0 = arith.cmpf ogt, %arg1, %arg0 : f32
// CHECK-NEXT:     cf.cond_br %0, ^bb1, ^bb2(%arg0 : f32)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     cf.br ^bb2(%arg1 : f32)
// CHECK-NEXT:   ^bb2(%1: f32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
