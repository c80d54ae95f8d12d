// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s
// Cases of a flag without a sign, whatever they are written as.

// CHECK:      cf.switch %arg0 : ui32, [
// CHECK-NEXT:   default: ^bb1,
// CHECK-NEXT:   4294967295: ^bb1,
// CHECK-NEXT:   2147483648: ^bb1,
// CHECK-NEXT:   7: ^bb1
// CHECK-NEXT: ]
func.func @without_a_sign(%a: ui32) {
  cf.switch %a : ui32, [
    default: ^bb1,
    -1: ^bb1,
    2147483648: ^bb1,
    4294967303: ^bb1
  ]
^bb1:
  return
}

// CHECK:      cf.switch %arg0 : si32, [
// CHECK-NEXT:   default: ^bb1,
// CHECK-NEXT:   4294967295: ^bb1
// CHECK-NEXT: ]
func.func @with_a_sign(%a: si32) {
  cf.switch %a : si32, [
    default: ^bb1,
    -1: ^bb1
  ]
^bb1:
  return
}
