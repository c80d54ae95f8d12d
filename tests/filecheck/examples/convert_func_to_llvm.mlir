// Functions and calls become those of LLVM; a memref is a struct of pointers, sizes and strides.
// RUN: xgpu-opt %s --convert-func-to-llvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @g(i32) -> i32 attributes {sym_visibility = "private"}
func.func private @g(i32) -> i32
// CHECK-NEXT:   llvm.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.call @g(%arg0) : (i32) -> i32
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%x: i32) -> i32 {
  %0 = call @g(%x) : (i32) -> i32
  return %0 : i32
}
