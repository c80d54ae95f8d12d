// RUN: xgpu-opt %s --symbol-dce | filecheck %s

func.func private @unused()
func.func private @used_by_dead() {
  return
}
func.func private @dead() {
  call @used_by_dead() : () -> ()
  return
}
func.func private @used()
func.func @main() {
  call @used() : () -> ()
  return
}

// CHECK-LABEL: func.func private @used()
// CHECK-LABEL: func.func @main() {
// CHECK-NEXT:      call @used() : () -> ()
// CHECK-NEXT:      return
// CHECK-NEXT:    }
