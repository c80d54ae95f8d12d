// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func private @callee(i32) -> f32
func.func private @callee(i32) -> f32

// CHECK-NEXT:   func.func @known(%arg0: i32) -> f32 {
// CHECK-NEXT:     %0 = call @callee(%arg0) : (i32) -> f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @known(%x: i32) -> f32 {
  %f = func.constant @callee : (i32) -> f32
  %0 = func.call_indirect %f(%x) : (i32) -> f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @unknown(%arg0: (i32) -> f32, %arg1: i32) -> f32 {
// CHECK-NEXT:     %0 = call_indirect %arg0(%arg1) : (i32) -> f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unknown(%f: (i32) -> f32, %x: i32) -> f32 {
  %0 = func.call_indirect %f(%x) : (i32) -> f32
  return %0 : f32
}
