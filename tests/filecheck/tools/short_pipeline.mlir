// RUN: xgpu-opt -p 'builtin.module(func.func(canonicalize),cse)' %s | filecheck %s --match-full-lines
// RUN: xgpu-opt -p 'canonicalize,cse' %s | filecheck %s --match-full-lines

// -p takes a whole pipeline, as mlir-opt's short form of --pass-pipeline, and a list of passes.

// CHECK: module {
// CHECK-NEXT:   func.func @f() -> i32 {
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     return %c2_i32 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %c1, %c1 : i32
  return %0 : i32
}
