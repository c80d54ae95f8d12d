// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __nv_bfloat16 as its bits; arithmetic is done in float and rounded.
#pragma once
#include <cuda_runtime.h>

struct __nv_bfloat16 {
  unsigned short xgpu_bits;
  __nv_bfloat16() = default;
  XGPU_BOTH_METHOD __nv_bfloat16(float v) {
    unsigned int bits = __builtin_bit_cast(unsigned int, v);
    xgpu_bits = v != v ? 0x7fff : (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  XGPU_BOTH_METHOD operator float() const {
    return __builtin_bit_cast(float, (unsigned int)xgpu_bits << 16);
  }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  XGPU_BOTH_METHOD __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
};
typedef __nv_bfloat162 nv_bfloat162;

#define XGPU_OPERATOR(OP, NAME)                                                                \
  XGPU_BOTH __nv_bfloat16 operator OP(__nv_bfloat16 a, __nv_bfloat16 b) {                      \
    return __nv_bfloat16((float)a OP(float) b);                                                \
  }                                                                                            \
  XGPU_BOTH __nv_bfloat16 &operator OP##=(__nv_bfloat16 &a, __nv_bfloat16 b) {                 \
    return a = a OP b;                                                                         \
  }                                                                                            \
  XGPU_BOTH __nv_bfloat162 operator OP(__nv_bfloat162 a, __nv_bfloat162 b) {                   \
    return {a.x OP b.x, a.y OP b.y};                                                           \
  }                                                                                            \
  XGPU_BOTH __nv_bfloat16 NAME(__nv_bfloat16 a, __nv_bfloat16 b) { return a OP b; }            \
  XGPU_BOTH __nv_bfloat162 NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) { return a OP b; }
XGPU_OPERATOR(+, __hadd) XGPU_OPERATOR(-, __hsub) XGPU_OPERATOR(*, __hmul) XGPU_OPERATOR(/, __hdiv)
#undef XGPU_OPERATOR
XGPU_BOTH __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
XGPU_BOTH __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
XGPU_BOTH float __bfloat162float(__nv_bfloat16 v) { return (float)v; }
XGPU_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return {__nv_bfloat16(a), __nv_bfloat16(b)};
}
XGPU_BOTH __nv_bfloat162 __float2bfloat162_rn(float v) { return __floats2bfloat162_rn(v, v); }
XGPU_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return __floats2bfloat162_rn(v.x, v.y);
}
XGPU_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return {v, v}; }
XGPU_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
XGPU_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
XGPU_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
XGPU_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) { return {(float)v.x, (float)v.y}; }
XGPU_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
XGPU_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.xgpu_bits; }
XGPU_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) {
  return __builtin_bit_cast(__nv_bfloat16, v);
}
XGPU_BOTH __nv_bfloat16 operator-(__nv_bfloat16 v) {
  return __ushort_as_bfloat16(v.xgpu_bits ^ 0x8000);
}
XGPU_BOTH __nv_bfloat162 operator-(__nv_bfloat162 v) { return {-v.x, -v.y}; }
XGPU_BOTH float __low2float(__nv_bfloat162 v) { return (float)v.x; }
XGPU_BOTH float __high2float(__nv_bfloat162 v) { return (float)v.y; }
XGPU_BOTH bool __hisnan(__nv_bfloat16 v) { return (float)v != (float)v; }
XGPU_BOTH __nv_bfloat16 __hneg(__nv_bfloat16 v) { return -v; }
XGPU_BOTH __nv_bfloat16 __habs(__nv_bfloat16 v) {
  return __ushort_as_bfloat16(v.xgpu_bits & 0x7fff);
}
#define XGPU_COMPARISON(NAME, OP)                                                              \
  XGPU_BOTH bool NAME(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a OP(float) b; }
XGPU_COMPARISON(__heq, ==) XGPU_COMPARISON(__hlt, <) XGPU_COMPARISON(__hle, <=)
XGPU_COMPARISON(__hgt, >) XGPU_COMPARISON(__hge, >=)
#undef XGPU_COMPARISON
XGPU_BOTH __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __builtin_fminf((float)a, (float)b);
}
XGPU_BOTH __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __builtin_fmaxf((float)a, (float)b);
}
XGPU_BOTH __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
XGPU_BOTH __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
#if __CUDA_ARCH__ >= 800  // rounded once, which floats would not be
XGPU_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  unsigned short found;
  asm("fma.rn.bf16 %0, %1, %2, %3;"
      : "=h"(found) : "h"(a.xgpu_bits), "h"(b.xgpu_bits), "h"(c.xgpu_bits));
  return __ushort_as_bfloat16(found);
}
XGPU_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
#elif !defined(__CUDA_ARCH__)
__device__ __nv_bfloat16 __hfma(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16);
__device__ __nv_bfloat162 __hfma2(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162);
#endif

// Chips before sm_90 have no such instruction.
#if __CUDA_ARCH__ >= 900
XGPU_ATOMIC_ADD(__nv_bfloat16, unsigned short, "bf16", "h")
XGPU_ATOMIC_ADD(__nv_bfloat162, unsigned int, "bf16x2", "r")
#else
XGPU_ADD_BY_SWAPS(__nv_bfloat16, unsigned short)
XGPU_ADD_BY_SWAPS(__nv_bfloat162, unsigned int)
#endif
