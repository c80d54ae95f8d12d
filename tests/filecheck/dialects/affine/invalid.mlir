// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @symbol(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    // expected-error @+1 {{'affine.load' op operand cannot be used as a symbol}}
    %0 = affine.load %m[symbol(%i)] : memref<8xf32>
  }
  return
}

// -----

func.func @dimension(%m: memref<8xf32>, %p: memref<index>) {
  affine.for %i = 0 to 8 {
    %j = memref.load %p[] : memref<index>
    // expected-error @+1 {{'affine.load' op operand cannot be used as a dimension id}}
    %0 = affine.load %m[%j] : memref<8xf32>
  }
  return
}

// -----

func.func @operands(%i: index) {
  // expected-error @+1 {{'affine.min' op operand count and affine map dimension and symbol count must match}}
  %0 = affine.min affine_map<(d0, d1) -> (d0, d1)>(%i)
  return
}

// -----

func.func @basis(%i: index) {
  // expected-error @+1 {{'affine.delinearize_index' op no basis element may be statically non-positive}}
  %0:2 = affine.delinearize_index %i into (0, 4) : index, index
  return
}

// -----

func.func @no_map(%m: memref<4xi32>, %n: index) {
  // expected-error @+1 {{'affine.dma_wait' op requires an affine map as attribute 'tag_map'}}
  "affine.dma_wait"(%m, %n) {tag_map = "x"} : (memref<4xi32>, index) -> ()
  return
}

// -----

func.func @few(%m: memref<4xi32>, %n: index) {
  // expected-error @+1 {{'affine.dma_wait' op incorrect number of operands}}
  "affine.dma_wait"(%m) {tag_map = affine_map<(d0) -> (d0)>} : (memref<4xi32>) -> ()
  return
}

// -----

func.func @operands_of_a_bound(%n: index) {
  // expected-error @+1 {{'affine.for' op expected 2 operands for the map of the lower bound, found 0}}
  "affine.for"() <{lowerBoundMap = affine_map<(d0)[s0] -> (d0 + s0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (4)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @if_without_else(%i: index, %v: f32) -> f32 {
  // expected-error @+2 {{'affine.if' op along control flow edge from parent to parent: region branch point has 0 operands, but region successor needs 1 inputs}}
  // expected-note @+1 {{region branch point}}
  %r = "affine.if"(%i) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
    "affine.yield"(%v) : (f32) -> ()
  }, {
  }) : (index) -> f32
  return %r : f32
}

// -----

func.func @backwards() {
  // expected-error @+1 {{'affine.for' op expected step to be representable as a positive signed integer}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = -1 : index, upperBoundMap = affine_map<() -> (4)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @no_index() {
  // expected-error @+1 {{'affine.parallel' op expected body arguments of type 'index', the induction variables}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [5], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({
  ^bb0(%i: f32):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @step(%a: index) {
  // expected-error @+1 {{expected attribute value}}
  affine.for %i = 0 to 3 step %a {
  }
  return
}

// -----

func.func @carried(%a: f32) {
  // expected-error @+1 {{mismatch between the number of loop-carried values and results}}
  %0:2 = affine.for %i = 0 to 3 iter_args(%x = %a) -> (f32, f32) {
    affine.yield %x, %x : f32, f32
  }
  return
}

// -----

func.func @start(%a: memref<8xf32>, %t: memref<1xindex>, %n: index) {
  affine.for %i = 0 to 8 {
    %j = memref.load %t[%i] : memref<1xindex>
    // expected-error @+1 {{'affine.dma_start' op src index must be a valid dimension or symbol identifier}}
    affine.dma_start %a[%j], %a[%i], %t[%i], %n : memref<8xf32>, memref<8xf32>, memref<1xindex>
  }
  return
}

// -----

func.func @wait(%t: memref<1xindex>, %n: index) {
  affine.for %i = 0 to 8 {
    %j = memref.load %t[%i] : memref<1xindex>
    // expected-error @+1 {{'affine.dma_wait' op index must be a valid dimension or symbol identifier}}
    affine.dma_wait %t[%j], %n : memref<1xindex>
  }
  return
}

// -----

// expected-error @+1 {{expected '(' in integer set constraint list}}
func.func private @set() attributes {a = affine_set<(d0) : d0 >= 0>}
