// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of functors and lambdas; launches through variadic templates and a configuration; virtual
// functions, static members of templates, clocks.
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstring>
#include <vector>

#include "check.h"

template <typename F> __global__ void each(int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

struct Square {
  float *out;
  __device__ void operator()(int i) const { out[i] = float(i) * i; }
};

template <typename... Values> __global__ void total(double *out, Values... values) {
  *out = (0.0 + ... + double(values));
}

struct Shape {
  __device__ virtual int area(int n) const = 0;
};
struct Box : Shape {
  __device__ int area(int n) const override { return n * n; }
};
struct Strip : Shape {
  __device__ int area(int n) const override { return n + 1; }
};
template <typename T> struct Scale {
  static __device__ T by;
};
template <typename T> __device__ T Scale<T>::by = 3;

__global__ void areas(double *out, int n) {
  Box box;
  Strip strip;
  const Shape *shape = n > 4 ? (const Shape *)&box : &strip;
  *out = shape->area(n) * Scale<int>::by;
}

__global__ void clocks(double *out) {
  long long begin = clock64();
  *out = begin > 0 && clock64() >= begin && clock() != 0;
}

#ifndef __NVCC__
#error "programs know their compiler by this name"
#endif

template <typename T> __global__ void of_libcu(T *found) {
  static_assert(cuda::std::is_floating_point<T>::value);
  cuda::std::tuple<int, T> two = cuda::std::make_tuple(3, T(1.5));
  auto [a, b] = two;
  cuda::std::pair<T, int> pair(a, 2);
  pair = cuda::std::make_pair(b, 6);
  found[0] = a + pair.first * pair.second;
  cuda::std::complex<T> z(a, 4), square = z * z / cuda::std::complex<T>(0, 2);
  found[2] = square.real() * 10 + square.imag() + cuda::std::norm(cuda::std::conj(z));
  found[1] = cuda::maximum<T>()(cuda::std::numeric_limits<T>::min(), cuda::std::invoke(cuda::std::plus<>(), 1, cuda::std::identity()(2)));
}

// Two threads at a time are inside, one at a time counts; blocks wait for each other's first threads.
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 2> places(2);
__device__ cuda::binary_semaphore<cuda::thread_scope_device> key(1);
__device__ cuda::latch<cuda::thread_scope_device> all_here(2);
__device__ int inside, most_inside;
__global__ void by_turns(float4 *sums, int *counted) {
  places.acquire();
  atomicMax(&most_inside, atomicAdd(&inside, 1) + 1);
  atomicSub(&inside, 1);
  places.release();
  key.acquire();
  counted[0] += 1;
  key.release();
  float2 before = atomicAdd((float2 *)sums, make_float2(1, 2));
  atomicAdd(sums + 1, make_float4(1, 2, 3, threadIdx.x));
  if (threadIdx.x == 0) all_here.arrive_and_wait();
  cuda::std::array<int, 2> row{most_inside, before.y == 2 * before.x};
  cuda::std::optional<int> last;
  if (threadIdx.x == 7 && blockIdx.x == 1) last = row[1] * 10 + row[0];
  if (last) counted[1] = *last;
}

int main() {
  const int n = 300;
  float *x;
  double *sum, host_sum;
  std::vector<float> host(n);
  OK(cudaMalloc(&x, n * sizeof(float)));
  OK(cudaMalloc(&sum, sizeof(double)));
  each<<<3, 100>>>(n, Square{x});
  float by = 0.5f;
  each<<<3, 100>>>(n, [=] __device__(int i) { x[i] = x[i] * by + 1; });
  OK(cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) CHECK(host[i] == 0.5f * i * i + 1);
  total<<<1, 1>>>(sum, 1, 2.5f, 3.25, 'a', 5ull);
  OK(cudaMemcpy(&host_sum, sum, sizeof host_sum, cudaMemcpyDeviceToHost));
  CHECK(host_sum == 1 + 2.5 + 3.25 + 'a' + 5);
  for (int n = 4; n < 6; ++n) {
    areas<<<1, 1>>>(sum, n);
    OK(cudaMemcpy(&host_sum, sum, sizeof host_sum, cudaMemcpyDeviceToHost));
    CHECK(host_sum == 3 * (n == 5 ? 25 : 5));
  }
  clocks<<<1, 1>>>(sum);
  OK(cudaMemcpy(&host_sum, sum, sizeof host_sum, cudaMemcpyDeviceToHost));
  CHECK(host_sum == 1);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(3), config.blockDim = dim3(100);
  OK(cudaLaunchKernelEx(&config, each<Square>, n, Square{x}));
  OK(cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(host[17] == 17 * 17);
  OK(cudaFree(x));
  OK(cudaFree(sum));
  float *found;
  OK(cudaMallocManaged(&found, 3 * sizeof(float)));
  of_libcu<<<1, 1>>>(found);
  OK(cudaDeviceSynchronize());
  CHECK(found[0] == 12 && found[1] == 3 && found[2] == 148.5);
  OK(cudaFree(found));
  float4 *sums;
  OK(cudaMallocManaged(&sums, 3 * sizeof(float4)));
  memset(sums, 0, 3 * sizeof(float4));
  int *counted = (int *)(sums + 2);
  by_turns<<<2, 8>>>(sums, counted);
  OK(cudaDeviceSynchronize());
  CHECK(sums[0].x == 16 && sums[0].y == 32 && sums[1].z == 48 && sums[1].w == 56);
  CHECK(counted[0] == 16 && (counted[1] == 11 || counted[1] == 12));
  OK(cudaFree(sums));
  puts("PASS");
}
