// RUN: xgpu-opt --convert-math-to-llvm %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --convert-math-to-llvm=approximate-log1p=false %s | filecheck %s --match-full-lines --check-prefix=EXACT

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: f32) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK-NEXT:     %1 = llvm.fadd %0, %arg0 : f32
// CHECK-NEXT:     %2 = llvm.intr.log(%1) : (f32) -> f32
// CHECK-NEXT:     return %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
// EXACT: module {
// EXACT-NEXT:   func.func @f(%arg0: f32) -> f32 {
// EXACT-NEXT:     %0 = math.log1p %arg0 : f32
// EXACT-NEXT:     return %0 : f32
// EXACT-NEXT:   }
// EXACT-NEXT: }
func.func @f(%x: f32) -> f32 {
  %0 = math.log1p %x : f32
  return %0 : f32
}
