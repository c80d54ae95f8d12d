// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid that waits for itself between the steps of a scan; its size comes from the occupancy.
#include <cooperative_groups.h>

#include <algorithm>
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

int main() {
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
