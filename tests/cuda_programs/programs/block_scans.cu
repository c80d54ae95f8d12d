// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of CUB, of warps, blocks and arrays.
#include <cub/cub.cuh>

#include <vector>

#include "check.h"

constexpr int THREADS = 128, EACH = 3, COUNT = THREADS * EACH;

// Not commutative: the first and last of what lies side by side, and whether it all does.
struct Run {
  int first, last;
  bool whole;
};
struct Joined {
  __host__ __device__ Run operator()(const Run &a, const Run &b) const {
    return {a.first, b.last, a.whole && b.whole && a.last + 1 == b.first};
  }
};

struct Before {
  int sum;
  __device__ int operator()(int total) {
    int old = sum;
    sum += total;
    return old;
  }
};

__global__ void blocks(int *sums, int *scans, bool *is_whole) {
  typedef cub::BlockReduce<Run, 16, cub::BLOCK_REDUCE_RAKING, 8> Reduce;
  typedef cub::BlockScan<int, 16, cub::BLOCK_SCAN_WARP_SCANS, 8> Scan;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } room;
  int rank = threadIdx.y * 16 + threadIdx.x;
  Run run = Reduce(room.reduce).Reduce(Run{rank, rank, true}, Joined());
  if (rank == 0) *is_whole = run.whole && run.first == 0 && run.last == THREADS - 1;
  __syncthreads();
  int total;
  Scan(room.scan).ExclusiveSum(rank, scans[rank], total);
  __syncthreads();
  if (rank == 5) sums[0] = total;
  int values[EACH];
  for (int i = 0; i < EACH; ++i) values[i] = rank * EACH + i;
  Scan(room.scan).InclusiveSum(values, values);
  for (int i = 0; i < EACH; ++i) scans[THREADS + rank * EACH + i] = values[i];
  __syncthreads();
  Before before{1000};
  int after;
  for (int round = 0; round < 2; ++round) {
    Scan(room.scan).InclusiveScan(1, after, cub::Sum(), before);
    __syncthreads();
  }
  scans[THREADS + COUNT + rank] = after;
}

__global__ void warps(int *sums, int *scans) {
  __shared__ typename cub::WarpReduce<int>::TempStorage reduce[4];
  __shared__ typename cub::WarpScan<int>::TempStorage scan[4];
  int warp = threadIdx.x / 32;
  int sum = cub::WarpReduce<int>(reduce[warp]).Reduce(threadIdx.x % 50, cub::Max());
  if (threadIdx.x % 32 == 0) sums[warp] = sum;
  cub::WarpScan<int>(scan[warp]).InclusiveSum(threadIdx.x, scans[threadIdx.x]);
}

template <typename Call> void with_memory(Call call) {
  size_t bytes = 0;
  void *memory = nullptr;
  OK(call(memory, bytes));
  OK(cudaMalloc(&memory, bytes));
  OK(call(memory, bytes));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(memory));
}

int main() {
  int *sums, *scans;
  bool *is_whole;
  OK(cudaMallocManaged(&sums, 100 * sizeof(int)));
  OK(cudaMallocManaged(&scans, 2000 * sizeof(int)));
  OK(cudaMallocManaged(&is_whole, 1));
  blocks<<<1, dim3(16, 8)>>>(sums, scans, is_whole);
  OK(cudaDeviceSynchronize());
  CHECK(*is_whole && sums[0] == THREADS * (THREADS - 1) / 2);
  for (int i = 0; i < THREADS; ++i) CHECK(scans[i] == i * (i - 1) / 2);
  for (int i = 0; i < COUNT; ++i) CHECK(scans[THREADS + i] == i * (i + 1) / 2);
  for (int i = 0; i < THREADS; ++i) CHECK(scans[THREADS + COUNT + i] == 1000 + THREADS + i + 1);

  warps<<<1, 128>>>(sums, scans);
  OK(cudaDeviceSynchronize());
  for (int warp = 0; warp < 4; ++warp) {
    CHECK(sums[warp] == (warp == 0 ? 31 : warp == 2 ? 45 : 49));
    int sum = 0;
    for (int i = 32 * warp; i < 32 * (warp + 1); ++i) CHECK(scans[i] == (sum += i));
  }

  int n = 1000, *in;
  OK(cudaMallocManaged(&in, n * sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = (i * 7919) % 1009 - 500;
  with_memory([&](void *memory, size_t &bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, in, sums, n);
  });
  with_memory([&](void *memory, size_t &bytes) {
    return cub::DeviceReduce::Max(memory, bytes, in, sums + 1, n);
  });
  with_memory([&](void *memory, size_t &bytes) {
    return cub::DeviceReduce::Min(memory, bytes, in, sums + 2, 10);
  });
  with_memory([&](void *memory, size_t &bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, in, scans, n);
  });
  int sum = 0, most = in[0], least = in[0];
  for (int i = 0; i < n; ++i) {
    CHECK(scans[i] == sum);
    sum += in[i];
    if (in[i] > most) most = in[i];
    if (i < 10 && in[i] < least) least = in[i];
  }
  CHECK(sums[0] == sum && sums[1] == most && sums[2] == least);
  with_memory([&](void *memory, size_t &bytes) {
    return cub::DeviceScan::InclusiveScan(memory, bytes, in, scans, cub::Max(), n);
  });
  most = in[0];
  for (int i = 0; i < n; ++i) CHECK(scans[i] == (most = in[i] > most ? in[i] : most));
  puts("PASS");
}
