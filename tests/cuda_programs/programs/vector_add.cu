// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector, scaled and added; the size comes from the command line.
#include <vector>

#include "check.h"

__global__ void add(const float *x, const float *y, float *z, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = a * x[i] + y[i];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  std::vector<float> x(n), y(n), z(n);
  for (int i = 0; i < n; ++i) x[i] = i, y[i] = 2 * i;
  float *dx, *dy, *dz;
  OK(cudaMalloc(&dx, n * sizeof(float)));
  OK(cudaMalloc(&dy, n * sizeof(float)));
  OK(cudaMalloc((void **)&dz, n * sizeof(float)));
  OK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(dx, dy, dz, 3.0f, n);
  OK(cudaGetLastError());
  OK(cudaMemcpy(z.data(), dz, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) CHECK(z[i] == 5.0f * i);
  OK(cudaFree(dx));
  OK(cudaFree(dy));
  OK(cudaFree(dz));
  printf("%d sums, %s\n", n, argc > 2 ? argv[2] : "PASS");
}
