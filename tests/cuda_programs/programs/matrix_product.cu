// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices in tiles; the matrices are structs that are passed by value.
#include <cmath>
#include <vector>

#include "check.h"

struct Matrix {
  int rows, columns;
  float *data;
  __host__ __device__ float &at(int row, int column) { return data[row * columns + column]; }
};

template <int TILE> __global__ void product(Matrix a, Matrix b, Matrix c) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < a.columns; k += TILE) {
    int ka = k + threadIdx.x, kb = k + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = row < a.rows && ka < a.columns ? a.at(row, ka) : 0;
    tb[threadIdx.y][threadIdx.x] = kb < b.rows && column < b.columns ? b.at(kb, column) : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum = fmaf(ta[threadIdx.y][i], tb[i][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < c.rows && column < c.columns) c.at(row, column) = sum;
}

Matrix on_device(const std::vector<float> &host, int rows, int columns) {
  Matrix m{rows, columns, nullptr};
  OK(cudaMalloc(&m.data, host.size() * sizeof(float)));
  OK(cudaMemcpy(m.data, host.data(), host.size() * sizeof(float), cudaMemcpyDefault));
  return m;
}

int main() {
  const int m = 37, n = 50, k = 29;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = (i * 7 % 11) - 5;
  for (int i = 0; i < k * n; ++i) b[i] = (i * 5 % 13) - 6;
  Matrix da = on_device(a, m, k), db = on_device(b, k, n), dc = on_device(c, m, n);
  product<8><<<dim3((n + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(da, db, dc);
  OK(cudaGetLastError());
  OK(cudaMemcpy(c.data(), dc.data, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      CHECK(fabs(sum - c[i * n + j]) < 1e-3);
    }
  for (Matrix x : {da, db, dc}) OK(cudaFree(x.data));
  puts("PASS");
}
