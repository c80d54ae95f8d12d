// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma: products of small matrices by a warp (CUDA C++ Programming Guide, "Warp Matrix
// Functions"), over clang's builtins.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda {
namespace wmma {

struct row_major { static constexpr int xgpu_is_column = 0; };
struct col_major { static constexpr int xgpu_is_column = 1; };
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

// What a thread has of a matrix: `N` elements, in `S` of `T`.
template <typename T, int N, int S = N> struct __align__(8) xgpu_fragment {
  enum { num_elements = N, num_storage_elements = S };
  using element_type = T;
  using storage_element_type = T;
  T x[S];
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment;

template <typename T, int N, int S, typename V>
XGPU_DEVICE void fill_fragment(xgpu_fragment<T, N, S> &f, const V &v) {
#pragma unroll
  for (int i = 0; i < S; ++i) f.x[i] = v;
}

XGPU_DEVICE float __float_to_tf32(float v) {
  unsigned int bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
  return __uint_as_float(bits);
}

// A matrix that is multiplied: in memory elements of type E, of which a thread has N, in S words.
#define XGPU_FACTOR(USE, M, N, K, T, E, COUNT, WORDS, WORD, LOAD)                                  \
  template <typename L> class fragment<USE, M, N, K, T, L> : public xgpu_fragment<E, COUNT, WORDS> {}; \
  template <typename L>                                                                            \
  XGPU_DEVICE void load_matrix_sync(fragment<USE, M, N, K, T, L> &f, const E *from, unsigned ldm) { \
    LOAD((WORD *)f.x, (const WORD *)from, ldm, L::xgpu_is_column);                                 \
  }
// One that products are added to.
#define XGPU_SUM(M, N, K, T, COUNT, WORD, LOAD, STORE)                                             \
  template <> class fragment<accumulator, M, N, K, T> : public xgpu_fragment<T, COUNT> {};         \
  XGPU_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *from,           \
                                    unsigned ldm, layout_t layout) {                               \
    if (layout == mem_row_major) LOAD((WORD *)f.x, (const WORD *)from, ldm, 0);                    \
    else LOAD((WORD *)f.x, (const WORD *)from, ldm, 1);                                            \
  }                                                                                                \
  XGPU_DEVICE void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &f,            \
                                     unsigned ldm, layout_t layout) {                              \
    if (layout == mem_row_major) STORE((WORD *)to, (const WORD *)f.x, ldm, 0);                     \
    else STORE((WORD *)to, (const WORD *)f.x, ldm, 1);                                             \
  }
// D = A * B + C.
#define XGPU_PRODUCT(M, N, K, T, D, C, SUM, FACTOR, TO, MULTIPLY)                                  \
  template <typename LA, typename LB>                                                              \
  XGPU_DEVICE void mma_sync(fragment<accumulator, M, N, K, D> &d,                                  \
                            const fragment<matrix_a, M, N, K, T, LA> &a,                           \
                            const fragment<matrix_b, M, N, K, T, LB> &b,                           \
                            const fragment<accumulator, M, N, K, C> &c) {                          \
    MULTIPLY((TO *)d.x, (const FACTOR *)a.x, (const FACTOR *)b.x, (const SUM *)c.x,                \
             LA::xgpu_is_column * 2 + LB::xgpu_is_column, 0);                                      \
  }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define XGPU_HALVES(M, N, K)                                                                       \
  XGPU_FACTOR(matrix_a, M, N, K, __half, __half, 16, 16, int, __hmma_m##M##n##N##k##K##_ld_a)      \
  XGPU_FACTOR(matrix_b, M, N, K, __half, __half, 16, 16, int, __hmma_m##M##n##N##k##K##_ld_b)      \
  XGPU_SUM(M, N, K, __half, 8, int, __hmma_m##M##n##N##k##K##_ld_c_f16,                            \
           __hmma_m##M##n##N##k##K##_st_c_f16)                                                     \
  XGPU_SUM(M, N, K, float, 8, float, __hmma_m##M##n##N##k##K##_ld_c_f32,                           \
           __hmma_m##M##n##N##k##K##_st_c_f32)                                                     \
  XGPU_PRODUCT(M, N, K, __half, float, float, float, int, float,                                   \
               __hmma_m##M##n##N##k##K##_mma_f32f32)                                               \
  XGPU_PRODUCT(M, N, K, __half, float, __half, int, int, float,                                    \
               __hmma_m##M##n##N##k##K##_mma_f32f16)                                               \
  XGPU_PRODUCT(M, N, K, __half, __half, float, float, int, int,                                    \
               __hmma_m##M##n##N##k##K##_mma_f16f32)                                               \
  XGPU_PRODUCT(M, N, K, __half, __half, __half, int, int, int,                                     \
               __hmma_m##M##n##N##k##K##_mma_f16f16)
XGPU_HALVES(16, 16, 16)
XGPU_HALVES(32, 8, 16)
XGPU_HALVES(8, 32, 16)
#undef XGPU_HALVES
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define XGPU_BYTES(M, N, K, A, B)                                                                  \
  XGPU_FACTOR(matrix_a, M, N, K, signed char, signed char, A, A, int,                              \
              __imma_m##M##n##N##k##K##_ld_a_s8)                                                   \
  XGPU_FACTOR(matrix_a, M, N, K, unsigned char, unsigned char, A, A, int,                          \
              __imma_m##M##n##N##k##K##_ld_a_u8)                                                   \
  XGPU_FACTOR(matrix_b, M, N, K, signed char, signed char, B, B, int,                              \
              __imma_m##M##n##N##k##K##_ld_b_s8)                                                   \
  XGPU_FACTOR(matrix_b, M, N, K, unsigned char, unsigned char, B, B, int,                          \
              __imma_m##M##n##N##k##K##_ld_b_u8)                                                   \
  XGPU_SUM(M, N, K, int, 8, int, __imma_m##M##n##N##k##K##_ld_c, __imma_m##M##n##N##k##K##_st_c_i32) \
  XGPU_INTEGERS(M, N, K, signed char, __imma_m##M##n##N##k##K##_mma_s8)                            \
  XGPU_INTEGERS(M, N, K, unsigned char, __imma_m##M##n##N##k##K##_mma_u8)
#define XGPU_INTEGERS(M, N, K, T, MULTIPLY)                                                        \
  template <typename LA, typename LB>                                                              \
  XGPU_DEVICE void mma_sync(fragment<accumulator, M, N, K, int> &d,                                \
                            const fragment<matrix_a, M, N, K, T, LA> &a,                           \
                            const fragment<matrix_b, M, N, K, T, LB> &b,                           \
                            const fragment<accumulator, M, N, K, int> &c, bool saturates = false) { \
    constexpr int layouts = LA::xgpu_is_column * 2 + LB::xgpu_is_column;                           \
    if (saturates) MULTIPLY(d.x, (const int *)a.x, (const int *)b.x, c.x, layouts, 1);             \
    else MULTIPLY(d.x, (const int *)a.x, (const int *)b.x, c.x, layouts, 0);                       \
  }
XGPU_BYTES(16, 16, 16, 8, 8)
XGPU_BYTES(32, 8, 16, 16, 4)
XGPU_BYTES(8, 32, 16, 4, 16)
#undef XGPU_BYTES
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
// Elements of less than a byte lie in words; matrix A is by rows, B by columns.
#define XGPU_SMALL(USE, M, N, K, T, COUNT, LAYOUT, LOAD)                                           \
  template <> class fragment<USE, M, N, K, experimental::precision::T, LAYOUT>                     \
      : public xgpu_fragment<int, COUNT, 1> {};                                                    \
  XGPU_DEVICE void load_matrix_sync(                                                               \
      fragment<USE, M, N, K, experimental::precision::T, LAYOUT> &f, const void *from,             \
      unsigned ldm) {                                                                              \
    LOAD(f.x, (const int *)from, ldm, LAYOUT::xgpu_is_column);                                     \
  }
XGPU_SMALL(matrix_a, 8, 8, 32, s4, 8, row_major, __imma_m8n8k32_ld_a_s4)
XGPU_SMALL(matrix_b, 8, 8, 32, s4, 8, col_major, __imma_m8n8k32_ld_b_s4)
XGPU_SMALL(matrix_a, 8, 8, 32, u4, 8, row_major, __imma_m8n8k32_ld_a_u4)
XGPU_SMALL(matrix_b, 8, 8, 32, u4, 8, col_major, __imma_m8n8k32_ld_b_u4)
XGPU_SMALL(matrix_a, 8, 8, 128, b1, 32, row_major, __bmma_m8n8k128_ld_a_b1)
XGPU_SMALL(matrix_b, 8, 8, 128, b1, 32, col_major, __bmma_m8n8k128_ld_b_b1)
XGPU_SUM(8, 8, 32, int, 2, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
XGPU_SUM(8, 8, 128, int, 2, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
XGPU_INTEGERS(8, 8, 32, experimental::precision::s4, __imma_m8n8k32_mma_s4)
XGPU_INTEGERS(8, 8, 32, experimental::precision::u4, __imma_m8n8k32_mma_u4)
#undef XGPU_SMALL
XGPU_DEVICE void bmma_sync(
    fragment<accumulator, 8, 8, 128, int> &d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
    const fragment<accumulator, 8, 8, 128, int> &c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  if (op == experimental::bmmaBitOpXOR) {
    __bmma_m8n8k128_mma_xor_popc_b1(d.x, a.x, b.x, c.x, 1);
  } else {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    __bmma_m8n8k128_mma_and_popc_b1(d.x, a.x, b.x, c.x, 1);
#else
    __trap();  // from sm_80 on
#endif
  }
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define XGPU_BFLOATS(M, N, K, A, B)                                                                \
  XGPU_FACTOR(matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, A, A, int,                          \
              __mma_bf16_m##M##n##N##k##K##_ld_a)                                                  \
  XGPU_FACTOR(matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, B, B, int,                          \
              __mma_bf16_m##M##n##N##k##K##_ld_b)                                                  \
  XGPU_PRODUCT(M, N, K, __nv_bfloat16, float, float, float, int, float,                            \
               __mma_bf16_m##M##n##N##k##K##_mma_f32)
XGPU_BFLOATS(16, 16, 16, 8, 8)
XGPU_BFLOATS(32, 8, 16, 16, 4)
XGPU_BFLOATS(8, 32, 16, 4, 16)
#undef XGPU_BFLOATS
XGPU_FACTOR(matrix_a, 16, 16, 8, precision::tf32, float, 4, 4, int, __mma_tf32_m16n16k8_ld_a)
XGPU_FACTOR(matrix_b, 16, 16, 8, precision::tf32, float, 4, 4, int, __mma_tf32_m16n16k8_ld_b)
XGPU_SUM(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
XGPU_PRODUCT(16, 16, 8, precision::tf32, float, float, float, int, float,
             __mma_tf32_m16n16k8_mma_f32)
XGPU_FACTOR(matrix_a, 8, 8, 4, double, double, 1, 1, double, __dmma_m8n8k4_ld_a)
XGPU_FACTOR(matrix_b, 8, 8, 4, double, double, 1, 1, double, __dmma_m8n8k4_ld_b)
XGPU_SUM(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
XGPU_PRODUCT(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64)
#endif

#undef XGPU_FACTOR
#undef XGPU_SUM
#undef XGPU_PRODUCT
#undef XGPU_INTEGERS

namespace experimental {
using wmma::bmma_sync;
using wmma::load_matrix_sync;
using wmma::store_matrix_sync;
}  // namespace experimental
}  // namespace wmma
}  // namespace nvcuda
