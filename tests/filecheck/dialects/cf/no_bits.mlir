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
