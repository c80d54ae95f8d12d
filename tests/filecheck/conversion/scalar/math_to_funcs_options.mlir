// RUN: xgpu-opt %s --pass-pipeline='builtin.module(convert-math-to-funcs{min-width-of-fpowi-exponent=33})' | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @narrow(%arg0: f64, %arg1: i32, %arg2: i16) {
// CHECK-NEXT:     %0 = math.fpowi %arg0, %arg1 : f64, i32
// CHECK-NEXT:     %1 = math.ctlz %arg2 : i16
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @narrow(%a: f64, %b: i32, %c: i16) {
  %0 = math.fpowi %a, %b : f64, i32
  %1 = math.ctlz %c : i16
  return
}
