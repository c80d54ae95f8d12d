// RUN: xgpu-opt %s --transform-interpreter --split-input-file | filecheck %s

// Matching, parents, parameters, included sequences.
// CHECK-LABEL: func.func @annotated
// CHECK-SAME: attributes {hello}
// CHECK: memref.load {{.*}} {count = 1 : i64, five = 5 : i64}
func.func @annotated(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "hello" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %load = transform.structured.match ops{["memref.load"]} in %root : (!transform.any_op) -> !transform.op<"memref.load">
    %func = transform.get_parent_op %load {op_name = "func.func"} : (!transform.op<"memref.load">) -> !transform.any_op
    transform.include @mark failures(propagate) (%func) : (!transform.any_op) -> ()
    %five = transform.param.constant 5 : i64 -> !transform.param<i64>
    transform.annotate %load "five" = %five : !transform.op<"memref.load">, !transform.param<i64>
    %count = transform.num_associations %load : (!transform.op<"memref.load">) -> !transform.param<i64>
    transform.annotate %load "count" = %count : !transform.op<"memref.load">, !transform.param<i64>
    transform.yield
  }
}

// -----

// A sequence that suppresses failures goes on; foreach runs its body for each operation.
// CHECK-LABEL: func.func @loops
// CHECK: arith.addi {{.*}} {seen}
// CHECK: arith.muli {{.*}} {seen}
func.func @loops(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.muli %0, %x : i32
  return %1 : i32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["arith.addi", "arith.muli"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.sequence %ops : !transform.any_op failures(suppress) {
    ^bb0(%all: !transform.any_op):
      %one = transform.split_handle %all : (!transform.any_op) -> !transform.any_op
      transform.annotate %one "never" : !transform.any_op
    }
    transform.foreach %ops : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.annotate %op "seen" : !transform.any_op
    }
    transform.yield
  }
}

// -----

// The first matcher that takes an operation decides on its action.
// CHECK-LABEL: func.func @matched
// CHECK: arith.addi {{.*}} {sum}
// CHECK: arith.muli {{.*}} {product}
func.func @matched(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.muli %0, %x : i32
  return %1 : i32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_sum(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["arith.addi"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_product(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["arith.muli"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @sum(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "sum" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @product(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "product" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %updated = transform.foreach_match in %func @is_sum -> @sum, @is_product -> @product
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Patterns, passes and common subexpressions.
// CHECK-LABEL: func.func @cleaned
// CHECK-NEXT: %[[S:.*]] = arith.addi
// CHECK-NEXT: return %[[S]], %[[S]]
func.func @cleaned(%x: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  %2 = arith.addi %1, %zero : i32
  return %0, %2 : i32, i32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %again = transform.apply_registered_pass "canonicalize" with options = { "top-down" = false } to %func
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Conversion patterns with a type converter.
// CHECK-LABEL: gpu.module @kernels
// CHECK: llvm.func @ids
// CHECK: nvvm.read.ptx.sreg.tid.x
gpu.module @kernels {
  func.func @ids() -> index {
    %0 = gpu.thread_id x
    func.return %0 : index
  }
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %module = transform.structured.match ops{["gpu.module"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %module {
      transform.apply_conversion_patterns.dialect_to_llvm "arith"
      transform.apply_conversion_patterns.func.func_to_llvm
      transform.apply_conversion_patterns.gpu.gpu_to_nvvm
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {index_bitwidth = 64}
    } {legal_dialects = ["llvm", "nvvm"], legal_ops = ["gpu.module", "gpu.yield"],
       illegal_dialects = ["gpu"], illegal_ops = ["func.func"], partial_conversion} : !transform.any_op
    transform.yield
  }
}
