// RUN: xgpu-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK:      func.func @kept(
// CHECK:      // -----
// CHECK-NEXT: // -----
// CHECK:      func.func @last(
func.func @kept(%x: i32) -> i32 {
  return %x : i32
}

// -----

func.func @wrong() -> i32 {
  // expected-error @+1 {{'func.return' op has 0 operands, but enclosing function}}
  return
}

// -----

func.func @last() {
  return
}
