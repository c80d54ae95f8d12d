// RUN: xgpu-opt %s --reconcile-unrealized-casts | filecheck %s

// Casts that undo each other.

func.func @pair(%a: i64) -> i64 {
  %0 = builtin.unrealized_conversion_cast %a : i64 to i32
  %1 = builtin.unrealized_conversion_cast %0 : i32 to i64
  return %1 : i64
}
func.func @several(%a: i64, %b: i32) -> (i64, i32) {
  %0 = builtin.unrealized_conversion_cast %a, %b : i64, i32 to f64
  %1:2 = builtin.unrealized_conversion_cast %0 : f64 to i64, i32
  return %1#0, %1#1 : i64, i32
}
func.func @stays(%a: i64) -> i32 {
  %0 = builtin.unrealized_conversion_cast %a : i64 to i32
  return %0 : i32
}

// CHECK: module {
// CHECK-NEXT: func.func @pair(%arg0: i64) -> i64 {
// CHECK-NEXT: return %arg0 : i64
// CHECK-NEXT: }
// CHECK-NEXT: func.func @several(%arg0: i64, %arg1: i32) -> (i64, i32) {
// CHECK-NEXT: return %arg0, %arg1 : i64, i32
// CHECK-NEXT: }
// CHECK-NEXT: func.func @stays(%arg0: i64) -> i32 {
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg0 : i64 to i32
// CHECK-NEXT: return %0 : i32
// CHECK-NEXT: }
// CHECK-NEXT: }
