// An argument that a private function does not use disappears.
// RUN: xgpu-opt %s --remove-dead-values | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @g(%arg0: i32) -> i32 {
// CHECK-NEXT:     return %arg0 : i32
// CHECK-NEXT:   }
func.func private @g(%used: i32, %unused: i32) -> i32 {
  return %used : i32
}
// CHECK-NEXT:   func.func @f(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0 = call @g(%arg0) : (i32) -> i32
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: i32, %y: i32) -> i32 {
  %0 = call @g(%x, %y) : (i32, i32) -> i32
  return %0 : i32
}
