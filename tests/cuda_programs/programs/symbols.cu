// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the device: constant tables, counters, managed ones; their addresses and sizes.
#include "check.h"

__constant__ int table[4] = {1, 2, 3, 4};
__constant__ float *target;
__device__ int count = 10;
__device__ float values[8];
__managed__ int seen[3] = {5, 6, 7};
static __device__ unsigned int last;

__global__ void use(int step) {
  atomicAdd(&count, table[threadIdx.x % 4]);
  if (threadIdx.x < 8) target[threadIdx.x] = threadIdx.x * step;
  if (threadIdx.x == 0) {
    seen[1] += step;
    last = blockDim.x;
  }
}

int main() {
  CHECK(seen[0] == 5 && seen[1] == 6 && seen[2] == 7);
  seen[1] = 100;
  int host_table[4] = {10, 20, 30, 40}, got;
  OK(cudaMemcpyToSymbol(table, host_table, sizeof host_table));
  host_table[3] = 50;
  OK(cudaMemcpyToSymbol(table, &host_table[3], sizeof(int), 3 * sizeof(int)));
  float *address, host_values[8];
  OK(cudaGetSymbolAddress((void **)&address, values));
  OK(cudaMemcpyToSymbol(target, &address, sizeof address));
  use<<<1, 32>>>(3);
  use<<<1, 32>>>(4);
  OK(cudaMemcpyFromSymbol(&got, count, sizeof got));
  CHECK(got == 10 + 2 * 8 * (10 + 20 + 30 + 50));
  OK(cudaMemcpyFromSymbol(host_values, values, sizeof host_values));
  for (int i = 0; i < 8; ++i) CHECK(host_values[i] == 4.0f * i);
  unsigned int threads;
  OK(cudaMemcpyFromSymbol(&threads, last, sizeof threads));
  CHECK(threads == 32);
  OK(cudaDeviceSynchronize());
  CHECK(seen[0] == 5 && seen[1] == 107 && seen[2] == 7);
  seen[1] = 1;
  use<<<1, 32>>>(1);
  OK(cudaDeviceSynchronize());
  CHECK(seen[1] == 2);
  size_t bytes;
  OK(cudaGetSymbolSize(&bytes, values));
  CHECK(bytes == sizeof host_values);
  puts("PASS");
}
