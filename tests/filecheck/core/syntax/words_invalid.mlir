// RUN: xgpu-opt %s --split-input-file --verify-diagnostics
// Mistakes that are said in mlir-opt's words; mlir-opt --verify-diagnostics takes this file too.

// expected-error @+1 {{result number not allowed in argument list}}
func.func @f(%a: i32, %b#2: i32) { return }

// -----

// expected-error @+1 {{expected ',' or '>'}}
func.func private @f(memref<4xf32, 4xf32, 3>)

// -----

// expected-error @+1 {{expected non-function type}}
func.func private @f(vector<3x1.x5xi8>)

// -----

// expected-error @+1 {{invalid dimension}}
func.func private @f(vector<2x[]xi1>)

// -----

// expected-error @+1 {{expected non-function type}}
func.func private @f(vector<0xFFFFFFFFxf32>)

// -----

// expected-error @+1 {{vector types must have positive constant sizes but got 2, 0}}
func.func private @f(vector<2x0xf32>)

// -----

// expected-error @+1 {{custom op 'func.func' expected non-empty function body}}
func.func @f() {
}

// -----

// expected-error @+1 {{empty block: expect at least a terminator}}
func.func @f(%a: i32) {
}

// -----

func.func @f() {
  // expected-error @+1 {{custom op 'memref.alloc' invalid kind of type specified: expected builtin.memref, but found 'i7'}}
  %0 = memref.alloc() {} : i7
  return
}

// -----

func.func @f(%m: memref<4x4xf32>) {
  // expected-error @+1 {{custom op 'memref.collapse_shape' invalid kind of type specified: expected builtin.memref, but found '!llvm.array<4 x f32>'}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into !llvm.array<4 x f32>
  return
}

// -----

func.func @f(%f: f64) {
  // expected-error @+1 {{custom op 'cf.switch' invalid kind of type specified: expected builtin.integer, but found 'f64'}}
  cf.switch %f : f64, [default: ^bb1]
^bb1:
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  // expected-error @+1 {{custom op 'scf.for' mismatch in number of loop-carried values and defined values}}
  %0 = scf.for %j = %i to %i step %i iter_args(%a = %x) -> (f32, f32) {
    scf.yield %a : f32
  }
  return
}

// -----

// expected-error @+1 {{operand expected to be one of AOp, BOp or COp}}
func.func private @f(!gpu.mma_matrix<16x16xf16, "DOp">)

// -----

func.func @f() {
  // expected-error @+1 {{unexpected character}}
  gpu.thread_÷
  return
}
