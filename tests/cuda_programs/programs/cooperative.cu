// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid that waits for itself between the steps of a scan; its size comes from the occupancy.
#include <cooperative_groups.h>
#include <cuda/std/span>

#include <algorithm>
#include <utility>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void scan(int *x, int *y, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int by = 1; by < n; by *= 2) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      y[i] = x[i] + (i >= by ? x[i - by] : 0);
    grid.sync();
    int *other = x;
    x = y;
    y = other;
  }
}

// Whether a grid can wait for itself, and how often not all of its blocks have come when it has.
__global__ void rounds(unsigned *arrived, unsigned *missing, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int i = 0; grid.is_valid() && i < n; ++i) {
    if (threadIdx.x == 0) atomicAdd(&arrived[i], 1u);
    grid.sync();
    if (threadIdx.x == 0 && atomicAdd(&arrived[i], 0u) != gridDim.x) atomicAdd(missing, 1u);
  }
}

// Grids of several sizes that run at the same time.
void together() {
  int n = 20;
  unsigned *counts, host[43] = {};
  OK(cudaMalloc(&counts, sizeof host));
  OK(cudaMemset(counts, 0, sizeof host));
  OK(cudaDeviceSynchronize());
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    unsigned *arrived = counts + 1 + n * i;
    void *arguments[] = {&arrived, &counts, &n};
    OK(cudaLaunchCooperativeKernel((void *)rounds, 2 + i, 64, arguments, 0, streams[i]));
  }
  OK(cudaDeviceSynchronize());
  rounds<<<1, 1>>>(counts + 41, counts, 1);
  OK(cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 0 && host[41] == 0);
  for (int i = 0; i < 2 * n; ++i) CHECK(host[1 + i] == 2u + i / n);
  for (cudaStream_t stream : streams) OK(cudaStreamDestroy(stream));
  OK(cudaFree(counts));
}

struct four { int x, y, z; float w; };

// Structures are shuffled as their parts are.
// One thread of each block, and one of each tile whose result all of the tile get.
__global__ void by_one(int *count, int *got) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  cg::invoke_one(block, [&](int n) { atomicAdd(count, n); }, 5);
  got[block.thread_rank()] = cg::invoke_one_broadcast(tile, [&] { return (int)threadIdx.x + 1; });
}

__global__ void shuffled(int *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int rank = (int)tile.thread_rank();
  four v = tile.shfl(four{rank, 2 * rank, 3 * rank, 4.0f * rank}, 3);
  uint4 next = tile.shfl_down(make_uint4(rank, 5 * rank, 6, 7), 1);
  auto together = cg::coalesced_threads();
  int2 first = together.shfl(make_int2(rank, 9), 0);
  if (v.x == 3 && v.y == 6 && v.z == 9 && v.w == 12 && first.y == 9 &&
      (rank == 7 || next.y == 5 * (rank + 1)))
    atomicAdd(out, 1);
}

// Between arriving and waiting a thread may wait for another that has not yet waited.
__global__ void two_steps(int *x, int *flag) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ int s[64];
  int rank = block.thread_rank();
  x[grid.thread_rank()] = rank;
  auto all = grid.barrier_arrive();
  s[rank] = rank + 1;
  auto own = block.barrier_arrive();
  volatile int *seen = flag + blockIdx.x;
  if (rank == 32) while (*seen == 0) {}
  block.barrier_wait(std::move(own));
  if (rank == 0) *seen = 1;
  int beside = s[63 - rank];
  grid.barrier_wait(std::move(all));
  int other = x[grid.size() - 1 - grid.thread_rank()];
  grid.sync();
  x[grid.thread_rank()] = other * 100 + beside;
}

void in_two_steps() {
  int *x, *flag, host[128];
  OK(cudaMalloc(&x, sizeof host));
  OK(cudaMalloc(&flag, 2 * sizeof(int)));
  OK(cudaMemset(flag, 0, 2 * sizeof(int)));
  void *arguments[] = {&x, &flag};
  OK(cudaLaunchCooperativeKernel((void *)two_steps, 2, 64, arguments, 0, 0));
  OK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) CHECK(host[i] == (63 - i % 64) * 100 + 64 - i % 64);
  OK(cudaFree(x));
  OK(cudaFree(flag));
}

// `cuda::std::span`, of arrays on both sides.
__host__ __device__ int sum(cuda::std::span<const int> v) {
  int total = 0;
  for (int x : v) total += x;
  return total;
}
__global__ void of_spans(cuda::std::span<int> all, cuda::std::span<int, 2> out) {
  int own[] = {1, 2, 3};
  out[0] = sum(all.first(4)) + sum(own);
  out.back() = sum(all.subspan(2).last<2>()) * (int)all.size() + (int)out.size_bytes();
}

void spans() {
  int *x;
  OK(cudaMallocManaged(&x, 8 * sizeof(int)));
  for (int i = 0; i < 6; ++i) x[i] = i + 1;
  cuda::std::span<int> all(x, 6);
  of_spans<<<1, 1>>>(all, cuda::std::span<int, 2>(x + 6, 2));
  OK(cudaDeviceSynchronize());
  CHECK(x[6] == 16 && x[7] == 11 * 6 + 8 && sum(all) == 21 && *all.rbegin() == 6);
  static_assert(cuda::std::span<int, 5>::extent == 5 && sizeof(cuda::std::span<int, 5>) == 8);
  OK(cudaFree(x));
}

int main() {
  spans();
  int n = 1000, blocks = 0, processors = 0, can = 0;
  OK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
  OK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(can == 1 && processors > 0);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scan, 128, 0));
  CHECK(blocks > 0);
  std::vector<int> host(n), expected(n);
  int sum = 0;
  for (int i = 0; i < n; ++i) host[i] = i % 7, expected[i] = sum += i % 7;
  int *x, *y;
  OK(cudaMalloc(&x, n * sizeof(int)));
  OK(cudaMalloc(&y, n * sizeof(int)));
  OK(cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void *arguments[] = {&x, &y, &n};
  int grid = std::min(4, blocks * processors);
  OK(cudaLaunchCooperativeKernel((void *)scan, grid, 128, arguments, 0, 0));
  // Ten steps: the result is where it began.
  OK(cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(host == expected);
  WRONG(cudaErrorCooperativeLaunchTooLarge,
        cudaLaunchCooperativeKernel((void *)scan, blocks * processors + 1, 128, arguments, 0, 0));
  int count = 0;
  OK(cudaMemset(y, 0, sizeof count));
  shuffled<<<1, 64>>>(y);
  OK(cudaMemcpy(&count, y, sizeof count, cudaMemcpyDeviceToHost));
  CHECK(count == 64);
  together();
  in_two_steps();
  int *got;
  OK(cudaMallocManaged(&got, 65 * sizeof(int)));
  got[64] = 0;
  by_one<<<2, 64>>>(got + 64, got);
  OK(cudaDeviceSynchronize());
  CHECK(got[64] == 10 && got[0] == 1 && got[40] == 33 && got[63] == 49);
  OK(cudaFree(got));
  int best_grid, best_block;
  OK(cudaOccupancyMaxPotentialBlockSize(&best_grid, &best_block, scan, 0, 0));
  CHECK(best_block >= 32 && best_block <= 1024 && best_grid >= processors);
  int same_grid, same_block;
  size_t room;
  OK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&same_grid, &same_block, scan, 0, 0,
                                                 cudaOccupancyDisableCachingOverride));
  CHECK(same_grid == best_grid && same_block == best_block);
  WRONG(cudaErrorInvalidValue,
        cudaOccupancyMaxPotentialBlockSizeWithFlags(&same_grid, &same_block, scan, 0, 0, 9));
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, scan, 1, 128));
  CHECK(room > 0);
  OK(cudaFree(x));
  OK(cudaFree(y));
  puts("PASS");
}
