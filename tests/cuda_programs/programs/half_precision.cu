// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves and bfloats on both sides, atomics of cuda::, tiles of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda/atomic>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void convert(const __half *x, __nv_bfloat16 *y, float *sum, unsigned int *count) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  __half v = __hmul(x[threadIdx.x], __float2half(2.0f));
  y[threadIdx.x] = __float2bfloat16(__half2float(v));
  float s = cg::reduce(tile, __half2float(v), cg::plus<float>());
  cuda::atomic_ref<unsigned int, cuda::thread_scope_device> counter(*count);
  counter.fetch_add(1, cuda::memory_order_relaxed);
  if (tile.thread_rank() == 0) *sum = s;
}

int main() {
  __half host[32], *x;
  __nv_bfloat16 result[32], *y;
  float *sum, host_sum;
  unsigned int *count, host_count;
  for (int i = 0; i < 32; ++i) host[i] = __float2half(i * 0.25f);
  OK(cudaMalloc(&x, sizeof host));
  OK(cudaMalloc(&y, sizeof result));
  OK(cudaMalloc(&sum, sizeof(float)));
  OK(cudaMalloc(&count, sizeof(unsigned int)));
  OK(cudaMemset(count, 0, sizeof(unsigned int)));
  OK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  convert<<<1, 32>>>(x, y, sum, count);
  OK(cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&host_sum, sum, sizeof(float), cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&host_count, count, sizeof(unsigned int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) CHECK(__bfloat162float(result[i]) == i * 0.5f);
  CHECK(host_sum == 31 * 32 / 2 * 0.5f && host_count == 32);
  puts("PASS");
}
