// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums by templates of block sizes: shuffles in warps, dynamic shared memory, atomics across blocks.
#include <numeric>
#include <vector>

#include "check.h"

template <typename T> __device__ T warp_sum(T v) {
  for (int by = warpSize / 2; by > 0; by /= 2) v += __shfl_down_sync(0xffffffff, v, by);
  return v;
}

template <typename T, int BLOCK> __global__ void sum(const T *x, T *out, int n) {
  extern __shared__ unsigned char raw[];
  T *part = reinterpret_cast<T *>(raw);
  T v = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) v += x[i];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < BLOCK / 32 ? part[threadIdx.x] : T(0);
    v = warp_sum(v);
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}

template <typename T, int BLOCK> void tested(int n) {
  std::vector<T> x(n);
  for (int i = 0; i < n; ++i) x[i] = T(i % 13);
  T *dx, *dout, out;
  OK(cudaMalloc(&dx, n * sizeof(T)));
  OK(cudaMalloc(&dout, sizeof(T)));
  OK(cudaMemset(dout, 0, sizeof(T)));
  OK(cudaMemcpy(dx, x.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  sum<T, BLOCK><<<8, BLOCK, BLOCK / 32 * sizeof(T)>>>(dx, dout, n);
  OK(cudaPeekAtLastError());
  OK(cudaMemcpy(&out, dout, sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(out == std::accumulate(x.begin(), x.end(), T(0)));
  cudaFree(dx);
  cudaFree(dout);
}

int main() {
  tested<int, 64>(1000);
  tested<int, 256>(10007);
  tested<float, 128>(5000);
  tested<double, 512>(9999);
  tested<unsigned long long, 32>(333);
  puts("PASS");
}
