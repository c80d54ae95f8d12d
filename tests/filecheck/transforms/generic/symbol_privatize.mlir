// RUN: xgpu-opt --symbol-privatize %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --symbol-privatize=exclude=kept,also --split-input-file %s | filecheck %s --match-full-lines --check-prefix=EXCLUDE

// CHECK: module {
// CHECK-NEXT:   func.func private @f() {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// EXCLUDE: module {
// EXCLUDE-NEXT:   func.func private @f() {
// EXCLUDE-NEXT:     return
// EXCLUDE-NEXT:   }
func.func @f() {
  return
}

// CHECK-NEXT:   func.func private @kept() {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// EXCLUDE-NEXT:   func.func @kept() {
// EXCLUDE-NEXT:     return
// EXCLUDE-NEXT:   }
func.func @kept() {
  return
}

// CHECK-NEXT:   func.func private @also() {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// EXCLUDE-NEXT:   func.func @also() {
// EXCLUDE-NEXT:     return
// EXCLUDE-NEXT:   }
func.func @also() {
  return
}

// CHECK-NEXT:   memref.global "private" @g : memref<4xf32>
// EXCLUDE-NEXT:   memref.global "private" @g : memref<4xf32>
memref.global @g : memref<4xf32>

// CHECK-NEXT:   gpu.module @kernels attributes {sym_visibility = "private"} {
// CHECK-NEXT:     gpu.func @inner() kernel {
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// EXCLUDE-NEXT:   gpu.module @kernels attributes {sym_visibility = "private"} {
// EXCLUDE-NEXT:     gpu.func @inner() kernel {
// EXCLUDE-NEXT:       gpu.return
// EXCLUDE-NEXT:     }
// EXCLUDE-NEXT:   }
gpu.module @kernels {
  gpu.func @inner() kernel {
    gpu.return
  }
}

// CHECK-NEXT:   module @named attributes {sym_visibility = "private"} {
// CHECK-NEXT:   }
// CHECK-NEXT: }
// EXCLUDE-NEXT:   module @named attributes {sym_visibility = "private"} {
// EXCLUDE-NEXT:   }
// EXCLUDE-NEXT: }
module @named {
}
