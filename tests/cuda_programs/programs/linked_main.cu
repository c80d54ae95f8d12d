// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are linked across sources: a function, a variable and a kernel of the other source,
// and a static variable in each, of the same name.
#include "check.h"

extern __device__ int counter;
static __device__ int own = 3;

__device__ int twice(int x);
__global__ void reset();
int own_of_kernels();

static void set_own(int value) { OK(cudaMemcpyToSymbol(own, &value, sizeof value)); }

__global__ void step(int *x) {
  x[threadIdx.x] = twice(threadIdx.x) + own;
  atomicAdd(&counter, 1);
}

int main() {
  int *x, host[32], count;
  OK(cudaMalloc(&x, sizeof host));
  set_own(5);
  reset<<<1, 1>>>();
  step<<<1, 32>>>(x);
  OK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) CHECK(host[i] == 2 * i + 5);
  OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CHECK(count == 10 + 32);
  CHECK(own_of_kernels() == 7);
  OK(cudaFree(x));
  puts("PASS");
}
