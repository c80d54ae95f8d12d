// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What linalg.pack, unpack and softmax take.

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2x2xf32>) {
 // expected-error @+1 {{invalid inner_dims_pos vector}}
 %0 = linalg.pack %s inner_dims_pos = [0, 2] inner_tiles = [2, 2] into %d : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2x2xf32>) {
 // expected-error @+1 {{invalid inner_dims_pos vector}}
 %0 = linalg.pack %s inner_dims_pos = [0, 0] inner_tiles = [2, 2] into %d : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2x2xf32>) {
 // expected-error @+1 {{invalid zero tile factor}}
 %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [2, 0] into %d : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2xf32>) {
 // expected-error @+1 {{packed rank != (unpacked rank + num tiling factors), got 3 != 4}}
 %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x4xf32> -> tensor<2x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x3x2x2xf32>) {
 // expected-error @+1 {{expected 'tensor<2x2x2x2xf32>' for the packed domain value, got 'tensor<2x3x2x2xf32>'}}
 %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x4xf32> -> tensor<2x3x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x5xf32>, %d: tensor<2x3x2x2xf32>) {
 // expected-error @+1 {{'linalg.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
 %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x5xf32> -> tensor<2x3x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2x2xf32>) {
 // expected-error @+1 {{invalid outer_dims_perm vector}}
 %0 = linalg.pack %s outer_dims_perm = [0, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2x2xf32>, %p: f64) {
 // expected-error @+1 {{'linalg.pack' op expected padding_value has 'f32' but got: 'f64'}}
 %0 = linalg.pack %s padding_value(%p : f64) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2x4xf32>) {
 // expected-error @+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
 %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x4xf32> -> tensor<2x2x2x4xf32>
 return }

// -----

func.func @f(%s: tensor<2x2x2x2xf32>, %d: tensor<4x4xf32>) {
 // expected-error @+1 {{invalid inner_dims_pos vector}}
 %0 = linalg.unpack %s inner_dims_pos = [0, 2] inner_tiles = [2, 2] into %d : tensor<2x2x2x2xf32> -> tensor<4x4xf32>
 return }

// -----

func.func @f(%s: tensor<2x2x2x2xf32>, %d: tensor<4x6xf32>) {
 // expected-error @+1 {{expected 'tensor<2x3x2x2xf32>' for the packed domain value, got 'tensor<2x2x2x2xf32>'}}
 %0 = linalg.unpack %s inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<2x2x2x2xf32> -> tensor<4x6xf32>
 return }

// -----

func.func @f(%s: tensor<2x2x2xf32>, %d: tensor<4x6xf32>) {
 // expected-error @+1 {{packed rank != (unpacked rank + num tiling factors), got 3 != 4}}
 %0 = linalg.unpack %s inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<2x2x2xf32> -> tensor<4x6xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<4x4xf32>) {
 // expected-error @+1 {{'linalg.softmax' op incorrect dimension specified}}
 %0 = linalg.softmax dimension(2) ins(%s : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<4x5xf32>) {
 // expected-error @+1 {{'linalg.softmax' op incompatible output shape}}
 %0 = linalg.softmax dimension(1) ins(%s : tensor<4x4xf32>) outs(%d : tensor<4x5xf32>) -> tensor<4x5xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<4xf32>) {
 // expected-error @+1 {{'linalg.softmax' op incompatible output shape}}
 %0 = linalg.softmax dimension(1) ins(%s : tensor<4x4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<4x4xf32>) {
 // expected-error @+1 {{'linalg.softmax' op incorrect dimension specified}}
 %0 = linalg.softmax dimension(-1) ins(%s : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2x2xf32>) {
 // expected-error @+1 {{tiling factors must equal the number of dimensions to tile}}
 %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [2] into %d : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
 return }

// -----

func.func @f(%s: tensor<4x4xf32>, %d: tensor<2x2x2x2xf32>, %n: index) {
 // expected-error @+1 {{mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type}}
 %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [2, %n] into %d : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
 return }
