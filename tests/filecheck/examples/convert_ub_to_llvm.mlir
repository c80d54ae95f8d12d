// Poison becomes that of LLVM.
// RUN: xgpu-opt %s --convert-ub-to-llvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f() -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.poison : i32
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() -> i32 {
  %0 = ub.poison : i32
  return %0 : i32
}
