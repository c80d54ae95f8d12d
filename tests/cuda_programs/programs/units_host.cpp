// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "units.h"

#include <numeric>
#include <vector>

#include "check.h"

int *filled(int n, int value) {
  std::vector<int> host(n, value);
  int *x;
  OK(cudaMalloc(&x, n * sizeof(int)));
  OK(cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  return x;
}

int sum_of(const int *x, int n) { return std::accumulate(x, x + n, 0); }
