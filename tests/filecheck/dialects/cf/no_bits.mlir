// RUN: xgpu-opt %s | filecheck %s

// CHECK: cf.switch %arg0 : i0, [
// CHECK: 0: ^bb1
func.func @no_bits(%f: i0) {
  cf.switch %f : i0, [
    default: ^bb1,
    0: ^bb1
  ]
^bb1:
  return
}

// CHECK: dense<0> : vector<1xi0>
func.func @zero() -> vector<1xi0> {
  %0 = arith.constant dense<0> : vector<1xi0>
  return %0 : vector<1xi0>
}

// CHECK-LABEL: @wide
// CHECK: 9223372036854775808: ^bb1
func.func @wide(%f: i65) {
  cf.switch %f : i65, [
    default: ^bb1,
    9223372036854775808: ^bb1
  ]
^bb1:
  return
}
