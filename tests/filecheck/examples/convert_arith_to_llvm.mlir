// Arithmetic operations become those of LLVM.
// RUN: xgpu-opt %s --convert-arith-to-llvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i32, %arg1: i32, %arg2: f32) -> (i32, f32) {
// CHECK-NEXT:     %0 = llvm.add %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = llvm.fmul %arg2, %arg2 {fastmathFlags = #llvm.fastmath<contract>} : f32
// CHECK-NEXT:     return %0, %1 : i32, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: i32, %b: i32, %x: f32) -> (i32, f32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.mulf %x, %x fastmath<contract> : f32
  return %0, %1 : i32, f32
}
