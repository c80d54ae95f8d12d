// A private function without a use disappears.
// RUN: xgpu-opt %s --symbol-dce | filecheck %s --match-full-lines

func.func private @unused() {
  return
}
func.func @f() {
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @f() {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
