// RUN: xgpu-opt %s --convert-scf-to-cf | filecheck %s
// RUN: xgpu-opt %s --convert-scf-to-cf=allow-pattern-rollback=false | filecheck %s

// Every structured operation.

func.func @f(%i: index, %a: i32, %lb: index, %m: memref<4xf32>, %c: i1) -> (i32, f32) {
  %r = scf.index_switch %i -> i32
  case 2 { scf.yield %a : i32 }
  default { scf.yield %a : i32 }
  %z = arith.constant 0.0 : f32
  %p = scf.parallel (%x, %y) = (%lb, %lb) to (%i, %i) step (%i, %i) init (%z) -> f32 {
    %w = memref.load %m[%x] : memref<4xf32>
    scf.reduce(%w : f32) { ^bb0(%l: f32, %q: f32): %s = arith.addf %l, %q : f32
      scf.reduce.return %s : f32 }
  }
  scf.for unsigned %k = %lb to %i step %i { }
  %fa = scf.for %k = %lb to %i step %i iter_args(%u = %z) -> f32 {
    %t2 = arith.addf %u, %u : f32
    %ff = scf.if %c -> f32 { scf.yield %t2 : f32 } else { scf.yield %u : f32 }
    scf.yield %ff : f32
  }
  scf.if %c { memref.store %z, %m[%i] : memref<4xf32> }
  %wh:2 = scf.while (%q = %a, %q2 = %z) : (i32, f32) -> (i32, f32) {
    scf.condition(%c) %q, %q2 : i32, f32
  } do { ^bb0(%e: i32, %g : f32): 
    %nn = arith.addi %e, %e : i32 
    scf.yield %nn, %g : i32, f32 }
  %dw = scf.while (%q = %a) : (i32) -> i32 {
    %nn = arith.addi %q, %q : i32 
    scf.condition(%c) %nn : i32
  } do { ^bb0(%e: i32): scf.yield %e : i32 }
  scf.forall (%t, %u) in (4, %i) { 
    memref.store %z, %m[%t] : memref<4xf32> }
  %er = scf.execute_region -> i32 { cf.cond_br %c, ^a, ^b
    ^a: scf.yield %a : i32
    ^b: scf.yield %dw : i32 }
  return %er, %fa : i32, f32
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: index, %arg1: i32, %arg2: index, %arg3: memref<4xf32>, %arg4: i1) -> (i32, f32) {
// CHECK-NEXT: %0 = arith.index_cast %arg0 : index to i32
// CHECK-NEXT: cf.switch %0 : i32, [
// CHECK-NEXT: default: ^bb2,
// CHECK-NEXT: 2: ^bb1
// CHECK-NEXT: ]
// CHECK-NEXT: ^bb1:  // pred: ^bb0
// CHECK-NEXT: cf.br ^bb3(%arg1 : i32)
// CHECK-NEXT: ^bb2:  // pred: ^bb0
// CHECK-NEXT: cf.br ^bb3(%arg1 : i32)
// CHECK-NEXT: ^bb3(%1: i32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: cf.br ^bb4(%arg2, %cst : index, f32)
// CHECK-NEXT: ^bb4(%2: index, %3: f32):  // 2 preds: ^bb3, ^bb8
// CHECK-NEXT: %4 = arith.cmpi slt, %2, %arg0 : index
// CHECK-NEXT: cf.cond_br %4, ^bb5, ^bb9
// CHECK-NEXT: ^bb5:  // pred: ^bb4
// CHECK-NEXT: cf.br ^bb6(%arg2, %3 : index, f32)
// CHECK-NEXT: ^bb6(%5: index, %6: f32):  // 2 preds: ^bb5, ^bb7
// CHECK-NEXT: %7 = arith.cmpi slt, %5, %arg0 : index
// CHECK-NEXT: cf.cond_br %7, ^bb7, ^bb8
// CHECK-NEXT: ^bb7:  // pred: ^bb6
// CHECK-NEXT: %8 = memref.load %arg3[%2] : memref<4xf32>
// CHECK-NEXT: %9 = arith.addf %6, %8 : f32
// CHECK-NEXT: %10 = arith.addi %5, %arg0 : index
// CHECK-NEXT: cf.br ^bb6(%10, %9 : index, f32)
// CHECK-NEXT: ^bb8:  // pred: ^bb6
// CHECK-NEXT: %11 = arith.addi %2, %arg0 : index
// CHECK-NEXT: cf.br ^bb4(%11, %6 : index, f32)
// CHECK-NEXT: ^bb9:  // pred: ^bb4
// CHECK-NEXT: cf.br ^bb10(%arg2 : index)
// CHECK-NEXT: ^bb10(%12: index):  // 2 preds: ^bb9, ^bb11
// CHECK-NEXT: %13 = arith.cmpi ult, %12, %arg0 : index
// CHECK-NEXT: cf.cond_br %13, ^bb11, ^bb12
// CHECK-NEXT: ^bb11:  // pred: ^bb10
// CHECK-NEXT: %14 = arith.addi %12, %arg0 : index
// CHECK-NEXT: cf.br ^bb10(%14 : index)
// CHECK-NEXT: ^bb12:  // pred: ^bb10
// CHECK-NEXT: cf.br ^bb13(%arg2, %cst : index, f32)
// CHECK-NEXT: ^bb13(%15: index, %16: f32):  // 2 preds: ^bb12, ^bb18
// CHECK-NEXT: %17 = arith.cmpi slt, %15, %arg0 : index
// CHECK-NEXT: cf.cond_br %17, ^bb14, ^bb19
// CHECK-NEXT: ^bb14:  // pred: ^bb13
// CHECK-NEXT: %18 = arith.addf %16, %16 : f32
// CHECK-NEXT: cf.cond_br %arg4, ^bb15, ^bb16
// CHECK-NEXT: ^bb15:  // pred: ^bb14
// CHECK-NEXT: cf.br ^bb17(%18 : f32)
// CHECK-NEXT: ^bb16:  // pred: ^bb14
// CHECK-NEXT: cf.br ^bb17(%16 : f32)
// CHECK-NEXT: ^bb17(%19: f32):  // 2 preds: ^bb15, ^bb16
// CHECK-NEXT: cf.br ^bb18
// CHECK-NEXT: ^bb18:  // pred: ^bb17
// CHECK-NEXT: %20 = arith.addi %15, %arg0 : index
// CHECK-NEXT: cf.br ^bb13(%20, %19 : index, f32)
// CHECK-NEXT: ^bb19:  // pred: ^bb13
// CHECK-NEXT: cf.cond_br %arg4, ^bb20, ^bb21
// CHECK-NEXT: ^bb20:  // pred: ^bb19
// CHECK-NEXT: memref.store %cst, %arg3[%arg0] : memref<4xf32>
// CHECK-NEXT: cf.br ^bb21
// CHECK-NEXT: ^bb21:  // 2 preds: ^bb19, ^bb20
// CHECK-NEXT: cf.br ^bb22(%arg1, %cst : i32, f32)
// CHECK-NEXT: ^bb22(%21: i32, %22: f32):  // 2 preds: ^bb21, ^bb23
// CHECK-NEXT: cf.cond_br %arg4, ^bb23(%21, %22 : i32, f32), ^bb24
// CHECK-NEXT: ^bb23(%23: i32, %24: f32):  // pred: ^bb22
// CHECK-NEXT: %25 = arith.addi %23, %23 : i32
// CHECK-NEXT: cf.br ^bb22(%25, %24 : i32, f32)
// CHECK-NEXT: ^bb24:  // pred: ^bb22
// CHECK-NEXT: cf.br ^bb25(%arg1 : i32)
// CHECK-NEXT: ^bb25(%26: i32):  // 2 preds: ^bb24, ^bb25
// CHECK-NEXT: %27 = arith.addi %26, %26 : i32
// CHECK-NEXT: cf.cond_br %arg4, ^bb25(%27 : i32), ^bb26
// CHECK-NEXT: ^bb26:  // pred: ^bb25
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c0_0 = arith.constant 0 : index
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c1_1 = arith.constant 1 : index
// CHECK-NEXT: cf.br ^bb27(%c0 : index)
// CHECK-NEXT: ^bb27(%28: index):  // 2 preds: ^bb26, ^bb31
// CHECK-NEXT: %29 = arith.cmpi slt, %28, %c4 : index
// CHECK-NEXT: cf.cond_br %29, ^bb28, ^bb32
// CHECK-NEXT: ^bb28:  // pred: ^bb27
// CHECK-NEXT: cf.br ^bb29(%c0_0 : index)
// CHECK-NEXT: ^bb29(%30: index):  // 2 preds: ^bb28, ^bb30
// CHECK-NEXT: %31 = arith.cmpi slt, %30, %arg0 : index
// CHECK-NEXT: cf.cond_br %31, ^bb30, ^bb31
// CHECK-NEXT: ^bb30:  // pred: ^bb29
// CHECK-NEXT: memref.store %cst, %arg3[%28] : memref<4xf32>
// CHECK-NEXT: %32 = arith.addi %30, %c1_1 : index
// CHECK-NEXT: cf.br ^bb29(%32 : index)
// CHECK-NEXT: ^bb31:  // pred: ^bb29
// CHECK-NEXT: %33 = arith.addi %28, %c1 : index
// CHECK-NEXT: cf.br ^bb27(%33 : index)
// CHECK-NEXT: ^bb32:  // pred: ^bb27
// CHECK-NEXT: cf.br ^bb33
// CHECK-NEXT: ^bb33:  // pred: ^bb32
// CHECK-NEXT: cf.cond_br %arg4, ^bb34, ^bb35
// CHECK-NEXT: ^bb34:  // pred: ^bb33
// CHECK-NEXT: cf.br ^bb36(%arg1 : i32)
// CHECK-NEXT: ^bb35:  // pred: ^bb33
// CHECK-NEXT: cf.br ^bb36(%27 : i32)
// CHECK-NEXT: ^bb36(%34: i32):  // 2 preds: ^bb34, ^bb35
// CHECK-NEXT: return %34, %16 : i32, f32
// CHECK-NEXT: }
// CHECK-NEXT: }
