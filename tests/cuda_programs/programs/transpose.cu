// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix with a pitch, transposed through padded tiles; copies and fills of two dimensions.
#include <vector>

#include "check.h"

constexpr int TILE = 16;

__global__ void transpose(const float *in, size_t in_pitch, float *out, size_t out_pitch,
                          int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = *(const float *)((const char *)(in + x) + y * in_pitch);
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
  if (x < height && y < width)
    *(float *)((char *)(out + x) + y * out_pitch) = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const int width = 70, height = 45;
  std::vector<float> in(width * height), out(width * height, -1);
  for (size_t i = 0; i < in.size(); ++i) in[i] = i;
  float *din, *dout;
  size_t in_pitch, out_pitch;
  OK(cudaMallocPitch(&din, &in_pitch, width * sizeof(float), height));
  OK(cudaMallocPitch(&dout, &out_pitch, height * sizeof(float), width));
  CHECK(in_pitch >= width * sizeof(float) && in_pitch % 32 == 0);
  OK(cudaMemset2D(dout, out_pitch, 0xff, height * sizeof(float), width));
  OK(cudaMemcpy2D(din, in_pitch, in.data(), width * sizeof(float), width * sizeof(float), height,
                  cudaMemcpyHostToDevice));
  dim3 block(TILE, TILE), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  transpose<<<grid, block>>>(din, in_pitch, dout, out_pitch, width, height);
  OK(cudaMemcpy2D(out.data(), height * sizeof(float), dout, out_pitch, height * sizeof(float),
                  width, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) CHECK(out[x * height + y] == in[y * width + x]);
  OK(cudaFree(din));
  OK(cudaFree(dout));
  puts("PASS");
}
