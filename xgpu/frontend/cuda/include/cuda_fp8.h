// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats of eight bits by their bits: E4M3 has no infinities, E5M2 is the upper half of a __half.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// Rounded to the nearest, ties to even. A NaN is 0x7f of both kinds.
XGPU_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double v, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind) {
  int digits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int sign = (unsigned int)(bits >> 63) << 7;
  unsigned long long magnitude = bits & ~(1ull << 63);
  if (magnitude > 0x7ffull << 52) return 0x7f;
  unsigned int most = kind == __NV_E4M3 ? 0x7e : 0x7b;
  unsigned int above = saturation == __NV_SATFINITE ? most : kind == __NV_E4M3 ? 0x7f : 0x7c;
  int exponent = (int)(magnitude >> 52) - 1023;
  if (exponent > bias + 1) return (__nv_fp8_storage_t)(sign | above);
  if (exponent < -bias - digits) return (__nv_fp8_storage_t)sign;  // below half of the least
  // What is left of the binary point counts units of the last digit.
  int least = exponent < 1 - bias ? 1 - bias : exponent;
  unsigned long long digits_in = (magnitude & ((1ull << 52) - 1)) | 1ull << 52;
  int dropped = 52 - digits + least - exponent;
  unsigned long long units = digits_in >> dropped, rest = digits_in & ((1ull << dropped) - 1);
  unsigned long long half = 1ull << (dropped - 1);
  units += rest > half || (rest == half && (units & 1));
  // The carry of a mantissa that is full goes to the exponent.
  unsigned int code = ((unsigned int)(least + bias - 1) << digits) + (unsigned int)units;
  return (__nv_fp8_storage_t)(sign | (code > most ? above : code));
}
XGPU_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(v, saturation, kind);
}
XGPU_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8((float)__ushort_as_half(v.x), saturation, kind);
}
// Every value of eight bits is a half.
XGPU_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v,
                                             __nv_fp8_interpretation_t kind) {
  unsigned int sign = v >> 7 << 15, magnitude = v & 0x7f;
  if (kind == __NV_E5M2) return {(unsigned short)(magnitude > 0x7c ? 0x7fff : v << 8)};
  if (magnitude == 0x7f) return {0x7fff};
  if (magnitude >= 8) return {(unsigned short)(sign | ((magnitude << 7) + (8 << 10)))};
  _Float16 value = (_Float16)((float)magnitude * 0x1p-9f);
  return {(unsigned short)(sign | __builtin_bit_cast(unsigned short, value))};
}

#define XGPU_PAIR(FROM, TYPE, ONE)                                                             \
  XGPU_BOTH __nv_fp8x2_storage_t __nv_cvt_##FROM##_to_fp8x2(                                   \
      TYPE v, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {                  \
    return (__nv_fp8x2_storage_t)(ONE(v.x, saturation, kind) |                                 \
                                  ONE(v.y, saturation, kind) << 8);                            \
  }
XGPU_PAIR(float2, float2, __nv_cvt_float_to_fp8)
XGPU_PAIR(double2, double2, __nv_cvt_double_to_fp8)
#undef XGPU_PAIR
XGPU_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v,
                                                          __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_halfraw_to_fp8({v.x}, saturation, kind) |
                                __nv_cvt_halfraw_to_fp8({v.y}, saturation, kind) << 8);
}
XGPU_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v,
                                                 __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)v, kind).x,
          __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(v >> 8), kind).x};
}

#define XGPU_FP8(NAME, KIND)                                                                   \
  struct __nv_fp8_##NAME {                                                                     \
    __nv_fp8_storage_t __x;                                                                    \
    __nv_fp8_##NAME() = default;                                                               \
    XGPU_BOTH_METHOD explicit __nv_fp8_##NAME(float v)                                         \
        : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, KIND)) {}                               \
    XGPU_BOTH_METHOD explicit __nv_fp8_##NAME(double v)                                        \
        : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, KIND)) {}                              \
    XGPU_BOTH_METHOD explicit __nv_fp8_##NAME(int v) : __nv_fp8_##NAME((double)v) {}           \
    XGPU_BOTH_METHOD explicit __nv_fp8_##NAME(unsigned int v) : __nv_fp8_##NAME((double)v) {}  \
    XGPU_BOTH_METHOD explicit __nv_fp8_##NAME(__half v) : __nv_fp8_##NAME((float)v) {}         \
    XGPU_BOTH_METHOD explicit __nv_fp8_##NAME(__nv_bfloat16 v)                                 \
        : __nv_fp8_##NAME((float)v) {}                                                         \
    XGPU_BOTH_METHOD explicit operator __half() const {                                        \
      return __ushort_as_half(__nv_cvt_fp8_to_halfraw(__x, KIND).x);                           \
    }                                                                                          \
    XGPU_BOTH_METHOD explicit operator float() const { return (float)(__half) * this; }        \
    XGPU_BOTH_METHOD explicit operator double() const { return (float)*this; }                 \
    XGPU_BOTH_METHOD explicit operator __nv_bfloat16() const { return (float)*this; }          \
  };                                                                                           \
  struct __align__(2) __nv_fp8x2_##NAME {                                                      \
    __nv_fp8x2_storage_t __x;                                                                  \
    __nv_fp8x2_##NAME() = default;                                                             \
    XGPU_BOTH_METHOD explicit __nv_fp8x2_##NAME(float2 v)                                      \
        : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}                            \
    XGPU_BOTH_METHOD explicit __nv_fp8x2_##NAME(__half2 v) : __nv_fp8x2_##NAME(                \
        float2{(float)v.x, (float)v.y}) {}                                                     \
    XGPU_BOTH_METHOD explicit __nv_fp8x2_##NAME(__nv_bfloat162 v) : __nv_fp8x2_##NAME(         \
        float2{(float)v.x, (float)v.y}) {}                                                     \
    XGPU_BOTH_METHOD explicit operator __half2() const {                                       \
      __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(__x, KIND);                                 \
      return {__ushort_as_half(raw.x), __ushort_as_half(raw.y)};                               \
    }                                                                                          \
    XGPU_BOTH_METHOD explicit operator float2() const {                                        \
      return __half22float2((__half2) * this);                                                 \
    }                                                                                          \
  };                                                                                           \
  struct __align__(4) __nv_fp8x4_##NAME {                                                      \
    __nv_fp8x4_storage_t __x;                                                                  \
    __nv_fp8x4_##NAME() = default;                                                             \
    XGPU_BOTH_METHOD explicit __nv_fp8x4_##NAME(float4 v)                                      \
        : __x(__nv_fp8x2_##NAME(float2{v.x, v.y}).__x |                                        \
              (__nv_fp8x4_storage_t)__nv_fp8x2_##NAME(float2{v.z, v.w}).__x << 16) {}          \
    XGPU_BOTH_METHOD __nv_fp8x4_##NAME(__half2 low, __half2 high)                              \
        : __nv_fp8x4_##NAME(float4{(float)low.x, (float)low.y, (float)high.x, (float)high.y}) {} \
    XGPU_BOTH_METHOD __nv_fp8x4_##NAME(__nv_bfloat162 low, __nv_bfloat162 high)                \
        : __nv_fp8x4_##NAME(float4{(float)low.x, (float)low.y, (float)high.x, (float)high.y}) {} \
    XGPU_BOTH_METHOD explicit operator float4() const {                                        \
      __nv_fp8x2_##NAME low, high;                                                             \
      low.__x = (__nv_fp8x2_storage_t)__x;                                                     \
      high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                            \
      float2 a = (float2)low, b = (float2)high;                                                \
      return {a.x, a.y, b.x, b.y};                                                             \
    }                                                                                          \
  };
XGPU_FP8(e4m3, __NV_E4M3)
XGPU_FP8(e5m2, __NV_E5M2)
#undef XGPU_FP8
