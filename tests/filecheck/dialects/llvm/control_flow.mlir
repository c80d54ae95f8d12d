// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Branches, exceptions and calls.

llvm.func @personality(...) -> i32
llvm.func @may_throw(i32) -> i32
llvm.func @varargs(!llvm.ptr, ...) -> i32

llvm.func @branches(%c: i1, %i: i32, %f: f32) -> i32 {
  llvm.br ^bb1(%i : i32)
^bb1(%0: i32):
  llvm.cond_br %c, ^bb2, ^bb3(%f, %i : f32, i32)
^bb2:
  llvm.cond_br %c weights([5, 10]), ^bb1(%i : i32), ^bb4 {loop_annotation = #llvm.loop_annotation<disableNonforced = true>}
^bb3(%1: f32, %2: i32):
  llvm.switch %i : i32, ^bb4 [
    1: ^bb1(%i : i32),
    -2: ^bb5
  ]
^bb4:
  llvm.switch %i : i32, ^bb5 [
    0: ^bb5
  ] {branch_weights = array<i32: 13, 7>}
^bb5:
  llvm.br ^bb6 {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
^bb6:
  llvm.switch %i : i32, ^bb7 [
  ]
^bb7:
  llvm.return %i : i32
}

llvm.func @dead() {
  llvm.unreachable
}

llvm.func @indirect(%address: !llvm.ptr, %i: i32) {
  %0 = llvm.blockaddress <function = @indirect, tag = <id = 1>> : !llvm.ptr
  llvm.indirectbr %address : !llvm.ptr, [
  ^bb1,
  ^bb2(%i : i32)
  ]
^bb1:
  llvm.blocktag <id = 1>
  llvm.return
^bb2(%1: i32):
  llvm.return
}

llvm.func @exceptions(%i: i32, %f: !llvm.ptr) -> i32 attributes {personality = @personality} {
  %0 = llvm.mlir.zero : !llvm.ptr
  %1 = llvm.mlir.constant(dense<0> : vector<1xi8>) : !llvm.array<1 x i8>
  %2 = llvm.invoke @may_throw(%i) to ^bb1 unwind ^bb3 : (i32) -> i32
^bb1:
  %3 = llvm.invoke %f(%i) to ^bb2(%i : i32) unwind ^bb3 {branch_weights = array<i32: 42, 99>} : !llvm.ptr, (i32) -> i32
^bb2(%4: i32):
  %5 = llvm.invoke fastcc @may_throw(%i) to ^bb4 unwind ^bb5 ["bundle"(%i : i32)] : (i32) -> i32
^bb3:
  %6 = llvm.landingpad (catch %0 : !llvm.ptr) (filter %1 : !llvm.array<1 x i8>) : !llvm.struct<(ptr, i32)>
  llvm.resume %6 : !llvm.struct<(ptr, i32)>
^bb4:
  llvm.return %5 : i32
^bb5:
  %7 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %i : i32
}

llvm.func @calls(%i: i32, %p: !llvm.ptr, %f: f32) {
  %0 = llvm.call @may_throw(%i) : (i32) -> i32
  %1 = llvm.call %p(%i) : !llvm.ptr, (i32) -> i32
  %2 = llvm.call @varargs(%p, %i, %f) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, f32) -> i32
  %3 = llvm.call fastcc @may_throw(%i) {no_unwind, will_return} : (i32) -> i32
  %4 = llvm.call tail @may_throw(%i) : (i32) -> i32
  %5 = llvm.call musttail @may_throw(%i) {convergent} : (i32) -> i32
  %6 = llvm.call notail @may_throw(%i) {no_inline} : (i32) -> i32
  %7 = llvm.call @may_throw(%i) {always_inline, inline_hint} : (i32) -> i32
  %8 = llvm.call @may_throw(%i) ["one"(%i, %f : i32, f32), "none"()] : (i32) -> i32
  %9 = llvm.call @may_throw(%i) : (i32 {llvm.signext}) -> (i32 {llvm.zeroext})
  %10 = llvm.call %p(%f) {fastmathFlags = #llvm.fastmath<fast>, memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>} : !llvm.ptr, (f32) -> f32
  %11 = llvm.call_intrinsic "llvm.fabs.f32"(%f) : (f32) -> f32
  %12 = llvm.call_intrinsic "llvm.fabs.f32"(%f) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
  llvm.call_intrinsic "llvm.trap"() : () -> ()
  llvm.call_intrinsic "llvm.assume"(%i) ["nonnull"(%p : !llvm.ptr)] : (i32 {llvm.noundef}) -> ()
  llvm.return
}

// CHECK: #loop_annotation = #llvm.loop_annotation<disableNonforced = true>
// CHECK-NEXT: #loop_annotation1 = #llvm.loop_annotation<mustProgress = true>
// CHECK-NEXT: module {
// CHECK-NEXT:   llvm.func @personality(...) -> i32
// CHECK-NEXT:   llvm.func @may_throw(i32) -> i32
// CHECK-NEXT:   llvm.func @varargs(!llvm.ptr, ...) -> i32
// CHECK-NEXT:   llvm.func @branches(%arg0: i1, %arg1: i32, %arg2: f32) -> i32 {
// CHECK-NEXT:     llvm.br ^bb1(%arg1 : i32)
// CHECK-NEXT:   ^bb1(%0: i32):  // 3 preds: ^bb0, ^bb2, ^bb3
// CHECK-NEXT:     llvm.cond_br %arg0, ^bb2, ^bb3(%arg2, %arg1 : f32, i32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     llvm.cond_br %arg0 weights([5, 10]), ^bb1(%arg1 : i32), ^bb4 {loop_annotation = #loop_annotation}
// CHECK-NEXT:   ^bb3(%1: f32, %2: i32):  // pred: ^bb1
// CHECK-NEXT:     llvm.switch %arg1 : i32, ^bb4 [
// CHECK-NEXT:       1: ^bb1(%arg1 : i32),
// CHECK-NEXT:       -2: ^bb5
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb4:  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:     llvm.switch %arg1 : i32, ^bb5 [
// CHECK-NEXT:       0: ^bb5
// CHECK-NEXT:     ] {branch_weights = array<i32: 13, 7>}
// CHECK-NEXT:   ^bb5:  // 3 preds: ^bb3, ^bb4, ^bb4
// CHECK-NEXT:     llvm.br ^bb6 {loop_annotation = #loop_annotation1}
// CHECK-NEXT:   ^bb6:  // pred: ^bb5
// CHECK-NEXT:     llvm.switch %arg1 : i32, ^bb7 [
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb7:  // pred: ^bb6
// CHECK-NEXT:     llvm.return %arg1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @dead() {
// CHECK-NEXT:     llvm.unreachable
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @indirect(%arg0: !llvm.ptr, %arg1: i32) {
// CHECK-NEXT:     %0 = llvm.blockaddress <function = @indirect, tag = <id = 1>> : !llvm.ptr
// CHECK-NEXT:     llvm.indirectbr %arg0 : !llvm.ptr, [
// CHECK-NEXT:     ^bb1,
// CHECK-NEXT:     ^bb2(%arg1 : i32)
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     llvm.blocktag <id = 1>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   ^bb2(%1: i32):  // pred: ^bb0
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @exceptions(%arg0: i32, %arg1: !llvm.ptr) -> i32 attributes {personality = @personality} {
// CHECK-NEXT:     %0 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:     %1 = llvm.mlir.constant(dense<0> : vector<1xi8>) : !llvm.array<1 x i8>
// CHECK-NEXT:     %2 = llvm.invoke @may_throw(%arg0) to ^bb1 unwind ^bb3 : (i32) -> i32
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %3 = llvm.invoke %arg1(%arg0) to ^bb2(%arg0 : i32) unwind ^bb3 {branch_weights = array<i32: 42, 99>} : !llvm.ptr, (i32) -> i32
// CHECK-NEXT:   ^bb2(%4: i32):  // pred: ^bb1
// CHECK-NEXT:     %5 = llvm.invoke fastcc @may_throw(%arg0) to ^bb4 unwind ^bb5 ["bundle"(%arg0 : i32)] : (i32) -> i32
// CHECK-NEXT:   ^bb3:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     %6 = llvm.landingpad (catch %0 : !llvm.ptr) (filter %1 : !llvm.array<1 x i8>) : !llvm.struct<(ptr, i32)>
// CHECK-NEXT:     llvm.resume %6 : !llvm.struct<(ptr, i32)>
// CHECK-NEXT:   ^bb4:  // pred: ^bb2
// CHECK-NEXT:     llvm.return %5 : i32
// CHECK-NEXT:   ^bb5:  // pred: ^bb2
// CHECK-NEXT:     %7 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
// CHECK-NEXT:     llvm.return %arg0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @calls(%arg0: i32, %arg1: !llvm.ptr, %arg2: f32) {
// CHECK-NEXT:     %0 = llvm.call @may_throw(%arg0) : (i32) -> i32
// CHECK-NEXT:     %1 = llvm.call %arg1(%arg0) : !llvm.ptr, (i32) -> i32
// CHECK-NEXT:     %2 = llvm.call @varargs(%arg1, %arg0, %arg2) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, f32) -> i32
// CHECK-NEXT:     %3 = llvm.call fastcc @may_throw(%arg0) {no_unwind, will_return} : (i32) -> i32
// CHECK-NEXT:     %4 = llvm.call tail @may_throw(%arg0) : (i32) -> i32
// CHECK-NEXT:     %5 = llvm.call musttail @may_throw(%arg0) {convergent} : (i32) -> i32
// CHECK-NEXT:     %6 = llvm.call notail @may_throw(%arg0) {no_inline} : (i32) -> i32
// CHECK-NEXT:     %7 = llvm.call @may_throw(%arg0) {always_inline, inline_hint} : (i32) -> i32
// CHECK-NEXT:     %8 = llvm.call @may_throw(%arg0) ["one"(%arg0, %arg2 : i32, f32), "none"()] : (i32) -> i32
// CHECK-NEXT:     %9 = llvm.call @may_throw(%arg0) : (i32 {llvm.signext}) -> (i32 {llvm.zeroext})
// CHECK-NEXT:     %10 = llvm.call %arg1(%arg2) {fastmathFlags = #llvm.fastmath<fast>, memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>} : !llvm.ptr, (f32) -> f32
// CHECK-NEXT:     %11 = llvm.call_intrinsic "llvm.fabs.f32"(%arg2) : (f32) -> f32
// CHECK-NEXT:     %12 = llvm.call_intrinsic "llvm.fabs.f32"(%arg2) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
// CHECK-NEXT:     llvm.call_intrinsic "llvm.trap"() : () -> ()
// CHECK-NEXT:     llvm.call_intrinsic "llvm.assume"(%arg0) ["nonnull"(%arg1 : !llvm.ptr)] : (i32 {llvm.noundef}) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
