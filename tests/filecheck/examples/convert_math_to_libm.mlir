// A function of math becomes a call of libm.
// RUN: xgpu-opt %s --convert-math-to-libm | filecheck %s --match-full-lines

func.func @f(%x: f32) -> f32 {
  %0 = math.atan2 %x, %x : f32
  return %0 : f32
}

// CHECK: module {
// CHECK-NEXT:   func.func private @atan2f(f32, f32) -> f32 attributes {llvm.readnone}
// CHECK-NEXT:   func.func @f(%arg0: f32) -> f32 {
// CHECK-NEXT:     %0 = call @atan2f(%arg0, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
