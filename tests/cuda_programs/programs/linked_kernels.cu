// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"

__device__ int counter = 100;
static __device__ int own = 7;

__device__ int twice(int x) { return 2 * x; }
__global__ void reset() { counter = 10; }

int own_of_kernels() {
  int value;
  OK(cudaMemcpyFromSymbol(&value, own, sizeof value));
  return value;
}
