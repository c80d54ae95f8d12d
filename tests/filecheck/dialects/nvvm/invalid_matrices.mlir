// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// What fragments of matrices cannot be.

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected num attribute to be 1, 2 or 4 for 8x8 matrix}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 3 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected element type to be b16 for 8x8 matrix}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected num attribute to be 1, 2 or 4 for 8x16 matrix}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>, layout = #nvvm.mma_layout<row>, num = 3 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected layout to be row for 8x16 matrix}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected element type to be b8x16.b4x16_p64 or b8x16.b6x16_p32 for 8x16 matrix}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected num attribute to be 1 or 2 for 16x16 matrix}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<col>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected layout to be col for 16x16 matrix}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected element type to be b8, b8x16.b4x16_p64 or b8x16.b6x16_p32 for 16x16 matrix}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected shape to be 8x8, 8x16 or 16x16}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected destination type is i32}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32)>
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected destination type is a structure of 2 elements of type i32}}
  %0 = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.stmatrix' op expected num attribute to be 1, 2 or 4}}
  nvvm.stmatrix %s, %i, %i, %i {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.stmatrix' op expected element type to be B16 for 8x8 matrix}}
  nvvm.stmatrix %s, %i {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.stmatrix' op expected element type to be B8 for 16x8 matrix}}
  nvvm.stmatrix %s, %i {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>} : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.stmatrix' op expected layout to be col for 16x8 matrix}}
  nvvm.stmatrix %s, %i {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>} : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.stmatrix' op expected shape to be 8x8 or 16x8}}
  nvvm.stmatrix %s, %i {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>} : !llvm.ptr<3>, i32
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.load' op expected source pointer in memory space 0, 1, 3}}
  %0 = nvvm.wmma.load %q, %i {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<5>) -> f64
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.load' op invalid attribute combination}}
  %0 = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 8 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<3>) -> f64
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.load' op expected destination type to be f64}}
  %0 = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<f64>, frag = #nvvm.mma_frag<a>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(f64)>
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.load' op expected destination type is a structure of 4 elements of type 'i32'}}
  %0 = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<tf32>, frag = #nvvm.mma_frag<a>, k = 8 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<3>) -> f64
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.store' op expected operands to be a source pointer in memory space 0, 1, 3}}
  nvvm.wmma.store %q, %i, %d, %d {eltype = #nvvm.mma_type<f64>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : !llvm.ptr<5>, f64, f64
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.store' op invalid attribute combination}}
  nvvm.wmma.store %s, %i, %d, %d {eltype = #nvvm.mma_type<f64>, k = 8 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : !llvm.ptr<3>, f64, f64
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.store' op expected 2 data operands}}
  nvvm.wmma.store %s, %i, %d {eltype = #nvvm.mma_type<f64>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : !llvm.ptr<3>, f64
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.mma' op expected argument 3 to be of type 'f64'}}
  %0 = nvvm.wmma.mma %d, %d, %d, %f {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f64>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 8 : i32, n = 8 : i32} : (f64, f64, f64, f32) -> !llvm.struct<(f64, f64)>
  llvm.return
}

// -----

llvm.func @f(%s: !llvm.ptr<3>, %q: !llvm.ptr<5>, %i: i32, %f: f32, %d: f64, %h: vector<2xf16>) {
  // expected-error@+1 {{'nvvm.wmma.mma' op invalid attribute combination}}
  %0 = nvvm.wmma.mma %d, %d, %d, %d {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f32>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 8 : i32, n = 8 : i32} : (f64, f64, f64, f64) -> !llvm.struct<(f64, f64)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op all elements in struct must be same type but there is 'i32'}}
  %0 = nvvm.wgmma.mma_async %a, %a, %mixed, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, i32)> -> !llvm.struct<(f32, f32, f32, i32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op does not support the given output type tf32}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 8, k = 16>, D [<tf32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op has s32 output, scaleA and scaleB cannot be neg}}
  %0 = nvvm.wgmma.mma_async %a, %a, %n, #nvvm.shape<m = 64, n = 8, k = 32>, D [<s32>, #nvvm.wgmma_scale_out<one>], A [<s8>, #nvvm.wgmma_scale_in<neg>, <row>], B [<s8>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op f32 += f16 * bf16, it is not supported.}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<bf16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op s32 += f16 * f16, it is not supported.}}
  %0 = nvvm.wgmma.mma_async %a, %a, %n, #nvvm.shape<m = 64, n = 8, k = 16>, D [<s32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op shape 'm' must be 64}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 32, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op shape 'k' must be 16 for input type f16}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 8, k = 8>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op has input type f16 n is set to 12, it is not supported.}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 12, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op has input type s8 n is set to 40, it is not supported.}}
  %0 = nvvm.wgmma.mma_async %a, %a, %n, #nvvm.shape<m = 64, n = 40, k = 32>, D [<s32>, #nvvm.wgmma_scale_out<one>], A [<s8>, #nvvm.wgmma_scale_in<one>, <row>], B [<s8>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op given layouts layout_a = col and layout_b = col for input types tf32 and tf32 requires transpose. However, this is only supported for: f16 and bf16}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 8, k = 8>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<tf32>, #nvvm.wgmma_scale_in<one>, <col>], B [<tf32>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op results 8, however output struct has 4 elements}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 16, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op  `satfinite` can be only used with s32 accumulator, however the current accumulator is f32}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>, <satfinite>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op results 2, however output struct has 4 elements}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f16>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op shape 'k' must be 32 for input type s8}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 8, k = 16>, D [<s32>, #nvvm.wgmma_scale_out<one>], A [<s8>, #nvvm.wgmma_scale_in<one>, <row>], B [<s8>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @f(%a: i64, %r: !llvm.struct<(f32, f32, f32, f32)>, %n: !llvm.struct<(i32, i32, i32, i32)>, %mixed: !llvm.struct<(f32, f32, f32, i32)>, %dd: !llvm.struct<(f64, f64, f64, f64)>) {
  // expected-error@+1 {{'nvvm.wgmma.mma_async' op failed to verify that input struct and result struct must be the same type}}
  %0 = nvvm.wgmma.mma_async %a, %a, %r, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}
