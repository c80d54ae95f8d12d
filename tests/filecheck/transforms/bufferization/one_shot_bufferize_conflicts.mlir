// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true test-analysis-only=true print-conflicts=true" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true test-analysis-only=true analysis-heuristic=fuzzer analysis-fuzzer-seed=7" %s | filecheck %s --check-prefix=FUZZER
// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true test-analysis-only=true dump-alias-sets=true" %s | filecheck %s --check-prefix=ALIASES

// FUZZER: __inplace_operands_attr__

// CHECK: module {
// CHECK-NEXT:   func.func @twice(%arg0: tensor<?xf32> {bufferization.access = "read-write"}, %arg1: f32, %arg2: index) -> (tensor<?xf32>, tensor<?xf32>) attributes {"C_0[DEF: bbArg 0]"} {
// CHECK-NEXT:     %inserted = tensor.insert %arg1 into %arg0[%arg2] {"C_0[CONFL-WRITE: 1]", __inplace_operands_attr__ = ["none", "false", "none"]} : tensor<?xf32>
// CHECK-NEXT:     %inserted_0 = tensor.insert %arg1 into %arg0[%arg2] {"C_0[READ: 1]", __inplace_operands_attr__ = ["none", "true", "none"]} : tensor<?xf32>
// CHECK-NEXT:     return {__equivalent_func_args__ = [-1, 0], __inplace_operands_attr__ = ["true", "true"]} %inserted, %inserted_0 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// ALIASES: module {
// ALIASES-NEXT:   func.func @twice(%arg0: tensor<?xf32> {bufferization.access = "read-write"}, %arg1: f32, %arg2: index) -> (tensor<?xf32>, tensor<?xf32>) attributes {__bbarg_alias_set_attr__ = {{\[\[}}{{\[\[}}"%inserted_0", "%arg0"]]]]} {
// ALIASES-NEXT:     %inserted = tensor.insert %arg1 into %arg0[%arg2] {__inplace_operands_attr__ = ["none", "false", "none"], __opresult_alias_set_attr__ = {{\[\[}}"%inserted"]]} : tensor<?xf32>
// ALIASES-NEXT:     %inserted_0 = tensor.insert %arg1 into %arg0[%arg2] {__inplace_operands_attr__ = ["none", "true", "none"], __opresult_alias_set_attr__ = {{\[\[}}"%inserted_0", "%arg0"]]} : tensor<?xf32>
// ALIASES-NEXT:     return {__equivalent_func_args__ = [-1, 0], __inplace_operands_attr__ = ["true", "true"]} %inserted, %inserted_0 : tensor<?xf32>, tensor<?xf32>
// ALIASES-NEXT:   }
// ALIASES-NEXT: }
func.func @twice(%t: tensor<?xf32>, %x: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = tensor.insert %x into %t[%i] : tensor<?xf32>
  %b = tensor.insert %x into %t[%i] : tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
