// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What linalg.fill takes.

func.func @f(%a: memref<4xf32>, %r: memref<f32>, %x: f32, %v: vector<4xf32>, %y: f64, %c: complex<f32>) {
// expected-error @+1 {{expected op with scalar input}}
  linalg.fill ins(%r : memref<f32>) outs(%a : memref<4xf32>)
return }

// -----

func.func @f(%a: memref<4xf32>, %r: memref<f32>, %x: f32, %v: vector<4xf32>, %y: f64) {
// expected-error @+1 {{'linalg.fill' op expected fill value type ('vector<4xf32>') to match output element type ('f32')}}
  linalg.fill ins(%v : vector<4xf32>) outs(%a : memref<4xf32>)
return }

// -----

func.func @f(%a: memref<4xf32>, %r: memref<f32>, %x: f32, %v: vector<4xf32>, %y: f64) {
// expected-error @+2 {{custom op 'linalg.fill' [parseNamedStructuredOpRegion] ods-gen generated region expects 2 args, got 3}}
  linalg.fill ins(%x, %x : f32, f32) outs(%a : memref<4xf32>)
return }

// -----

func.func @f(%a: memref<4xf32>, %r: memref<f32>, %x: f32, %v: vector<4xf32>, %y: f64) {
// expected-error @+2 {{custom op 'linalg.fill' [parseNamedStructuredOpRegion] ods-gen generated region expects 2 args, got 3}}
  linalg.fill ins(%x : f32) outs(%a, %a : memref<4xf32>, memref<4xf32>)
return }

// -----

func.func @f(%a: memref<4xf32>, %r: memref<f32>, %x: f32, %v: vector<4xf32>, %y: f64) {
// expected-error @+1 {{'linalg.fill' op expected fill value type ('f64') to match output element type ('f32')}}
  linalg.fill ins(%y : f64) outs(%a : memref<4xf32>)
return }

// -----

func.func @f(%a: memref<4xf32>, %r: memref<f32>, %x: f32, %v: vector<4xf32>, %y: f64) {
// expected-error @+1 {{'linalg.fill' op operand #1 must be variadic of shaped of any type values, but got 'f32'}}
  linalg.fill ins(%x : f32) outs(%x : f32)
return }

// -----

func.func @f(%a: memref<4xf32>, %c: complex<f32>) {
// expected-error @+1 {{'linalg.fill' op expected fill value type ('complex<f32>') to match output element type ('f32')}}
  linalg.fill ins(%c : complex<f32>) outs(%a : memref<4xf32>)
return }

// -----

func.func @f(%x: f32) {
// expected-error @+1 {{'linalg.fill' op operand #1 must be variadic of shaped of any type values, but got 'f32'}}
  linalg.fill ins(%x : f32) outs(%x : f32)
return }

// -----

func.func @f(%x: f32) {
// expected-error @+1 {{'linalg.yield' op expected number of yield values (1) to match the number of inits / outs operands of the enclosing LinalgOp (0)}}
  "linalg.fill"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> ({ ^b(%b: f32): linalg.yield %b : f32 }) : (f32) -> ()
return }
