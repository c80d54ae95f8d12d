// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What is wrong with casts of indices, in MLIR's words.

func.func @f(%i: index) {
// expected-error @+1 {{'index.casts' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = index.casts %i : index to index
 return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{'index.castu' op operand type 'index' and result type 'index' are cast incompatible}}
  %0 = index.castu %i : index to index
 return
}

// -----

func.func @f(%x: f32) {
// expected-error @+1 {{'index.castu' op operand #0 must be integer or index, but got 'f32'}}
  %0 = index.castu %x : f32 to i32
 return
}
