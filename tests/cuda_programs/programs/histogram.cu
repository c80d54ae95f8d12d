// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram: counters of a block in shared memory, then of the grid.
#include <vector>

#include "check.h"

constexpr int BINS = 64;

__global__ void histogram(const unsigned char *data, int n, unsigned int *bins) {
  __shared__ unsigned int local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&local[data[i] % BINS], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

int main() {
  const int n = 20000;
  std::vector<unsigned char> data(n);
  unsigned int state = 1, expected[BINS] = {}, bins[BINS];
  for (auto &d : data) {
    state = state * 1664525u + 1013904223u;
    d = state >> 24;
    ++expected[d % BINS];
  }
  unsigned char *ddata;
  unsigned int *dbins;
  OK(cudaMalloc(&ddata, n));
  OK(cudaMalloc(&dbins, sizeof bins));
  OK(cudaMemset(dbins, 0, sizeof bins));
  OK(cudaMemcpy(ddata, data.data(), n, cudaMemcpyHostToDevice));
  histogram<<<6, 128>>>(ddata, n, dbins);
  OK(cudaMemcpy(bins, dbins, sizeof bins, cudaMemcpyDeviceToHost));
  for (int i = 0; i < BINS; ++i) CHECK(bins[i] == expected[i]);
  OK(cudaFree(ddata));
  OK(cudaFree(dbins));
  puts("PASS");
}
