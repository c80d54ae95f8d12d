// RUN: xgpu-opt %s --allow-unregistered-dialect | filecheck %s --match-full-lines
// A definition takes the properties that it knows; who has none keeps all.

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i32) {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT:     "test.x"() <{x = 5 : i64}> : () -> ()
// CHECK-NEXT:     nvvm.inline_ptx ""
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @f(%a: i32) {
  %0 = "arith.addi"(%a, %a) <{x = 5}> : (i32, i32) -> i32
  "test.x"() <{x = 5}> : () -> ()
  "nvvm.inline_ptx"() <{a = "a", ptxCode = "", operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
  return
}
// CHECK-NEXT: }
