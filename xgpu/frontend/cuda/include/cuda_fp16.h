// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __half and __half2 over _Float16.
#pragma once
#include <cuda_runtime.h>

struct __half_raw { unsigned short x; };
struct __align__(4) __half2_raw { unsigned short x, y; };
struct __half {
  _Float16 xgpu_value;
  __half() = default;
  XGPU_BOTH_METHOD constexpr __half(_Float16 v) : xgpu_value(v) {}
  XGPU_BOTH_METHOD __half(float v) : xgpu_value((_Float16)v) {}
  XGPU_BOTH_METHOD __half(double v) : xgpu_value((_Float16)v) {}
  XGPU_BOTH_METHOD __half(int v) : xgpu_value((_Float16)v) {}
  XGPU_BOTH_METHOD __half(unsigned int v) : xgpu_value((_Float16)v) {}
  XGPU_BOTH_METHOD __half(__half_raw v) : xgpu_value(__builtin_bit_cast(_Float16, v.x)) {}
  XGPU_BOTH_METHOD operator float() const { return (float)xgpu_value; }
  XGPU_BOTH_METHOD operator __half_raw() const {
    return {__builtin_bit_cast(unsigned short, xgpu_value)};
  }
};
typedef __half half;
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  XGPU_BOTH_METHOD __half2(__half x, __half y) : x(x), y(y) {}
};
typedef __half2 half2;

#define XGPU_OPERATOR(OP, NAME)                                                                \
  XGPU_BOTH __half operator OP(__half a, __half b) {                                           \
    return (_Float16)(a.xgpu_value OP b.xgpu_value);                                           \
  }                                                                                            \
  XGPU_BOTH __half &operator OP##=(__half &a, __half b) { return a = a OP b; }                 \
  XGPU_BOTH __half2 operator OP(__half2 a, __half2 b) { return {a.x OP b.x, a.y OP b.y}; }     \
  XGPU_BOTH __half2 &operator OP##=(__half2 &a, __half2 b) { return a = a OP b; }              \
  XGPU_BOTH __half NAME(__half a, __half b) { return a OP b; }                                 \
  XGPU_BOTH __half2 NAME##2(__half2 a, __half2 b) { return a OP b; }
XGPU_OPERATOR(+, __hadd) XGPU_OPERATOR(-, __hsub) XGPU_OPERATOR(*, __hmul) XGPU_OPERATOR(/, __hdiv)
#undef XGPU_OPERATOR
XGPU_BOTH __half2 __h2div(__half2 a, __half2 b) { return a / b; }
#define XGPU_COMPARE(OP, NAME)                                                                 \
  XGPU_BOTH bool operator OP(__half a, __half b) { return a.xgpu_value OP b.xgpu_value; }      \
  XGPU_BOTH bool NAME(__half a, __half b) { return a.xgpu_value OP b.xgpu_value; }
XGPU_COMPARE(==, __heq) XGPU_COMPARE(!=, __hne) XGPU_COMPARE(<, __hlt) XGPU_COMPARE(<=, __hle)
XGPU_COMPARE(>, __hgt) XGPU_COMPARE(>=, __hge)
#undef XGPU_COMPARE
XGPU_BOTH __half operator-(__half a) { return (_Float16)-a.xgpu_value; }
XGPU_BOTH __half __hneg(__half a) { return -a; }
XGPU_BOTH __half2 __hneg2(__half2 a) { return {-a.x, -a.y}; }
XGPU_BOTH bool __hisnan(__half a) { return a.xgpu_value != a.xgpu_value; }

XGPU_BOTH __half __float2half(float v) { return (_Float16)v; }
XGPU_BOTH __half __float2half_rn(float v) { return (_Float16)v; }
XGPU_BOTH __half __double2half(double v) { return (_Float16)v; }
XGPU_BOTH __half __int2half_rn(int v) { return (_Float16)v; }
XGPU_BOTH __half __uint2half_rn(unsigned int v) { return (_Float16)v; }
XGPU_BOTH int __half2int_rz(__half v) { return (int)v.xgpu_value; }
XGPU_BOTH float __half2float(__half v) { return (float)v.xgpu_value; }
XGPU_BOTH unsigned short __half_as_ushort(__half v) {
  return __builtin_bit_cast(unsigned short, v.xgpu_value);
}
XGPU_BOTH __half __ushort_as_half(unsigned short v) { return __builtin_bit_cast(_Float16, v); }
XGPU_BOTH __half2 __halves2half2(__half a, __half b) { return {a, b}; }
XGPU_BOTH __half2 make_half2(__half a, __half b) { return {a, b}; }
XGPU_BOTH __half2 __half2half2(__half a) { return {a, a}; }
XGPU_BOTH __half2 __float2half2_rn(float v) { return {__half(v), __half(v)}; }
XGPU_BOTH __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
XGPU_BOTH __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
XGPU_BOTH float2 __half22float2(__half2 v) { return {(float)v.x, (float)v.y}; }
XGPU_BOTH __half __low2half(__half2 v) { return v.x; }
XGPU_BOTH __half __high2half(__half2 v) { return v.y; }
XGPU_BOTH float __low2float(__half2 v) { return v.x; }
XGPU_BOTH float __high2float(__half2 v) { return v.y; }

XGPU_DEVICE __half __hfma(__half a, __half b, __half c) {
  return __builtin_fmaf16(a.xgpu_value, b.xgpu_value, c.xgpu_value);
}
XGPU_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
XGPU_DEVICE __half __habs(__half a) { return __builtin_fabsf16(a.xgpu_value); }
XGPU_DEVICE __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
XGPU_DEVICE __half __hmin(__half a, __half b) { return __builtin_fminf16(a.xgpu_value, b.xgpu_value); }
XGPU_DEVICE __half __hmax(__half a, __half b) { return __builtin_fmaxf16(a.xgpu_value, b.xgpu_value); }
XGPU_DEVICE __half2 __hmin2(__half2 a, __half2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
XGPU_DEVICE __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
#define XGPU_BY_FLOAT(NAME, F)                                                                 \
  XGPU_DEVICE __half h##NAME(__half a) { return F((float)a); }                                 \
  XGPU_DEVICE __half2 h2##NAME(__half2 a) { return {h##NAME(a.x), h##NAME(a.y)}; }
XGPU_BY_FLOAT(exp, expf) XGPU_BY_FLOAT(exp2, exp2f) XGPU_BY_FLOAT(log, logf)
XGPU_BY_FLOAT(log2, log2f) XGPU_BY_FLOAT(sqrt, sqrtf) XGPU_BY_FLOAT(rsqrt, rsqrtf)
XGPU_BY_FLOAT(sin, sinf) XGPU_BY_FLOAT(cos, cosf) XGPU_BY_FLOAT(floor, floorf)
XGPU_BY_FLOAT(ceil, ceilf) XGPU_BY_FLOAT(trunc, truncf) XGPU_BY_FLOAT(rint, rintf)
#undef XGPU_BY_FLOAT
XGPU_DEVICE __half hrcp(__half a) { return __half(1.0f / (float)a); }

#define XGPU_SHUFFLE(NAME, AMOUNT)                                                             \
  XGPU_DEVICE __half NAME(unsigned int m, __half v, AMOUNT by, int width = 32) {               \
    return __ushort_as_half(                                                                   \
        (unsigned short)NAME(m, (unsigned int)__half_as_ushort(v), by, width));                \
  }                                                                                            \
  XGPU_DEVICE __half2 NAME(unsigned int m, __half2 v, AMOUNT by, int width = 32) {             \
    return __builtin_bit_cast(__half2, NAME(m, __builtin_bit_cast(unsigned int, v), by, width)); \
  }
XGPU_SHUFFLE(__shfl_sync, int) XGPU_SHUFFLE(__shfl_up_sync, unsigned int)
XGPU_SHUFFLE(__shfl_down_sync, unsigned int) XGPU_SHUFFLE(__shfl_xor_sync, int)
#undef XGPU_SHUFFLE

XGPU_ATOMIC_ADD(__half, unsigned short, "f16", "h")
XGPU_ATOMIC_ADD(__half2, unsigned int, "f16x2", "r")
