// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

#include <memory>
#include <numeric>
#include <vector>

#include "check.h"
#include "units.h"

int *filled(int n, int value) {
  auto host = std::make_shared<std::vector<int>>(n, value);
  int *x;
  OK(cudaMalloc(&x, n * sizeof(int)));
  OK(cudaMemcpy(x, host->data(), n * sizeof(int), cudaMemcpyHostToDevice));
  return x;
}

int sum_of(const int *x, int n) { return std::accumulate(x, x + n, 0); }
