// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @sizes(%n: index) {
  // expected-error @+1 {{'memref.alloc' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = memref.alloc(%n) : memref<4xf32>
  return
}

// -----

func.func @subview(%m: memref<8xf32>) {
  // expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %0 = memref.subview %m[4] [5] [1] : memref<8xf32> to memref<5xf32, strided<[1], offset: 4>>
  return
}

// -----

func.func @layout(%m: memref<8x8xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<4x4xf32, strided<[8, 1], offset: 9>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<4x4xf32>'}}
  %0 = memref.subview %m[1, 1] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32>
  return
}

// -----

func.func @cast(%m: memref<2x5xf32>) {
  // expected-error @+1 {{'memref.cast' op operand type 'memref<2x5xf32>' and result type 'memref<*xi32>' are cast incompatible}}
  %0 = memref.cast %m : memref<2x5xf32> to memref<*xi32>
  return
}

// -----

memref.global "private" @g : memref<3xf32>
func.func @global() {
  // expected-error @+1 {{'memref.get_global' op result type 'memref<4xf32>' does not match type 'memref<3xf32>' of the global memref @g}}
  %0 = memref.get_global @g : memref<4xf32>
  return
}

// -----

func.func @reshape(%m: memref<4x5xf32>) {
  // expected-error @+1 {{'memref.collapse_shape' op collapsed dim size (21) must equal reassociation group size (20)}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x5xf32> into memref<21xf32>
  return
}

// -----

func.func @scope_type(%x: f32) {
  // expected-error @+1 {{'memref.alloca_scope' op along control flow edge from Operation memref.alloca_scope.return to parent: successor operand type #0 'f32' should match successor input type #0 'f64'}}
  %0 = memref.alloca_scope -> f64 {
    // expected-note @+1 {{region branch point}}
    memref.alloca_scope.return %x : f32
  }
  return
}

// -----

func.func @scope_count(%x: f32) {
  // expected-error @+1 {{'memref.alloca_scope' op along control flow edge from Operation memref.alloca_scope.return to parent: region branch point has 1 operands, but region successor needs 0 inputs}}
  memref.alloca_scope {
    // expected-note @+1 {{region branch point}}
    memref.alloca_scope.return %x : f32
  }
  return
}
