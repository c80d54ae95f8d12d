// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Names that stand for nothing, and operands without the types that they need.

func.func @f() { return }
// expected-error @+1 {{reference to an undefined block}}
llvm.br ^bb1

// -----

// Both messages are the same: one expectation takes all that it matches.
// expected-error @+1 {{reference to an undefined block}}
"a.b"()[^c, ^d, ^c] : () -> ()

// -----

func.func @f() {
// expected-error @+1 {{operation's operand is unlinked}}
  affine.if affine_set<(d0) : (d0 >= 0)>(%2) {
    %2 = arith.constant 4 : index
  }
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{operation's operand is unlinked}}
  "a.b"(%2) : (index) -> ()
  affine.if affine_set<(d0) : (d0 >= 0)>(%2) {
    %2 = arith.constant 4 : index
  }
  return
}

// -----

func.func @f(%a: memref<10xf32>) {
// expected-error @+1 {{use of undeclared identifier}}
  %0 = affine.load %a[f32] : memref<10xf32>
  return
}

// -----

func.func @f(%a: memref<10xf32>, %x: f32) {
// expected-error @+1 {{use of undeclared identifier}}
  affine.store %x, %a[d0] : memref<10xf32>
  return
}

// -----

"a.b"() {m = affine_map<(d0) -> (d0)>} : () -> ()
func.func @f(%a: memref<10xf32>, %x: f32) {
// expected-error @+1 {{use of undeclared identifier}}
  affine.store %x, %a[d0] : memref<10xf32>
  return
}

// -----

func.func @f() {
// expected-error @+1 {{use of undeclared identifier}}
  affine.parallel (%i) = (d0) to (10) {
  }
  return
}

// -----

func.func @f() {
// expected-error @+1 {{use of undeclared identifier}}
  affine.parallel (%i) = (0) to (10) step (s0) {
  }
  return
}

// -----

func.func @f(%a: memref<10xf32>, %i: index) {
// expected-error @+1 {{expected SSA operand}}
  affine.prefetch %a[symbol(n)], read, locality<1>, data : memref<10xf32>
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{use of undeclared identifier}}
  %0 = affine.apply affine_map<(d0) -> (d1)>(%i)
  return
}

// -----

// expected-error @+1 {{use of undeclared identifier}}
"a.b"() {s = affine_set<(d0) : (d1 >= 0)>} : () -> ()

// -----

// expected-error @+1 {{undefined symbol alias id 'b'}}
"a.b"() : () -> () loc("x"(#b))
#b = loc("y")

// -----

// expected-error @+1 {{undefined symbol alias id 'b'}}
"a.b"() {a = loc(#b)} : () -> ()
#b = loc("y")

// -----

// expected-error @+1 {{undefined symbol alias id 'b'}}
#a = loc("x"(#b))
#b = loc("y"(#a))
"a.b"() : () -> () loc(#a)

// -----

func.func @f(%g: (i32) -> f32) {
// expected-error @+1 {{custom op 'func.call_indirect' number of operands and types do not match: got 0 operands and 1 types}}
  %0 = func.call_indirect %g() : (i32) -> f32
  return
}

// -----

func.func @f(%g: (i32) -> f32, %i: i32) {
// expected-error @+1 {{custom op 'func.call_indirect' number of operands and types do not match: got 2 operands and 1 types}}
  %0 = func.call_indirect %g(%i, %i) : (i32) -> f32
  return
}

// -----

func.func @f(%g: (i32) -> f32) {
// expected-error @+1 {{'func.call_indirect' op failed to verify that callee input types match argument types}}
  %0 = "func.call_indirect"(%g) : ((i32) -> f32) -> f32
  return
}

// -----

func.func @f() {
// expected-error @+1 {{custom op 'vector.from_elements' number of operands and types do not match: got 0 operands and 2 types}}
  %0 = vector.from_elements : vector<2xf32>
  return
}

// -----

func.func @f(%x: f32) {
// expected-error @+1 {{'vector.from_elements' op failed to verify that shaped type 'dest' matches 'elements' element count and types}}
  %0 = "vector.from_elements"(%x) : (f32) -> vector<1000000x1000000xf32>
  return
}

// -----

func.func @f(%x: f32) {
// expected-error @+1 {{custom op 'tensor.from_elements' number of operands and types do not match: got 3 operands and 2 types}}
  %0 = tensor.from_elements %x, %x, %x : tensor<2xf32>
  return
}

// -----

func.func @f(%c: i1) {
// expected-error @+1 {{'scf.if' op expects region #0 to have 0 or 1 blocks}}
  scf.if %c {
    "test.op"() : () -> ()
  ^next:
    scf.yield
  }
  return
}

// -----

// expected-note @+1 {{previously referenced here}}
%0 = tensor.concat dim(0) %t#9, %t : (tensor<10xf32>, tensor<10xf32>) -> tensor<20xf32>
// expected-error @+1 {{region entry argument '%t' is already in use}}
func.func @f(%t: tensor<10xf32>) {
}

// -----

// expected-error @+1 {{null character not allowed in operation name}}
"builtin.mod\00ule"() ({}) : () -> ()

// -----

#map = affine_map<(d0) -> (d0)>
// expected-error @+1 {{redefinition of attribute alias id 'map'}}
#map = affine_map<(d0) -> (d0 + 1)>

// -----

!kind = i32
// expected-error @+1 {{redefinition of type alias id 'kind'}}
!kind = i64

// -----

// expected-error @+1 {{attribute names with a '.' are reserved for dialect-defined names}}
#a.b = 1 : i32

// -----

// expected-error @+1 {{type names with a '.' are reserved for dialect-defined names}}
!a.b = i32
