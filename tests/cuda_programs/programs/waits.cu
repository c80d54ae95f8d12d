// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait in global memory for one another: of other blocks, of their block, of their warp.
#include "check.h"

struct Ring {
  volatile int head, tail;
  int slots[8];
};

__device__ void put(Ring *ring, int n) {
  for (int i = 0; i < n; ++i) {
    while (ring->head - ring->tail >= 8) __nanosleep(20);
    __threadfence();
    ring->slots[ring->head % 8] = i * i;
    __threadfence();
    ring->head = ring->head + 1;
  }
}

__device__ void take(Ring *ring, int n, int *out) {
  for (int i = 0; i < n; ++i) {
    while (ring->tail == ring->head) {
    }
    __threadfence();
    out[i] = ring->slots[ring->tail % 8];
    __threadfence();
    ring->tail = ring->tail + 1;
  }
}

__global__ void by_a_ring(Ring *ring, int n, int taker, int *out) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread == 0) put(ring, n);
  if (thread == taker) take(ring, n, out);
}

__device__ int lock, count, tickets;
__device__ volatile int serving, flags[256];

__global__ void by_a_lock() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int *)&count += 1;
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void by_tickets() {
  int mine = atomicAdd(&tickets, 1);
  while (serving != mine) {
  }
  __threadfence();
  *(volatile int *)&count += 1;
  __threadfence();
  serving = mine + 1;
}

// Each thread waits for its neighbour: the one before, or the one behind.
__global__ void by_neighbours(volatile int *sums, int before, int value) {
  int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  int other = before ? i - 1 : i + 1;
  bool is_first = other < 0 || other == n;
  while (!is_first && flags[other] != value) {
  }
  sums[i] = is_first ? 0 : sums[other] + 1;
  __threadfence();
  flags[i] = value;
}

// The last warp of a block tells the first.
__global__ void by_a_warp(volatile int *told, int *out) {
  int last = blockDim.x - 32;
  if (threadIdx.x >= last) told[blockIdx.x * 32 + threadIdx.x - last] = threadIdx.x;
  if (threadIdx.x < 32) {
    int seen;
    while ((seen = told[blockIdx.x * 32 + threadIdx.x]) == 0) {
    }
    out[blockIdx.x * 32 + threadIdx.x] = seen;
  }
}

int main() {
  Ring *ring;
  int *out, *told;
  OK(cudaMallocManaged(&ring, sizeof *ring));
  OK(cudaMallocManaged(&out, sizeof(int) * 256));
  OK(cudaMallocManaged(&told, sizeof(int) * 256));
  for (int taker : {1, 33, 63, 64, 127}) {
    ring->head = ring->tail = 0;
    by_a_ring<<<2, 64>>>(ring, 50, taker, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 50; ++i) CHECK(out[i] == i * i);
  }
  int found;
  by_a_lock<<<3, 64>>>();
  OK(cudaMemcpyFromSymbol(&found, count, sizeof found));
  CHECK(found == 3 * 64);
  by_tickets<<<3, 64>>>();
  OK(cudaMemcpyFromSymbol(&found, count, sizeof found));
  CHECK(found == 6 * 64);
  for (int before : {1, 0}) {
    by_neighbours<<<2, 64>>>(out, before, 1 + before);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 128; ++i) CHECK(out[i] == (before ? i : 127 - i));
  }
  by_a_warp<<<2, 96>>>(told, out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK(out[i] == 64 + i % 32);
  OK(cudaFree(ring));
  OK(cudaFree(out));
  OK(cudaFree(told));
  puts("PASS");
}
