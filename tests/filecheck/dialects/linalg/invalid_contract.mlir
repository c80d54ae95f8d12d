// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the maps of linalg.contract may say.

func.func @f(%l: tensor<4x1xf32>, %r: tensor<1x64xf32>, %o: tensor<4x64xf32>, %s: f32, %x: tensor<4x1x2xf32>, %v: tensor<4xf32>) {
 // expected-error @+1 {{provided affine_map is not a projected permutation}}
 %0 = linalg.contract indexing_maps = [affine_map<(d0,d1,d2) -> (d0 + d2, d2)>, affine_map<(d0,d1,d2) -> (d2,d1)>, affine_map<(d0,d1,d2) -> (d0,d1)>] ins(%l, %r : tensor<4x1xf32>, tensor<1x64xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>
 return }

// -----

func.func @f(%l: tensor<4x1xf32>, %r: tensor<1x64xf32>, %o: tensor<4x64xf32>, %s: f32, %x: tensor<4x1x2xf32>, %v: tensor<4xf32>) {
 // expected-error @+1 {{iteration spaces of provided affine_maps differ}}
 %0 = linalg.contract indexing_maps = [affine_map<(d0,d1,d2) -> (d0,d2)>, affine_map<(d0,d1,d2,d3) -> (d2,d1)>, affine_map<(d0,d1,d2) -> (d0,d1)>] ins(%l, %r : tensor<4x1xf32>, tensor<1x64xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>
 return }

// -----

func.func @f(%l: tensor<4x1xf32>, %r: tensor<1x64xf32>, %o: tensor<4x64xf32>, %s: f32, %x: tensor<4x1x2xf32>, %v: tensor<4xf32>) {
 // expected-error @+1 {{ranks of shaped operand and results of corresponding affine_map differ}}
 %0 = linalg.contract indexing_maps = [affine_map<(d0,d1,d2) -> (d0,d2)>, affine_map<(d0,d1,d2) -> (d2,d1)>, affine_map<(d0,d1,d2) -> (d0,d1)>] ins(%x, %r : tensor<4x1x2xf32>, tensor<1x64xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>
 return }

// -----

func.func @f(%l: tensor<4x1xf32>, %r: tensor<1x64xf32>, %o: tensor<4x64xf32>, %s: f32, %x: tensor<4x1x2xf32>, %v: tensor<4xf32>) {
 // expected-error @+1 {{affine_map specifies shaped access while operand has non-shaped type}}
 %0 = linalg.contract indexing_maps = [affine_map<(d0,d1,d2) -> (d0)>, affine_map<(d0,d1,d2) -> (d2,d1)>, affine_map<(d0,d1,d2) -> (d0,d1)>] ins(%s, %r : f32, tensor<1x64xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>
 return }

// -----

func.func @f(%l: tensor<4x1xf32>, %r: tensor<1x64xf32>, %o: tensor<4x64xf32>, %s: f32, %x: tensor<4x1x2xf32>, %v: tensor<4xf32>) {
 // expected-error @+1 {{iteration space dim at index 3 not used to access any operand}}
 %0 = linalg.contract indexing_maps = [affine_map<(d0,d1,d2,d3) -> (d0,d2)>, affine_map<(d0,d1,d2,d3) -> (d2,d1)>, affine_map<(d0,d1,d2,d3) -> (d0,d1)>] ins(%l, %r : tensor<4x1xf32>, tensor<1x64xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>
 return }

// -----

func.func @f(%l: tensor<4x1xf32>, %r: tensor<1x64xf32>, %o: tensor<4x64xf32>, %s: f32, %x: tensor<4x1x2xf32>, %v: tensor<4xf32>) {
 // expected-error @+1 {{iteration space dim at index 3 is neither a contracting dim nor of parallel iteration type}}
 %0 = linalg.contract indexing_maps = [affine_map<(d0,d1,d2,d3) -> (d0,d2,d3)>, affine_map<(d0,d1,d2,d3) -> (d2,d1)>, affine_map<(d0,d1,d2,d3) -> (d0,d1)>] ins(%x, %r : tensor<4x1x2xf32>, tensor<1x64xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>
 return }

// -----

func.func @f(%l: tensor<4x1xf32>, %r: tensor<1x64xf32>, %o: tensor<4x64xf32>, %s: f32, %x: tensor<4x1x2xf32>, %v: tensor<4xf32>) {
 // expected-error @+1 {{'indexing_maps' do not specify a contracting dimension}}
 %0 = linalg.contract indexing_maps = [affine_map<(d0,d1) -> (d0)>, affine_map<(d0,d1) -> (d0)>, affine_map<(d0,d1) -> (d0,d1)>] ins(%v, %v : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>
 return }

// -----

func.func @f(%l: tensor<4x1xf32>, %r: tensor<1x64xf32>, %o: tensor<4x64xf32>, %s: f32, %x: tensor<4x1x2xf32>, %v: tensor<4xf32>) {
 %0 = linalg.contract indexing_maps = [affine_map<(d0,d1,d2) -> (d0,d2)>, affine_map<(d0,d1,d2) -> (d2,d1)>, affine_map<(d0,d1,d2) -> (d0,d1)>] ins(%l, %r : tensor<4x1xf32>, tensor<1x64xf32>) outs(%o : tensor<4x64xf32>) -> tensor<4x64xf32>
 return }

// -----

func.func @vectors(%a: memref<4x8xvector<f32>>, %b: memref<8x16xvector<f32>>, %c: memref<4x16xvector<f32>>) {
  // expected-error @+1 {{'linalg.matmul' op multiplies numbers; its elements are vectors}}
  "linalg.matmul"(%a, %b, %c) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: vector<f32>, %y: vector<f32>, %z: vector<f32>):
    %p = arith.mulf %x, %y : vector<f32>
    %s = arith.addf %z, %p : vector<f32>
    linalg.yield %s : vector<f32>
  }) : (memref<4x8xvector<f32>>, memref<8x16xvector<f32>>, memref<4x16xvector<f32>>) -> ()
  return
}
