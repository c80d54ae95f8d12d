// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three sources: kernels in two of them, of which two have the same name; host code in C++.
#include "units.h"

#include "check.h"

static __global__ void step(int *x) { x[threadIdx.x] += 1; }

int main() {
  int *x = filled(32, 5), host[32];
  step<<<1, 32>>>(x);
  second_step(x, 32);
  OK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(sum_of(host, 32) == 32 * ((5 + 1) * 3));
  OK(cudaFree(x));
  puts("PASS");
}
