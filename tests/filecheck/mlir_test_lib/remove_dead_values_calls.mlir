// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --remove-dead-values | filecheck %s --match-full-lines

// Of an operation that calls only the operands that it passes on go.
// CHECK: module {
// CHECK-NEXT:   func.func private @callee(%arg0: i32) {
// CHECK-NEXT:     vector.print %arg0 : i32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func private @callee(%a: i32, %b: i32) {
  vector.print %a : i32
  return
}
// CHECK-NEXT:   func.func @segments(%arg0: i32, %arg1: i32, %arg2: i32) {
// CHECK-NEXT:     test.call_with_segments @callee(%arg2 : i32) (%arg0 : i32) (%arg2 : i32)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @segments(%a: i32, %b: i32, %c: i32) {
  "test.call_with_segments"(%c, %a, %b, %c) <{callee = @callee, operandSegmentSizes = array<i32: 1, 2, 1>}> : (i32, i32, i32, i32) -> ()
  return
}
// CHECK-NEXT:   func.func @device(%arg0: i32, %arg1: i32, %arg2: i32) {
// CHECK-NEXT:     test.call_on_device @callee(%arg0), %arg2 : (i32, i32) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @device(%a: i32, %b: i32, %c: i32) {
  test.call_on_device @callee(%a, %b), %c : (i32, i32, i32) -> ()
  return
}
