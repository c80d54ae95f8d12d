// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil in three dimensions: pitched volumes, copies with positions and extents.
#include <vector>

#include "check.h"

struct Volume {
  char *data;
  size_t pitch;
  int width, height, depth;
  __device__ float &at(int x, int y, int z) const {
    return ((float *)(data + (size_t(z) * height + y) * pitch))[x];
  }
};

__global__ void average(Volume in, Volume out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= in.width - 1 || y >= in.height - 1 || z >= in.depth - 1)
    return;
  out.at(x, y, z) = in.at(x - 1, y, z) + in.at(x + 1, y, z) + in.at(x, y - 1, z) +
                    in.at(x, y + 1, z) + in.at(x, y, z - 1) + in.at(x, y, z + 1);
}

int main() {
  const int w = 21, h = 10, d = 7;
  cudaExtent extent = make_cudaExtent(w * sizeof(float), h, d);
  cudaPitchedPtr in, out;
  OK(cudaMalloc3D(&in, extent));
  OK(cudaMalloc3D(&out, extent));
  OK(cudaMemset3D(out, 0, extent));
  std::vector<float> host(w * h * d), result(w * h * d, -1);
  for (size_t i = 0; i < host.size(); ++i) host[i] = i % 17;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), w * sizeof(float), w, h);
  copy.dstPtr = in, copy.extent = extent, copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  Volume vin{(char *)in.ptr, in.pitch, w, h, d}, vout{(char *)out.ptr, out.pitch, w, h, d};
  average<<<dim3(3, 3, 4), dim3(8, 4, 2)>>>(vin, vout);
  OK(cudaGetLastError());
  cudaMemcpy3DParms back = {};
  back.srcPtr = out, back.extent = extent, back.kind = cudaMemcpyDeviceToHost;
  back.dstPtr = make_cudaPitchedPtr(result.data(), w * sizeof(float), w, h);
  OK(cudaMemcpy3D(&back));
  auto at = [&](int x, int y, int z) { return host[(z * h + y) * w + x]; };
  for (int z = 1; z < d - 1; ++z)
    for (int y = 1; y < h - 1; ++y)
      for (int x = 1; x < w - 1; ++x)
        CHECK(result[(z * h + y) * w + x] == at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) +
                                                 at(x, y + 1, z) + at(x, y, z - 1) +
                                                 at(x, y, z + 1));
  CHECK(result[0] == 0);
  OK(cudaFree(in.ptr));
  OK(cudaFree(out.ptr));
  puts("PASS");
}
