// RUN: xgpu-opt %s "--shard-explore=grid=pair top=2 most=20 gflops=100 bandwidth=1000 memory=6000 latency=0" 2>&1 | filecheck %s

// Where memory is short, weights are split as Megatron splits them: columns of the first, rows of the second.
// CHECK:     remark: 0.678 us, 512 bytes received and 5,120 held by a process: #0 {{\[\[}}], []], #1 {{\[\[}}], [0]], #2 {{\[\[}}0], []]
// CHECK:     remark: 0.934 us
// CHECK-NOT: remark
// CHECK:     module {
shard.grid @line(shape = 4)
shard.grid @pair(shape = 2)
func.func @network(%x: tensor<8x16xf32>, %w: tensor<16x64xf32>, %v: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x64xf32>) outs(%1 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = math.exp %2 : tensor<8x64xf32>
  %4 = tensor.empty() : tensor<8x16xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %6 = linalg.matmul ins(%3, %v : tensor<8x64xf32>, tensor<64x16xf32>) outs(%5 : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}
