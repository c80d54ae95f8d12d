// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assertion that fails on the device: the error stays until the device is reset.
#include <cassert>

#include "check.h"

__global__ void checked(int *x, int limit) { assert(x[threadIdx.x] < limit); }

int main() {
  int *x, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  OK(cudaMalloc(&x, sizeof host));
  OK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  checked<<<1, 32>>>(x, 32);
  OK(cudaDeviceSynchronize());
  checked<<<1, 32>>>(x, 31);
  cudaError_t error = cudaDeviceSynchronize();
  CHECK(error == cudaErrorAssert);
  CHECK(cudaGetLastError() == cudaErrorAssert && cudaGetLastError() == cudaErrorAssert);
  CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost) == cudaErrorAssert);
  OK(cudaDeviceReset());
  OK(cudaGetLastError());
  OK(cudaMalloc(&x, sizeof host));
  OK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  checked<<<1, 32>>>(x, 100);
  OK(cudaDeviceSynchronize());
  puts("PASS");
}
