// RUN: xgpu-opt --transform-interpreter --split-input-file %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @a(%arg0: memref<8x16xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8_0 = arith.constant 8 : index
// CHECK-NEXT:     %0 = arith.addi %c0, %c1 : index
// CHECK-NEXT:     %c2_1 = arith.constant 2 : index
// CHECK-NEXT:     %1 = arith.addi %c0, %c2_1 : index
// CHECK-NEXT:     %2 = arith.addi %1, %c1 : index
// CHECK-NEXT:     %c4_2 = arith.constant 4 : index
// CHECK-NEXT:     %3 = arith.addi %c0, %c4_2 : index
// CHECK-NEXT:     %4 = arith.addi %3, %c1 : index
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     %5 = arith.addi %c0, %c6 : index
// CHECK-NEXT:     %6 = arith.addi %5, %c1 : index
// CHECK-NEXT:     %7:4 = scf.for %arg2 = %c0 to %c16 step %c1 iter_args(%arg3 = %arg1, %arg4 = %arg1, %arg5 = %arg1, %arg6 = %arg1) -> (f32, f32, f32, f32) {
// CHECK-NEXT:       %11 = memref.load %arg0[%c0, %arg2] : memref<8x16xf32>
// CHECK-NEXT:       %c2_6 = arith.constant 2 : index
// CHECK-NEXT:       %12 = arith.addi %c0, %c2_6 : index
// CHECK-NEXT:       %13 = memref.load %arg0[%12, %arg2] : memref<8x16xf32>
// CHECK-NEXT:       %c4_7 = arith.constant 4 : index
// CHECK-NEXT:       %14 = arith.addi %c0, %c4_7 : index
// CHECK-NEXT:       %15 = memref.load %arg0[%14, %arg2] : memref<8x16xf32>
// CHECK-NEXT:       %c6_8 = arith.constant 6 : index
// CHECK-NEXT:       %16 = arith.addi %c0, %c6_8 : index
// CHECK-NEXT:       %17 = memref.load %arg0[%16, %arg2] : memref<8x16xf32>
// CHECK-NEXT:       scf.for %arg7 = %c0 to %c2 step %c1 {
// CHECK-NEXT:         memref.store %arg3, %arg0[%0, %arg7] : memref<8x16xf32>
// CHECK-NEXT:         %c2_12 = arith.constant 2 : index
// CHECK-NEXT:         %25 = arith.addi %c0, %c2_12 : index
// CHECK-NEXT:         memref.store %arg4, %arg0[%2, %arg7] : memref<8x16xf32>
// CHECK-NEXT:         %c4_13 = arith.constant 4 : index
// CHECK-NEXT:         %26 = arith.addi %c0, %c4_13 : index
// CHECK-NEXT:         memref.store %arg5, %arg0[%4, %arg7] : memref<8x16xf32>
// CHECK-NEXT:         %c6_14 = arith.constant 6 : index
// CHECK-NEXT:         %27 = arith.addi %c0, %c6_14 : index
// CHECK-NEXT:         memref.store %arg6, %arg0[%6, %arg7] : memref<8x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %18 = arith.addf %arg3, %11 : f32
// CHECK-NEXT:       %c2_9 = arith.constant 2 : index
// CHECK-NEXT:       %19 = arith.addi %c0, %c2_9 : index
// CHECK-NEXT:       %20 = arith.addf %arg4, %13 : f32
// CHECK-NEXT:       %c4_10 = arith.constant 4 : index
// CHECK-NEXT:       %21 = arith.addi %c0, %c4_10 : index
// CHECK-NEXT:       %22 = arith.addf %arg5, %15 : f32
// CHECK-NEXT:       %c6_11 = arith.constant 6 : index
// CHECK-NEXT:       %23 = arith.addi %c0, %c6_11 : index
// CHECK-NEXT:       %24 = arith.addf %arg6, %17 : f32
// CHECK-NEXT:       scf.yield %18, %20, %22, %24 : f32, f32, f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.store %7#0, %arg0[%c0, %c0] : memref<8x16xf32>
// CHECK-NEXT:     %c2_3 = arith.constant 2 : index
// CHECK-NEXT:     %8 = arith.addi %c0, %c2_3 : index
// CHECK-NEXT:     memref.store %7#1, %arg0[%8, %c0] : memref<8x16xf32>
// CHECK-NEXT:     %c4_4 = arith.constant 4 : index
// CHECK-NEXT:     %9 = arith.addi %c0, %c4_4 : index
// CHECK-NEXT:     memref.store %7#2, %arg0[%9, %c0] : memref<8x16xf32>
// CHECK-NEXT:     %c6_5 = arith.constant 6 : index
// CHECK-NEXT:     %10 = arith.addi %c0, %c6_5 : index
// CHECK-NEXT:     memref.store %7#3, %arg0[%10, %c0] : memref<8x16xf32>
// CHECK-NEXT:     scf.for %arg2 = %c0 to %c16 step %c1 {
// CHECK-NEXT:       memref.store %7#0, %arg0[%c0, %arg2] : memref<8x16xf32>
// CHECK-NEXT:       %c2_6 = arith.constant 2 : index
// CHECK-NEXT:       %11 = arith.addi %c0, %c2_6 : index
// CHECK-NEXT:       memref.store %7#1, %arg0[%11, %arg2] : memref<8x16xf32>
// CHECK-NEXT:       %c4_7 = arith.constant 4 : index
// CHECK-NEXT:       %12 = arith.addi %c0, %c4_7 : index
// CHECK-NEXT:       memref.store %7#2, %arg0[%12, %arg2] : memref<8x16xf32>
// CHECK-NEXT:       %c6_8 = arith.constant 6 : index
// CHECK-NEXT:       %13 = arith.addi %c0, %c6_8 : index
// CHECK-NEXT:       memref.store %7#3, %arg0[%13, %arg2] : memref<8x16xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @a(%A: memref<8x16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c8 step %c2 {
    %p = arith.addi %i, %c1 : index
    %s = scf.for %j = %c0 to %c16 step %c1 iter_args(%a = %v) -> f32 {
      %x = memref.load %A[%i, %j] : memref<8x16xf32>
      scf.for %k = %c0 to %c2 step %c1 { memref.store %a, %A[%p, %k] : memref<8x16xf32> }
      %y = arith.addf %a, %x : f32
      scf.yield %y : f32
    }
    memref.store %s, %A[%i, %c0] : memref<8x16xf32>
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %s, %A[%i, %j] : memref<8x16xf32>
    }
  }
  return
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["memref.store"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1:3 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       %2 = transform.get_parent_op %1#1 {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.loop.unroll_and_jam %2 {factor = 4 : i64} : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["memref.store"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %4:3 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    %1 = transform.get_parent_op %4#1 {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %1 {factor = 4} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @a(%arg0: memref<8x16xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c2_0 = arith.constant 2 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     scf.for %arg2 = %c0 to %c8 step %c4 {
// CHECK-NEXT:       %0 = arith.addi %arg2, %c1 : index
// CHECK-NEXT:       %c2_1 = arith.constant 2 : index
// CHECK-NEXT:       %1 = arith.addi %arg2, %c2_1 : index
// CHECK-NEXT:       %2 = arith.addi %1, %c1 : index
// CHECK-NEXT:       %3:2 = scf.for %arg3 = %c0 to %c16 step %c1 iter_args(%arg4 = %arg1, %arg5 = %arg1) -> (f32, f32) {
// CHECK-NEXT:         %5 = memref.load %arg0[%arg2, %arg3] : memref<8x16xf32>
// CHECK-NEXT:         %c2_3 = arith.constant 2 : index
// CHECK-NEXT:         %6 = arith.addi %arg2, %c2_3 : index
// CHECK-NEXT:         %7 = memref.load %arg0[%6, %arg3] : memref<8x16xf32>
// CHECK-NEXT:         scf.for %arg6 = %c0 to %c2 step %c1 {
// CHECK-NEXT:           memref.store %arg4, %arg0[%0, %arg6] : memref<8x16xf32>
// CHECK-NEXT:           %c2_5 = arith.constant 2 : index
// CHECK-NEXT:           %11 = arith.addi %arg2, %c2_5 : index
// CHECK-NEXT:           memref.store %arg5, %arg0[%2, %arg6] : memref<8x16xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         %8 = arith.addf %arg4, %5 : f32
// CHECK-NEXT:         %c2_4 = arith.constant 2 : index
// CHECK-NEXT:         %9 = arith.addi %arg2, %c2_4 : index
// CHECK-NEXT:         %10 = arith.addf %arg5, %7 : f32
// CHECK-NEXT:         scf.yield %8, %10 : f32, f32
// CHECK-NEXT:       }
// CHECK-NEXT:       memref.store %3#0, %arg0[%arg2, %c0] : memref<8x16xf32>
// CHECK-NEXT:       %c2_2 = arith.constant 2 : index
// CHECK-NEXT:       %4 = arith.addi %arg2, %c2_2 : index
// CHECK-NEXT:       memref.store %3#1, %arg0[%4, %c0] : memref<8x16xf32>
// CHECK-NEXT:       scf.for %arg3 = %c0 to %c16 step %c1 {
// CHECK-NEXT:         memref.store %3#0, %arg0[%arg2, %arg3] : memref<8x16xf32>
// CHECK-NEXT:         %c2_3 = arith.constant 2 : index
// CHECK-NEXT:         %5 = arith.addi %arg2, %c2_3 : index
// CHECK-NEXT:         memref.store %3#1, %arg0[%5, %arg3] : memref<8x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @a(%A: memref<8x16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c8 step %c2 {
    %p = arith.addi %i, %c1 : index
    %s = scf.for %j = %c0 to %c16 step %c1 iter_args(%a = %v) -> f32 {
      %x = memref.load %A[%i, %j] : memref<8x16xf32>
      scf.for %k = %c0 to %c2 step %c1 { memref.store %a, %A[%p, %k] : memref<8x16xf32> }
      %y = arith.addf %a, %x : f32
      scf.yield %y : f32
    }
    memref.store %s, %A[%i, %c0] : memref<8x16xf32>
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %s, %A[%i, %j] : memref<8x16xf32>
    }
  }
  return
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["memref.store"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1:3 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       %2 = transform.get_parent_op %1#1 {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.loop.unroll_and_jam %2 {factor = 2 : i64} : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["memref.store"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %4:3 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    %1 = transform.get_parent_op %4#1 {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %1 {factor = 2} : !transform.any_op
    transform.yield
  }
}
