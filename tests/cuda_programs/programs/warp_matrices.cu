// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a warp (<mma.h>): each shape and type of elements, layouts in turn.
#include <mma.h>

#include "check.h"

namespace wmma = nvcuda::wmma;
namespace small = nvcuda::wmma::experimental;
using wmma::col_major;
using wmma::row_major;

template <typename L> constexpr bool by_columns = false;
template <> constexpr bool by_columns<col_major> = true;

template <int M, int N, int K, typename P, typename LA, typename LB, typename E, typename C>
__global__ void product(const E *a, const E *b, const C *c, C *d) {
  wmma::fragment<wmma::matrix_a, M, N, K, P, LA> factor;
  wmma::fragment<wmma::matrix_b, M, N, K, P, LB> other;
  wmma::fragment<wmma::accumulator, M, N, K, C> sum, more;
  wmma::load_matrix_sync(factor, a, by_columns<LA> ? M : K);
  wmma::load_matrix_sync(other, b, by_columns<LB> ? K : N);
  wmma::load_matrix_sync(more, c, N, wmma::mem_row_major);
  wmma::fill_fragment(sum, C(0.0f));
  wmma::mma_sync(sum, factor, other, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = C(float(sum.x[i]) + 2 * float(more.x[i]));
  wmma::store_matrix_sync(d, sum, M, wmma::mem_col_major);
}

template <typename T> T *memory(int count) {
  T *found;
  OK(cudaMallocManaged(&found, count * sizeof(T)));
  for (int i = 0; i < count; ++i) found[i] = T(float(i * 7 % 5));
  return found;
}

template <int M, int N, int K, typename P, typename LA, typename LB, typename E, typename C>
void check() {
  E *a = memory<E>(M * K), *b = memory<E>(K * N);
  C *c = memory<C>(M * N), *d = memory<C>(M * N);
  product<M, N, K, P, LA, LB><<<1, 32>>>(a, b, c, d);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 2 * float(c[i * N + j]);
      for (int k = 0; k < K; ++k)
        sum += float(a[by_columns<LA> ? k * M + i : i * K + k]) *
               float(b[by_columns<LB> ? j * K + k : k * N + j]);
      CHECK(float(d[j * M + i]) == sum);
    }
  for (void *p : {(void *)a, (void *)b, (void *)c, (void *)d}) OK(cudaFree(p));
}

enum Kind { S4, U4, XOR, AND };

template <typename P, int K> __global__ void small_product(const int *a, const int *b, int *d, Kind kind) {
  wmma::fragment<wmma::matrix_a, 8, 8, K, P, row_major> factor;
  wmma::fragment<wmma::matrix_b, 8, 8, K, P, col_major> other;
  wmma::fragment<wmma::accumulator, 8, 8, K, int> sum;
  wmma::load_matrix_sync(factor, a, K);
  wmma::load_matrix_sync(other, b, K);
  wmma::fill_fragment(sum, 1);
  if constexpr (K == 128)
    wmma::bmma_sync(sum, factor, other, sum, kind == XOR ? small::bmmaBitOpXOR : small::bmmaBitOpAND);
  else
    wmma::mma_sync(sum, factor, other, sum);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

int element(const int *words, int i, Kind kind) {
  int bits = kind < XOR ? 4 : 1, value = (unsigned)words[i * bits / 32] >> i * bits % 32 & ((1 << bits) - 1);
  return kind == S4 && value > 7 ? value - 16 : value;
}

void check_small(Kind kind) {
  int *a = memory<int>(32), *b = memory<int>(32), *d = memory<int>(64), K = kind < XOR ? 32 : 128;
  for (int i = 0; i < 32; ++i) a[i] = i * 2654435761u, b[i] = 5 + i * 3150201531u;
  if (kind == S4) small_product<small::precision::s4, 32><<<1, 32>>>(a, b, d, kind);
  else if (kind == U4) small_product<small::precision::u4, 32><<<1, 32>>>(a, b, d, kind);
  else small_product<small::precision::b1, 128><<<1, 32>>>(a, b, d, kind);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    int sum = 1;
    for (int k = 0; k < K; ++k) {
      int x = element(a, i / 8 * K + k, kind), y = element(b, i % 8 * K + k, kind);
      sum += kind == XOR ? x ^ y : x * y;
    }
    CHECK(d[i] == sum);
  }
  for (int *p : {a, b, d}) OK(cudaFree(p));
}

int main() {
  check<16, 16, 16, half, row_major, col_major, half, float>();
  check<32, 8, 16, half, col_major, row_major, half, float>();
  check<8, 32, 16, half, row_major, row_major, half, half>();
  check<16, 16, 16, signed char, col_major, col_major, signed char, int>();
  check<32, 8, 16, unsigned char, row_major, col_major, unsigned char, int>();
  check<8, 32, 16, signed char, col_major, row_major, signed char, int>();
  check<16, 16, 16, __nv_bfloat16, row_major, row_major, __nv_bfloat16, float>();
  check<32, 8, 16, __nv_bfloat16, col_major, col_major, __nv_bfloat16, float>();
  check<8, 32, 16, __nv_bfloat16, row_major, col_major, __nv_bfloat16, float>();
  check<16, 16, 8, wmma::precision::tf32, col_major, row_major, float, float>();
  check<8, 8, 4, double, row_major, col_major, double, double>();
  for (Kind kind : {S4, U4, XOR, AND}) check_small(kind);
  puts("PASS");
}
