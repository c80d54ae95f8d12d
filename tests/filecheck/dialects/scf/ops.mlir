// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

func.func @f(%a: index, %b: i32, %c: i1, %x: f32, %t : tensor<4xf32>) {
  scf.for %i = %a to %a step %a { %z = arith.addi %i, %i : index }
  scf.for unsigned %i = %b to %b step %b : i32 { scf.yield } {foo = 1 : i32}
  %0:2 = scf.for %i = %a to %a step %a iter_args(%u = %x, %v = %b) -> (f32, i32) { scf.yield %u, %v : f32, i32 }
  scf.if %c { } else { }
  %1 = scf.if %c -> i32 { scf.yield %b : i32 } else { scf.yield %b : i32 }
  %2 = scf.if %c -> (i32) { scf.yield %b : i32 } else { scf.yield %b : i32 } {a}
  %3 = scf.while (%q = %b) : (i32) -> f32 { scf.condition(%c) %x : f32 } do { ^bb0(%k: f32): scf.yield %b : i32 } attributes {x}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  scf.execute_region { scf.yield }
  %4 = scf.execute_region -> i32 no_inline { cf.br ^bb1 ^bb1: scf.yield %b : i32 } {x}
  scf.parallel (%i, %j) = (%a, %a) to (%a, %a) step (%a, %a) { }
  %5:2 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x, %b) -> (f32, i32) { scf.reduce(%x, %b : f32, i32) { ^bb0(%l: f32, %r: f32): scf.reduce.return %l : f32 }, { ^bb0(%l: i32, %r: i32): scf.reduce.return %l : i32 } }
  scf.forall (%i, %j) in (%a, 4) { } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  scf.forall (%i, %j) = (0, 1) to (%a, 4) step (1, %a) { scf.forall.in_parallel {} }
  %6 = scf.forall (%i) in (3) shared_outs(%o = %t) -> (tensor<4xf32>) { scf.forall.in_parallel { tensor.parallel_insert_slice %t into %o[0][4][1] : tensor<4xf32> into tensor<4xf32> } }
  %7 = scf.index_switch %a {at} -> i32 case 2 { scf.yield %b : i32 } case -5 { scf.yield %b : i32 } default { scf.yield %b : i32 }
  scf.index_switch %a default { }
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: i32, %arg2: i1, %arg3: f32, %arg4: tensor<4xf32>) {
// CHECK-NEXT:     scf.for %arg5 = %arg0 to %arg0 step %arg0 {
// CHECK-NEXT:       %8 = arith.addi %arg5, %arg5 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for unsigned %arg5 = %arg1 to %arg1 step %arg1  : i32 {
// CHECK-NEXT:     } {foo = 1 : i32}
// CHECK-NEXT:     %0:2 = scf.for %arg5 = %arg0 to %arg0 step %arg0 iter_args(%arg6 = %arg3, %arg7 = %arg1) -> (f32, i32) {
// CHECK-NEXT:       scf.yield %arg6, %arg7 : f32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.if %arg2 {
// CHECK-NEXT:     } else {
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = scf.if %arg2 -> (i32) {
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = scf.if %arg2 -> (i32) {
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     } {a}
// CHECK-NEXT:     %3 = scf.while (%arg5 = %arg1) : (i32) -> f32 {
// CHECK-NEXT:       scf.condition(%arg2) %arg3 : f32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg5: f32):
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     } attributes {x}
// CHECK-NEXT:     scf.while : () -> () {
// CHECK-NEXT:       scf.condition(%arg2)
// CHECK-NEXT:     } do {
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.execute_region {
// CHECK-NEXT:       scf.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     %4 = scf.execute_region -> i32 no_inline {
// CHECK-NEXT:       cf.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     } {x}
// CHECK-NEXT:     scf.parallel (%arg5, %arg6) = (%arg0, %arg0) to (%arg0, %arg0) step (%arg0, %arg0) {
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     %5:2 = scf.parallel (%arg5) = (%arg0) to (%arg0) step (%arg0) init (%arg3, %arg1) -> (f32, i32) {
// CHECK-NEXT:       scf.reduce(%arg3, %arg1 : f32, i32) {
// CHECK-NEXT:       ^bb0(%arg6: f32, %arg7: f32):
// CHECK-NEXT:         scf.reduce.return %arg6 : f32
// CHECK-NEXT:       }, {
// CHECK-NEXT:       ^bb0(%arg6: i32, %arg7: i32):
// CHECK-NEXT:         scf.reduce.return %arg6 : i32
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.forall (%arg5, %arg6) in (%arg0, 4) {
// CHECK-NEXT:     } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
// CHECK-NEXT:     scf.forall (%arg5, %arg6) = (0, 1) to (%arg0, 4) step (1, %arg0) {
// CHECK-NEXT:     }
// CHECK-NEXT:     %6 = scf.forall (%arg5) in (3) shared_outs(%arg6 = %arg4) -> (tensor<4xf32>) {
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %arg4 into %arg6[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %7 = scf.index_switch %arg0 {at} -> i32
// CHECK-NEXT:     case 2 {
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     case -5 {
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     default {
// CHECK-NEXT:       scf.yield %arg1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.index_switch %arg0
// CHECK-NEXT:     default {
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
