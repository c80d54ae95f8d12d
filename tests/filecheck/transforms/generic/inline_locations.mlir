// RUN: xgpu-opt %s --inline=default-pipeline= --symbol-dce --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --match-full-lines

// What is inlined has the location of the callee, called from that of the call; what was already
// inlined there has one call more.

func.func private @inner(%a: i32 loc("a"), %c: i1 loc("c")) -> i32 {
  cf.cond_br %c, ^then, ^end(%a : i32) loc("branch")
^then:
  %0 = scf.if %c -> i32 {
    %k = arith.muli %a, %a : i32 loc("product")
    scf.yield %k : i32 loc("yield")
  } else {
    scf.yield %a : i32 loc(callsite("yield" at "out"))
  } loc(callsite("if" at "out"))
  cf.br ^end(%0 : i32) loc("jump")
^end(%r: i32 loc("r")):
  return %r : i32 loc("return")
} loc("inner")
func.func private @middle(%a: i32 loc("b"), %c: i1 loc("d")) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("sum")
  %1 = call @inner(%0, %c) : (i32, i1) -> i32 loc("call of inner")
  return %1 : i32 loc("return of middle")
} loc("middle")
func.func @outer(%a: i32 loc("e"), %c: i1 loc("f")) -> i32 {
  %0 = call @middle(%a, %c) : (i32, i1) -> i32 loc("call of middle")
  return %0 : i32 loc("return of outer")
} loc("outer")

// CHECK: module {
// CHECK-NEXT:   func.func @outer(%arg0: i32 loc("e"), %arg1: i1 loc("f")) -> i32 {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 : i32 loc(callsite("sum" at "call of middle"))
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2(%0 : i32) loc(callsite("branch" at callsite("call of inner" at "call of middle")))
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %1 = scf.if %arg1 -> (i32) {
// CHECK-NEXT:       %5 = arith.muli %0, %0 : i32 loc(callsite("product" at callsite("call of inner" at "call of middle")))
// CHECK-NEXT:       scf.yield %5 : i32 loc(callsite("yield" at callsite("call of inner" at "call of middle")))
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %0 : i32 loc(callsite("yield" at callsite("out" at callsite("call of inner" at "call of middle"))))
// CHECK-NEXT:     } loc(callsite("if" at callsite("out" at callsite("call of inner" at "call of middle"))))
// CHECK-NEXT:     cf.br ^bb2(%1 : i32) loc(callsite("jump" at callsite("call of inner" at "call of middle")))
// CHECK-NEXT:   ^bb2(%2: i32 loc(callsite("r" at callsite("call of inner" at "call of middle")))):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     cf.br ^bb3(%2 : i32) loc(callsite("return" at callsite("call of inner" at "call of middle")))
// CHECK-NEXT:   ^bb3(%3: i32 loc(callsite("call of inner" at "call of middle"))):  // pred: ^bb2
// CHECK-NEXT:     cf.br ^bb4(%3 : i32) loc(callsite("return of middle" at "call of middle"))
// CHECK-NEXT:   ^bb4(%4: i32 loc("call of middle")):  // pred: ^bb3
// CHECK-NEXT:     return %4 : i32 loc("return of outer")
// CHECK-NEXT:   } loc("outer")
// CHECK-NEXT: } loc("{{.*}}inline_locations.mlir":0:0)
