// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @call_indirect(%arg0: (i32) -> f32, %arg1: i32) -> f32 {
// CHECK-NEXT:     %0 = call_indirect %arg0(%arg1) : (i32) -> f32
// CHECK-NEXT:     %1 = call_indirect %arg0(%arg1) {mark} : (i32) -> f32
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
func.func @call_indirect(%f: (i32) -> f32, %x: i32) -> f32 {
  %0 = func.call_indirect %f(%x) : (i32) -> f32
  %1 = call_indirect %f(%x) {mark} : (i32) -> f32
  return %1 : f32
}

// CHECK-NEXT:   func.func @constant() {
// CHECK-NEXT:     %f = constant @call_indirect : ((i32) -> f32, i32) -> f32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @constant() {
  %f = func.constant @call_indirect : ((i32) -> f32, i32) -> f32
  return
}
