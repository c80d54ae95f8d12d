// Parts of complex numbers are computed by arith and math.
// RUN: xgpu-opt %s --convert-complex-to-standard | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: complex<f32>) -> complex<f32> {
// CHECK-NEXT:     %0 = complex.re %arg0 : complex<f32>
// CHECK-NEXT:     %1 = complex.im %arg0 : complex<f32>
// CHECK-NEXT:     %2 = arith.negf %0 : f32
// CHECK-NEXT:     %3 = arith.negf %1 : f32
// CHECK-NEXT:     %4 = complex.create %2, %3 : complex<f32>
// CHECK-NEXT:     return %4 : complex<f32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%z: complex<f32>) -> complex<f32> {
  %0 = complex.neg %z : complex<f32>
  return %0 : complex<f32>
}
