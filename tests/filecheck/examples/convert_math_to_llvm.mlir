// A function of math becomes an intrinsic of LLVM.
// RUN: xgpu-opt %s --convert-math-to-llvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: f32) -> f32 {
// CHECK-NEXT:     %0 = llvm.intr.sqrt(%arg0) : (f32) -> f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  return %0 : f32
}
