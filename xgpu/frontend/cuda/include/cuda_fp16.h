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
#define XGPU_FROM(TYPE) XGPU_BOTH_METHOD __half(TYPE v) : xgpu_value((_Float16)v) {}
  XGPU_FROM(float) XGPU_FROM(double) XGPU_FROM(short) XGPU_FROM(unsigned short)
  XGPU_FROM(int) XGPU_FROM(unsigned int) XGPU_FROM(long) XGPU_FROM(unsigned long)
  XGPU_FROM(long long) XGPU_FROM(unsigned long long)
#undef XGPU_FROM
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
XGPU_COMPARE(==, __heq) XGPU_COMPARE(<, __hlt) XGPU_COMPARE(<=, __hle)
XGPU_COMPARE(>, __hgt) XGPU_COMPARE(>=, __hge)
#undef XGPU_COMPARE
// A NaN differs from all by the operator, and from none by the function.
XGPU_BOTH bool operator!=(__half a, __half b) { return a.xgpu_value != b.xgpu_value; }
XGPU_BOTH bool __hne(__half a, __half b) {
  return a.xgpu_value < b.xgpu_value || a.xgpu_value > b.xgpu_value;
}
// Of two halves: 1 or 0 for each (`heq2`), all bits for each (`heq2_mask`), both (`hbeq2`); those
// with a `u` are true for a NaN.
#define XGPU_COMPARE(NAME, OF_HALVES)                                                          \
  XGPU_BOTH bool __h##NAME##u(__half a, __half b) {                                            \
    return a.xgpu_value != a.xgpu_value || b.xgpu_value != b.xgpu_value || OF_HALVES(a, b);    \
  }                                                                                            \
  XGPU_COMPARE_TWO(NAME, OF_HALVES) XGPU_COMPARE_TWO(NAME##u, __h##NAME##u)
#define XGPU_COMPARE_TWO(NAME, OF_HALVES)                                                      \
  XGPU_BOTH __half2 __h##NAME##2(__half2 a, __half2 b) {                                       \
    return {__half((int)OF_HALVES(a.x, b.x)), __half((int)OF_HALVES(a.y, b.y))};               \
  }                                                                                            \
  XGPU_BOTH unsigned int __h##NAME##2_mask(__half2 a, __half2 b) {                             \
    return (OF_HALVES(a.x, b.x) ? 0xFFFFu : 0) | (OF_HALVES(a.y, b.y) ? 0xFFFF0000u : 0);      \
  }                                                                                            \
  XGPU_BOTH bool __hb##NAME##2(__half2 a, __half2 b) {                                         \
    return OF_HALVES(a.x, b.x) && OF_HALVES(a.y, b.y);                                         \
  }
XGPU_COMPARE(eq, __heq) XGPU_COMPARE(ne, __hne) XGPU_COMPARE(lt, __hlt) XGPU_COMPARE(le, __hle)
XGPU_COMPARE(gt, __hgt) XGPU_COMPARE(ge, __hge)
#undef XGPU_COMPARE_TWO
#undef XGPU_COMPARE
XGPU_BOTH int __hisinf(__half a) {
  float v = (float)a;
  return v == __builtin_inff() ? 1 : v == -__builtin_inff() ? -1 : 0;
}
XGPU_BOTH __half operator-(__half a) { return (_Float16)-a.xgpu_value; }
XGPU_BOTH __half2 operator-(__half2 a) { return {-a.x, -a.y}; }
XGPU_BOTH __half __hneg(__half a) { return -a; }
XGPU_BOTH __half2 __hneg2(__half2 a) { return {-a.x, -a.y}; }
XGPU_BOTH bool __hisnan(__half a) { return a.xgpu_value != a.xgpu_value; }

XGPU_BOTH __half __float2half(float v) { return (_Float16)v; }
XGPU_BOTH __half __float2half_rn(float v) { return (_Float16)v; }
XGPU_BOTH __half __double2half(double v) { return (_Float16)v; }
XGPU_BOTH __half __int2half_rn(int v) { return (_Float16)v; }
XGPU_BOTH __half __uint2half_rn(unsigned int v) { return (_Float16)v; }
// Numbers that are not halves, by rounding mode: the nearest half, or the next one to its side.
enum xgpu_rounding { XGPU_TOWARD_ZERO, XGPU_DOWN, XGPU_UP };
XGPU_BOTH __half xgpu_rounded(_Float16 nearest, double v, xgpu_rounding mode) {
  unsigned short bits = __builtin_bit_cast(unsigned short, nearest);
  double n = (double)nearest;
  bool is_negative = bits >> 15;
  bool goes_down = n > v && (mode == XGPU_DOWN || (mode == XGPU_TOWARD_ZERO && !is_negative));
  bool goes_up = n < v && (mode == XGPU_UP || (mode == XGPU_TOWARD_ZERO && is_negative));
  if (goes_down) bits += is_negative ? 1 : -1;
  if (goes_up) bits += is_negative ? -1 : 1;
  return __builtin_bit_cast(_Float16, bits);
}
// Out of range is the nearest number of the type; a NaN is 0, or the highest of 64 bits.
template <typename T> XGPU_BOTH T xgpu_to_integer(float v, T least, T most) {
  if (v != v) return sizeof(T) == 8 ? (T)(1ull << 63) : T(0);
  if (v <= (float)least) return least;
  if (v >= (float)most) return most;
  return (T)v;
}
#define XGPU_ROUNDED(NAME, T)                                                                  \
  XGPU_BOTH __half NAME##_rz(T v) { return xgpu_rounded((_Float16)v, v, XGPU_TOWARD_ZERO); }   \
  XGPU_BOTH __half NAME##_rd(T v) { return xgpu_rounded((_Float16)v, v, XGPU_DOWN); }          \
  XGPU_BOTH __half NAME##_ru(T v) { return xgpu_rounded((_Float16)v, v, XGPU_UP); }
XGPU_ROUNDED(__float2half, float)
#define XGPU_INTEGER(NAME, T, LEAST, MOST)                                                     \
  XGPU_ROUNDED(__##NAME##2half, T)                                                             \
  XGPU_BOTH T __half2##NAME##_rn(__half v) {                                                   \
    return xgpu_to_integer<T>(__builtin_rintf((float)v), LEAST, MOST);                         \
  }                                                                                            \
  XGPU_BOTH T __half2##NAME##_rz(__half v) {                                                   \
    return xgpu_to_integer<T>(__builtin_truncf((float)v), LEAST, MOST);                        \
  }                                                                                            \
  XGPU_BOTH T __half2##NAME##_rd(__half v) {                                                   \
    return xgpu_to_integer<T>(__builtin_floorf((float)v), LEAST, MOST);                        \
  }                                                                                            \
  XGPU_BOTH T __half2##NAME##_ru(__half v) {                                                   \
    return xgpu_to_integer<T>(__builtin_ceilf((float)v), LEAST, MOST);                         \
  }
XGPU_INTEGER(int, int, -__INT_MAX__ - 1, __INT_MAX__)
XGPU_INTEGER(uint, unsigned int, 0u, ~0u)
XGPU_INTEGER(short, short, -32768, 32767)
XGPU_INTEGER(ushort, unsigned short, 0, 65535)
XGPU_INTEGER(ll, long long, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)
XGPU_INTEGER(ull, unsigned long long, 0ull, ~0ull)
#undef XGPU_INTEGER
#undef XGPU_ROUNDED
XGPU_BOTH __half __short2half_rn(short v) { return (_Float16)v; }
XGPU_BOTH __half __ushort2half_rn(unsigned short v) { return (_Float16)v; }
XGPU_BOTH __half __ll2half_rn(long long v) { return (_Float16)v; }
XGPU_BOTH __half __ull2half_rn(unsigned long long v) { return (_Float16)v; }
XGPU_BOTH short __half_as_short(__half v) { return __builtin_bit_cast(short, v.xgpu_value); }
XGPU_BOTH __half __short_as_half(short v) { return __builtin_bit_cast(_Float16, v); }
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
XGPU_BOTH __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
XGPU_BOTH __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
XGPU_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
XGPU_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
XGPU_BOTH __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
XGPU_BOTH float __low2float(__half2 v) { return v.x; }
XGPU_BOTH float __high2float(__half2 v) { return v.y; }

XGPU_DEVICE __half __hfma(__half a, __half b, __half c) {
  return __builtin_fmaf16(a.xgpu_value, b.xgpu_value, c.xgpu_value);
}
XGPU_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
// Between 0 and 1, where a NaN is 0; or at least 0, where a NaN stays one.
XGPU_DEVICE __half xgpu_saturated(__half a) {
  return __builtin_fminf16(__builtin_fmaxf16(a.xgpu_value, (_Float16)0), (_Float16)1);
}
XGPU_DEVICE __half xgpu_relu(__half a) { return a.xgpu_value < (_Float16)0 ? __half(0.0f) : a; }
#define XGPU_SATURATED(NAME)                                                                   \
  XGPU_DEVICE __half NAME##_sat(__half a, __half b) { return xgpu_saturated(NAME(a, b)); }     \
  XGPU_DEVICE __half2 NAME##2_sat(__half2 a, __half2 b) {                                      \
    return {NAME##_sat(a.x, b.x), NAME##_sat(a.y, b.y)};                                       \
  }
XGPU_SATURATED(__hadd) XGPU_SATURATED(__hsub) XGPU_SATURATED(__hmul)
#undef XGPU_SATURATED
#define XGPU_FMA(KIND, OF)                                                                     \
  XGPU_DEVICE __half __hfma_##KIND(__half a, __half b, __half c) { return OF(__hfma(a, b, c)); } \
  XGPU_DEVICE __half2 __hfma2_##KIND(__half2 a, __half2 b, __half2 c) {                        \
    return {__hfma_##KIND(a.x, b.x, c.x), __hfma_##KIND(a.y, b.y, c.y)};                       \
  }
XGPU_FMA(sat, xgpu_saturated) XGPU_FMA(relu, xgpu_relu)
#undef XGPU_FMA
// Complex numbers: a * b + c.
XGPU_DEVICE __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
          __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
XGPU_DEVICE __half __habs(__half a) { return __builtin_fabsf16(a.xgpu_value); }
XGPU_DEVICE __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
XGPU_DEVICE __half __hmin(__half a, __half b) { return __builtin_fminf16(a.xgpu_value, b.xgpu_value); }
XGPU_DEVICE __half __hmax(__half a, __half b) { return __builtin_fmaxf16(a.xgpu_value, b.xgpu_value); }
// A NaN of one of the two is the result.
#define XGPU_WITH_NAN(NAME)                                                                    \
  XGPU_DEVICE __half NAME##_nan(__half a, __half b) {                                          \
    return __hisnan(a) ? a : __hisnan(b) ? b : NAME(a, b);                                     \
  }                                                                                            \
  XGPU_DEVICE __half2 NAME##2_nan(__half2 a, __half2 b) {                                      \
    return {NAME##_nan(a.x, b.x), NAME##_nan(a.y, b.y)};                                       \
  }
XGPU_WITH_NAN(__hmin) XGPU_WITH_NAN(__hmax)
#undef XGPU_WITH_NAN
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
