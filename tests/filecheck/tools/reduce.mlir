// RUN: xgpu-reduce %s --reduction-tree="traversal-mode=0 test=%S/Inputs/finds.sh" | filecheck %s --match-full-lines
// RUN: xgpu-reduce %s --reduction-tree="test=%S/Inputs/finds.sh test-arg=arith.divf" | filecheck %s --match-full-lines --check-prefix=DIVIDES
// RUN: xgpu-reduce %s --opt-reduction-pass="opt-pass=canonicalize,symbol-dce test=%S/Inputs/finds.sh test-arg=arith.mulf" | filecheck %s --match-full-lines --check-prefix=CLEAN
// RUN: not xgpu-reduce %s --opt-reduction-pass="opt-pass=cse test=%S/Inputs/finds.sh test-arg=nowhere" 2>&1 | filecheck %s --check-prefix=OPT
// RUN: not xgpu-reduce %s --reduction-tree="test=%S/Inputs/finds.sh test-arg=nowhere" 2>&1 | filecheck %s --check-prefix=TREE
// RUN: not xgpu-reduce %s --reduction-tree="traversal-mode=1 test=%S/Inputs/finds.sh" 2>&1 | filecheck %s --check-prefix=MODE
// What the test finds interesting stays.

// OPT: :0:0: error: the original input is not interested
// OPT: note: the test ends with 0: this input is not interesting
// TREE: :0:0: error: uninterested module will not be reduced
// TREE: note: the test ends with 0: this input is not interesting
// MODE: :0:0: error: unsupported traversal mode detected

func.func private @unused(%x: f32) -> f32 {
  return %x : f32
}

func.func @f(%a: f32, %b: f32, %c: i1) -> f32 {
  %x = arith.addf %a, %b : f32
  %dead = arith.subf %a, %b {some.attribute} : f32
  cf.cond_br %c, ^bb1(%x : f32), ^bb2
^bb1(%p: f32):
  %z = scf.if %c -> f32 {
    %q = arith.mulf %p, %b : f32
    scf.yield %q : f32
  } else {
    scf.yield %p : f32
  }
  return %z : f32
^bb2:
  %d = arith.divf %x, %a {some.attribute} : f32
  return %d : f32
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: f32, %arg1: f32) -> f32 {
// CHECK-NEXT:     %0 = arith.mulf %arg0, %arg1 : f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }

// DIVIDES: module {
// DIVIDES-NEXT:   func.func @f(%arg0: f32) -> f32 {
// DIVIDES-NEXT:     %0 = arith.divf %arg0, %arg0 : f32
// DIVIDES-NEXT:     return %0 : f32
// DIVIDES-NEXT:   }
// DIVIDES-NEXT: }

// CLEAN: module {
// CLEAN-NEXT:   func.func @f(%arg0: f32, %arg1: f32, %arg2: i1) -> f32 {
// CLEAN-NEXT:     %0 = arith.addf %arg0, %arg1 : f32
// CLEAN-NEXT:     cf.cond_br %arg2, ^bb1(%0 : f32), ^bb2
// CLEAN-NEXT:   ^bb1(%1: f32):  // pred: ^bb0
// CLEAN-NEXT:     %2 = arith.mulf %1, %arg1 : f32
// CLEAN-NEXT:     return %2 : f32
// CLEAN-NEXT:   ^bb2:  // pred: ^bb0
// CLEAN-NEXT:     %3 = arith.divf %0, %arg0 {some.attribute} : f32
// CLEAN-NEXT:     return %3 : f32
// CLEAN-NEXT:   }
// CLEAN-NEXT: }
