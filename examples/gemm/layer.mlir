// A layer of a network: max(0, A B + bias), in f16 with sums in f32, on tensors.
//
//   xgpu-opt examples/gemm/layer.mlir --gpu-gemm-pipeline                        (sm_80: cp.async, mma.sync)
//   xgpu-opt examples/gemm/layer.mlir --gpu-gemm-pipeline="instruction=wgmma"    (sm_90a: TMA, wgmma)
//   .. mode=pipelined-mbarrier, mode=warp-specialized, stages=4, tile=128,256,64 ..
//
// The product, the bias and the activation are one kernel. See docs/concepts/gemm.md.
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
func.func @layer(%a: tensor<512x256xf16>, %b: tensor<256x384xf16>, %bias: tensor<384xf32>)
    -> tensor<512x384xf16> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<512x384xf32>
  %start = linalg.fill ins(%zero : f32) outs(%none : tensor<512x384xf32>) -> tensor<512x384xf32>
  %sums = linalg.matmul ins(%a, %b : tensor<512x256xf16>, tensor<256x384xf16>)
      outs(%start : tensor<512x384xf32>) -> tensor<512x384xf32>
  %empty = tensor.empty() : tensor<512x384xf16>
  %0 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : tensor<512x384xf32>, tensor<384xf32>) outs(%empty : tensor<512x384xf16>) {
  ^bb0(%x: f32, %y: f32, %out: f16):
    %s = arith.addf %x, %y : f32
    %r = arith.maximumf %s, %zero : f32
    %t = arith.truncf %r : f32 to f16
    linalg.yield %t : f16
  } -> tensor<512x384xf16>
  return %0 : tensor<512x384xf16>
}
