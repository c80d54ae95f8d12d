// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of the host, each with its default stream and its last error.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <thread>
#include <vector>

#include "check.h"

__global__ void fill(int *x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] = value; }

void work(int number) {
  int *x, host[256];
  OK(cudaMalloc(&x, sizeof host));
  if (number == 0) {
    fill<<<1, 4096>>>(x, 0);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  }
  for (int i = 0; i < 5; ++i) {
    fill<<<2, 128>>>(x, number * 10 + i);
    OK(cudaGetLastError());
    OK(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    for (int v : host) CHECK(v == number * 10 + i);
  }
  OK(cudaFree(x));
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (auto &t : threads) t.join();
  OK(cudaGetLastError());
  puts("PASS");
}
