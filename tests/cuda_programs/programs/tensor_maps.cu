// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of tensors and rows of bytes that the unit for copies takes, as CUDA's guide has them.
#include <cuda/barrier>
#include <cudaTypedefs.h>

#include "check.h"

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
constexpr int WIDTH = 96, HEIGHT = 40, BOX_WIDTH = 32, BOX_HEIGHT = 8;

// Adds one to a box of a matrix; what is outside of the matrix is zero, and is not written.
__global__ void box(const __grid_constant__ CUtensorMap map, int x, int y, int *corner) {
  __shared__ alignas(128) int tile[BOX_HEIGHT][BOX_WIDTH];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < BOX_WIDTH * BOX_HEIGHT; i += blockDim.x)
    tile[i / BOX_WIDTH][i % BOX_WIDTH] += 1;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    *corner = tile[BOX_HEIGHT - 1][BOX_WIDTH - 1];
    cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

// A row of bytes there and back.
__global__ void row(int *data) {
  __shared__ alignas(16) int part[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(part, data, cuda::aligned_size_t<16>(sizeof part), bar);
    cuda::device::barrier_expect_tx(bar, sizeof part);
  }
  (void)bar.arrive();
  bar.wait_parity(false);
  part[threadIdx.x] *= 2;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(data + 64, part, sizeof part);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group<0>();
  }
}

int main() {
  int *x;
  OK(cudaMallocManaged(&x, (WIDTH * HEIGHT + 1) * sizeof(int)));
  for (int i = 0; i < WIDTH * HEIGHT; ++i) x[i] = i;
  void *found = nullptr;
  cudaDriverEntryPointQueryResult status;
  OK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &status));
  CHECK(status == cudaDriverEntryPointSuccess);
  auto encode = (PFN_cuTensorMapEncodeTiled_v12000)found;
  CUtensorMap map;
  cuuint64_t sizes[] = {WIDTH, HEIGHT}, strides[] = {WIDTH * sizeof(int)};
  cuuint32_t shape[] = {BOX_WIDTH, BOX_HEIGHT}, steps[] = {1, 1};
  CHECK(encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, x, sizes, strides, shape, steps,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  int *corner = x + WIDTH * HEIGHT;
  box<<<1, 64>>>(map, 20, 5, corner);
  OK(cudaDeviceSynchronize());
  CHECK(*corner == 12 * WIDTH + 51 + 1);
  box<<<1, 64>>>(map, WIDTH - 16, HEIGHT - 4, corner);  // half of it outside
  OK(cudaDeviceSynchronize());
  CHECK(*corner == 1);
  for (int i = 0; i < WIDTH * HEIGHT; ++i) {
    int column = i % WIDTH, line = i / WIDTH;
    bool first = column >= 20 && column < 52 && line >= 5 && line < 13;
    bool second = column >= WIDTH - 16 && line >= HEIGHT - 4;
    CHECK(x[i] == i + (first || second));
  }
  row<<<1, 64>>>(x);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK(x[64 + i] == 2 * i);
  OK(cudaFree(x));
  puts("PASS");
}
