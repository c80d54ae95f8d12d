// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies two stages ahead, by pipelines of a block and of a thread, and tiles of several warps.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/pipeline>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int T = 128, STAGES = 2, TILES = 5;

__global__ void of_block(const float4 *x, float *sums) {
  __shared__ float4 stage[STAGES][T];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int i = 0, asked = 0; i < TILES; ++i) {
    for (; asked < TILES && asked < i + STAGES; ++asked) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stage[asked % STAGES], x + asked * T, sizeof *stage, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    float4 v = stage[i % STAGES][T - 1 - threadIdx.x];
    sum += v.x + v.y + v.z + v.w;
    pipe.consumer_release();
  }
  sums[T - 1 - threadIdx.x] = sum;
}

__global__ void of_thread(const float4 *x, float *sums) {
  __shared__ float4 stage[STAGES][T];
  const auto shape = cuda::aligned_size_t<alignof(float4)>(sizeof(float4));
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  float sum = 0;
  for (int i = 0, asked = 0; i < TILES; ++i) {
    for (; asked < TILES && asked < i + STAGES; ++asked) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[asked % STAGES][threadIdx.x], x + asked * T + threadIdx.x, shape, pipe);
      pipe.producer_commit();
    }
    if (i + 1 < TILES) cuda::pipeline_consumer_wait_prior<1>(pipe);
    else cuda::pipeline_consumer_wait_prior<0>(pipe);
    float4 v = stage[i % STAGES][threadIdx.x];
    sum += v.x + v.y + v.z + v.w;
    pipe.consumer_release();
  }
  sums[threadIdx.x] = sum;
}

// The first warp copies, the others add: each stage is filled and emptied by turns.
template <bool BY_COUNT> __global__ void of_roles(const float4 *x, float *sums) {
  __shared__ float4 stage[STAGES][T];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  const auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = [&] {
    if constexpr (BY_COUNT) return cuda::make_pipeline(block, &state, 32);
    else return cuda::make_pipeline(block, &state, role);
  }();
  float sum = 0;
  for (int i = 0; i < TILES; ++i) {
    if (produces) {
      pipe.producer_acquire();
      // Half of them by asynchronous copies, half of them by stores.
      for (int j = threadIdx.x; j < T; j += 32)
        if (j % 2) stage[i % STAGES][j] = x[i * T + j];
        else cuda::memcpy_async(&stage[i % STAGES][j], x + i * T + j, sizeof(float4), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      float4 v = stage[i % STAGES][T - 1 - (threadIdx.x - 32)];
      sum += v.x + v.y + v.z + v.w;
      pipe.consumer_release();
    }
  }
  if (!produces) sums[T - 1 - (threadIdx.x - 32)] = sum;
}

__global__ void wide_tiles(int *sums, int *found) {
  __shared__ cg::block_tile_memory<256> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  int rank = (int)threadIdx.x, sum = cg::reduce(tile, rank, cg::plus<int>());
  int other = tile.shfl(rank, 33), any = tile.any(rank == 70), all = tile.all(rank >= 64);
  if (tile.thread_rank() != 63) return;
  sums[tile.meta_group_rank()] = sum;
  found[tile.meta_group_rank()] = other * 4 + any * 2 + all;
}

int main() {
  float4 *x;
  float *sums;
  int *tiles;
  OK(cudaMallocManaged(&x, sizeof(float4) * T * TILES));
  OK(cudaMallocManaged(&sums, sizeof(float) * 4 * T));
  OK(cudaMallocManaged(&tiles, sizeof(int) * 8));
  for (int i = 0; i < T * TILES; ++i) x[i] = make_float4(i, 1, 2, 3);
  of_block<<<1, T>>>(x, sums);
  of_thread<<<1, T>>>(x, sums + T);
  of_roles<false><<<1, T + 32>>>(x, sums + 2 * T);
  of_roles<true><<<1, T + 32>>>(x, sums + 3 * T);
  wide_tiles<<<1, 256>>>(tiles, tiles + 4);
  OK(cudaDeviceSynchronize());
  for (int t = 0; t < T; ++t) {
    float sum = 0;
    for (int i = 0; i < TILES; ++i) sum += i * T + t + 6;
    for (int way = 0; way < 4; ++way) CHECK(sums[way * T + t] == sum);
  }
  for (int i = 0; i < 4; ++i) {
    CHECK(tiles[i] == 64 * 64 * i + 63 * 32);
    CHECK(tiles[4 + i] == (64 * i + 33) * 4 + (i == 1) * 2 + (i > 0));
  }
  OK(cudaFree(x));
  OK(cudaFree(sums));
  OK(cudaFree(tiles));
  puts("PASS");
}
