// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of the host, each with its default stream and its last error.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <cuda/atomic>
#include <thread>
#include <vector>

#include "check.h"

__global__ void fill(int *x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] = value; }

// Atomic objects in memory of the host, which kernels and copies use too.
cuda::atomic<int> ended{0};
cuda::atomic<unsigned, cuda::thread_scope_block> turns{0};

__global__ void add(cuda::atomic<int> *x) { x->fetch_add(1, cuda::memory_order_relaxed); }

void atomics_by_value() {
  cuda::atomic<int> flag, *there;
  flag = 5;
  OK(cudaMalloc(&there, sizeof flag));
  OK(cudaMemcpy(there, &flag, sizeof flag, cudaMemcpyHostToDevice));
  add<<<2, 32>>>(there);
  OK(cudaMemcpy(&flag, there, sizeof flag, cudaMemcpyDeviceToHost));
  CHECK(flag == 69);
  int expected = 69;
  CHECK(flag.compare_exchange_strong(expected, 1) && flag.load() == 1);
  cuda::atomic_ref<int> other(expected);
  CHECK(other.fetch_max(80) == 69 && other-- == 80 && expected == 79);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel);
  OK(cudaFree(there));
}

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
  turns ^= 1u << number;
  ++ended;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (int seen = 0; seen < 4; seen = ended) ended.wait(seen);
  for (auto &t : threads) t.join();
  CHECK(turns == 15u);
  atomics_by_value();
  OK(cudaGetLastError());
  puts("PASS");
}
