// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves, bfloats and floats of eight bits on both sides, atomics of cuda::, tiles of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cuda/atomic>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void convert(const __half *x, __nv_bfloat16 *y, float *sum, unsigned int *count) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  __half v = __hmul(x[threadIdx.x], __float2half(2.0f));
  y[threadIdx.x] = __float2bfloat16(__half2float(v));
  float s = cg::reduce(tile, __half2float(v), cg::plus<float>());
  cuda::atomic_ref<unsigned int, cuda::thread_scope_device> counter(*count);
  counter.fetch_add(1, cuda::memory_order_relaxed);
  if (tile.thread_rank() == 0) *sum = s;
}

__global__ void narrow(const float *x, __nv_fp8_storage_t *y, int n) {
  if (threadIdx.x >= n) return;
  y[threadIdx.x] = __nv_fp8_e4m3(x[threadIdx.x]).__x;
  y[threadIdx.x + n] = __nv_cvt_float_to_fp8(x[threadIdx.x], __NV_NOSAT, __NV_E5M2);
}

// Of bfloat16: a product and a sum that are rounded once, the least, the greatest, bits, comparisons.
__global__ void brain(__nv_bfloat16 *y, int *flags) {
  __nv_bfloat16 a = 1.0078125f, b = -2.0f, zero = 0.0f;
#if __CUDA_ARCH__ >= 800
  // a * a is 1.01568603515625: in two steps the small part is lost before the sum.
  y[0] = __hfma(a, a, __hneg(__nv_bfloat16(1.015625f)));
#endif
  y[1] = __hmin(a, b);
  y[2] = __hmax(a, b);
  y[3] = __habs(b);
  y[4] = __hneg(zero);
  *flags = __hlt(b, a) | __hle(a, a) << 1 | __hgt(a, b) << 2 | __hge(b, a) << 3 | __heq(a, b) << 4 |
           __hisnan(__ushort_as_bfloat16(0x7fc0)) << 5 | __hisnan(a) << 6;
}

void check_brain() {
  float expected[5] = {0x1p-14f, -2, 1.0078125f, 2, -0.0f};
  __nv_bfloat16 host[5], *y;
  int *flags, found;
  OK(cudaMalloc(&y, sizeof host));
  OK(cudaMalloc(&flags, sizeof found));
  brain<<<1, 1>>>(y, flags);
  OK(cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&found, flags, sizeof found, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 5; ++i) {
    float value = __bfloat162float(host[i]);
    CHECK(__builtin_memcmp(&value, &expected[i], sizeof value) == 0);
  }
  CHECK(found == 0x27);
}

// Halves of every type of integers, and vectors of 32 bytes.
void check_types() {
  CHECK((float)__half(5LL) + (float)__half(6UL) + (float)__half((short)-2) == 9);
  static_assert(sizeof(double4_32a) == 32 && alignof(double4_32a) == 32, "alignment");
  static_assert(alignof(longlong4_16a) == 16 && alignof(ulong4_32a) == 32, "alignment");
  CHECK(make_double4_32a(1, 2, 3, 4).w == 4);
}

// Values, and their codes in E4M3 with saturation and in E5M2 without.
void check_eight_bits() {
  constexpr int N = 12;
  const float values[N] = {0, -0.0f, 1, -1.5f, 448, 465, 0x1p-9f, 0x1p-10f, 0x1.8p-9f, 57344, 61440,
                           -0x1p-17f};
  const int codes[2][N] = {
      {0, 0x80, 0x38, 0xbc, 0x7e, 0x7e, 1, 0, 2, 0x7e, 0x7e, 0x80},
      {0, 0x80, 0x3c, 0xbe, 0x5f, 0x5f, 0x18, 0x14, 0x1a, 0x7b, 0x7c, 0x80},
  };
  float *x;
  __nv_fp8_storage_t *y, host[2][N];
  OK(cudaMalloc(&x, sizeof values));
  OK(cudaMalloc(&y, sizeof host));
  OK(cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice));
  narrow<<<1, 32>>>(x, y, N);
  OK(cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i) {
    CHECK(host[0][i] == codes[0][i] && host[1][i] == codes[1][i]);
    CHECK(__nv_fp8_e4m3(values[i]).__x == codes[0][i]);
  }
  // Every value comes back as it was.
  for (int code = 0; code < 256; ++code) {
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = (__nv_fp8_storage_t)code;
    CHECK((code & 0x7f) == 0x7f || __nv_fp8_e4m3((float)a).__x == code);
    CHECK((code & 0x7f) >= 0x7c || __nv_fp8_e5m2((float)b).__x == code);
  }
}

int main() {
  check_types();
  check_eight_bits();
  check_brain();
  __half host[32], *x;
  __nv_bfloat16 result[32], *y;
  float *sum, host_sum;
  unsigned int *count, host_count;
  for (int i = 0; i < 32; ++i) host[i] = __float2half(i * 0.25f);
  OK(cudaMalloc(&x, sizeof host));
  OK(cudaMalloc(&y, sizeof result));
  OK(cudaMalloc(&sum, sizeof(float)));
  OK(cudaMalloc(&count, sizeof(unsigned int)));
  OK(cudaMemset(count, 0, sizeof(unsigned int)));
  OK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  convert<<<1, 32>>>(x, y, sum, count);
  OK(cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&host_sum, sum, sizeof(float), cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&host_count, count, sizeof(unsigned int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) CHECK(__bfloat162float(result[i]) == i * 0.5f);
  CHECK(host_sum == 31 * 32 / 2 * 0.5f && host_count == 32);
  puts("PASS");
}
