// Run by tests/unit/driver/test_tensor_programs.py against NumPy, with static and with dynamic shapes.

#valid = affine_map<(d0)[s0] -> (d0 - s0 + 1)>

// A convolution of images (batch, channels, rows, columns), without padding.
func.func @static(%x: tensor<2x3x20x37xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<2x5x18x35xf32> {
  %zero = arith.constant 0.0 : f32
  %o_new = tensor.empty() : tensor<2x5x18x35xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_new : tensor<2x5x18x35xf32>) -> tensor<2x5x18x35xf32>
  %o = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x3x20x37xf32>, tensor<5x3x3x3xf32>) outs(%o_init : tensor<2x5x18x35xf32>) -> tensor<2x5x18x35xf32>
  return %o : tensor<2x5x18x35xf32>
}

func.func @dynamic(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x?x?xf32>
  %f = tensor.dim %w, %c0 : tensor<?x?x?x?xf32>
  %h = tensor.dim %x, %c2 : tensor<?x?x?x?xf32>
  %width = tensor.dim %x, %c3 : tensor<?x?x?x?xf32>
  %r = tensor.dim %w, %c2 : tensor<?x?x?x?xf32>
  %s = tensor.dim %w, %c3 : tensor<?x?x?x?xf32>
  %p = affine.apply #valid(%h)[%r]
  %q = affine.apply #valid(%width)[%s]
  %zero = arith.constant 0.0 : f32
  %o_new = tensor.empty(%n, %f, %p, %q) : tensor<?x?x?x?xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_new : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %o = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%o_init : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %o : tensor<?x?x?x?xf32>
}
