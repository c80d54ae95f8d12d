// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block adds to one number by a load and a store: a race, which `--sanitize` finds. Threads that
// have exited are not at a barrier, an array is too short, and it is never released.
#include "check.h"

__global__ void add(int *sum) {
  if (threadIdx.x == 0) *sum += 1;
}

__global__ void part(int *rest) {
  if (threadIdx.x >= 16) return;
  rest[threadIdx.x] = 0;
  __syncthreads();
  rest[threadIdx.x + 1] = 1;
}

int main() {
  int *sum, *rest;
  OK(cudaMalloc(&sum, sizeof(int)));
  OK(cudaMalloc(&rest, 16 * sizeof(int)));
  OK(cudaMemset(sum, 0, sizeof(int)));
  add<<<4, 32>>>(sum);
  part<<<1, 32>>>(rest);
  OK(cudaDeviceSynchronize());
  OK(cudaFree(sum));
  puts("done");
}
