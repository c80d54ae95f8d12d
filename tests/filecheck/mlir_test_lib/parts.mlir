// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --int-range-optimizations | filecheck %s --match-full-lines

// The library has a part of MLIR's test dialect: the rest is kept as it is written.
// CHECK: module {
// CHECK-NEXT:   func.func @unknown(%arg0: !test.other<4, "x">) {
// CHECK-NEXT:     "test.other"(%arg0) {value = #test.other<1>} : (!test.other<4, "x">) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @unknown(%a: !test.other<4, "x">) {
  "test.other"(%a) {value = #test.other<1>} : (!test.other<4, "x">) -> ()
  return
}

// Its constants are its own, and it says of which of its types and attributes memory can be.
// CHECK-NEXT:   func.func @known(%arg0: memref<4x!test.memref_element>, %arg1: !ptr.ptr<#test.const_memory_space<3>>) -> (index, index) {
// CHECK-NEXT:     %0 = "test.constant"() <{value = 3 : index}> : () -> index
// CHECK-NEXT:     %1 = test.with_bounds {smax = 2 : index, smin = 1 : index, umax = 2 : index, umin = 1 : index} : index
// CHECK-NEXT:     %2 = test.increment %1 : index
// CHECK-NEXT:     %3 = test.reflect_bounds {smax = 3 : index, smin = 2 : index, umax = 3 : index, umin = 2 : index} %2 : index
// CHECK-NEXT:     return %0, %3 : index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @known(%m: memref<4x!test.memref_element>, %p: !ptr.ptr<#test.const_memory_space<3>>) -> (index, index) {
  %0 = test.with_bounds {umin = 3 : index, umax = 3 : index, smin = 3 : index, smax = 3 : index} : index
  %1 = test.with_bounds {umin = 1 : index, umax = 2 : index, smin = 1 : index, smax = 2 : index} : index
  %2 = test.increment %1 : index
  %3 = test.reflect_bounds %2 : index
  return %0, %3 : index, index
}
