// RUN: xgpu-opt %s --sccp | filecheck %s

// Cases wider than 64 bits are compared as they are.

// CHECK: return %c2
func.func @wide() -> i32 {
  %f = arith.constant -36893488147419103232 : i66
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  cf.switch %f : i66, [
    default: ^bb1(%c1 : i32),
    -36893488147419103232: ^bb1(%c2 : i32)
  ]
^bb1(%r: i32):
  return %r : i32
}
