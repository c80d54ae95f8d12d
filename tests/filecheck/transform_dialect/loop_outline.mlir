// RUN: xgpu-opt %s --transform-interpreter --allow-unregistered-dialect | filecheck %s --match-full-lines

func.func @loop_outline_op(%arg0: index, %arg1: index, %arg2: index, %m: memref<?xindex>) -> index {
  %c4 = arith.constant 4 : index
  scf.for %i = %arg0 to %arg1 step %arg2 {
    scf.for %j = %arg0 to %arg1 step %c4 {
      %0 = arith.addi %i, %j : index
      memref.store %0, %m[%c4] : memref<?xindex>
    }
  }
  %r = scf.for %j = %arg0 to %arg1 step %arg2 iter_args(%x = %c4) -> (index) {
    %1 = arith.addi %j, %x : index
    scf.yield %1 : index
  }
  return %r : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["arith.addi"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_parent_op %0 {op_name = "scf.for"} : (!transform.any_op) -> !transform.op<"scf.for">
    %f, %c = transform.loop.outline %1 {func_name = "foo"} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// CHECK: module {
// CHECK-NEXT:   func.func @foo(%arg0: index, %arg1: memref<?xindex>, %arg2: index, %arg3: index, %arg4: index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     scf.for %arg5 = %arg3 to %arg4 step %c4 {
// CHECK-NEXT:       %0 = arith.addi %arg0, %arg5 : index
// CHECK-NEXT:       memref.store %0, %arg1[%c4] : memref<?xindex>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @foo_0(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> index {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = scf.for %arg4 = %arg0 to %arg1 step %arg2 iter_args(%arg5 = %c4) -> (index) {
// CHECK-NEXT:       %1 = arith.addi %arg4, %arg5 : index
// CHECK-NEXT:       scf.yield %1 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @loop_outline_op(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?xindex>) -> index {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     scf.for %arg4 = %arg0 to %arg1 step %arg2 {
// CHECK-NEXT:       scf.execute_region {
// CHECK-NEXT:         func.call @foo(%arg4, %arg3, %c4, %arg0, %arg1) : (index, memref<?xindex>, index, index, index) -> ()
// CHECK-NEXT:         scf.yield
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = scf.execute_region -> index {
// CHECK-NEXT:       %1 = func.call @foo_0(%arg0, %arg1, %arg2, %c4) : (index, index, index, index) -> index
// CHECK-NEXT:       scf.yield %1 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["arith.addi"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.get_parent_op %0 {op_name = "scf.for"} : (!transform.any_op) -> !transform.op<"scf.for">
// CHECK-NEXT:       %function, %call = transform.loop.outline %1 {func_name = "foo"} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
