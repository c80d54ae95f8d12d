// A minimum of which one result is always the smaller has that result alone.
// RUN: xgpu-opt %s --pass-pipeline='builtin.module(func.func(affine-simplify-min-max))' | filecheck %s --match-full-lines

#map = affine_map<(d0) -> (d0, 64)>
// CHECK: module {
// CHECK-NEXT:   func.func @f() -> index {
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     return %c16 : index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() -> index {
  %c = arith.constant 16 : index
  %0 = affine.min #map(%c)
  return %0 : index
}
