// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block adds to one number by a load and a store: a race, which `--sanitize` finds.
#include "check.h"

__global__ void add(int *sum) {
  if (threadIdx.x == 0) *sum += 1;
}

int main() {
  int *sum;
  OK(cudaMalloc(&sum, sizeof(int)));
  OK(cudaMemset(sum, 0, sizeof(int)));
  add<<<4, 32>>>(sum);
  OK(cudaDeviceSynchronize());
  OK(cudaFree(sum));
  puts("done");
}
