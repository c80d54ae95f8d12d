// RUN: xgpu-opt %s --inline | filecheck %s

// A function that calls itself is not inlined, neither directly nor over another.
// CHECK-LABEL: func.func private @self
// CHECK: call @self
func.func private @self(%a: i32) -> i32 {
  %0 = call @self(%a) : (i32) -> i32
  return %0 : i32
}
// CHECK-LABEL: func.func private @ping
// CHECK: call @pong
func.func private @ping(%a: i32) -> i32 {
  %0 = call @pong(%a) : (i32) -> i32
  return %0 : i32
}
// CHECK-LABEL: func.func private @pong
// CHECK: call @ping
func.func private @pong(%a: i32) -> i32 {
  %0 = call @ping(%a) : (i32) -> i32
  return %0 : i32
}
// What came in by inlining @ping does not inline @ping again.
// CHECK-LABEL: func.func @main
// CHECK: %[[S:.*]] = call @self
// CHECK-NEXT: %[[P:.*]] = call @ping(%[[S]])
// CHECK-NEXT: return %[[P]]
func.func @main(%a: i32) -> i32 {
  %0 = call @self(%a) : (i32) -> i32
  %1 = call @ping(%0) : (i32) -> i32
  return %1 : i32
}
