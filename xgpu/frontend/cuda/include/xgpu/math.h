// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions on floats: LLVM's where it has them, else libdevice's names, which the host device
// knows as its own and a GPU's compiler links.
#pragma once
#include <xgpu/device.h>

#define XGPU_PURE __device__ __attribute__((const))

// The type of a function of integers, whose result is a double. These are templates, as in the
// library of C++: a program's own function of integers goes before them.
template <bool> struct xgpu_if {};
template <> struct xgpu_if<true> { typedef double type; };
#define XGPU_OF_INTEGER(NAME, CALL)                                                            \
  template <typename T>                                                                        \
  __device__ XGPU_OWN typename xgpu_if<__is_integral(T)>::type NAME(T x) {                     \
    return CALL((double)x);                                                                    \
  }

// -- one operand

#define XGPU_UNARY(NAME)                                                                       \
  extern "C" XGPU_PURE double __nv_##NAME(double);                                            \
  extern "C" XGPU_PURE float __nv_##NAME##f(float);                                           \
  XGPU_DEVICE double NAME(double x) { return __nv_##NAME(x); }                                 \
  XGPU_DEVICE float NAME(float x) { return __nv_##NAME##f(x); }                                \
  XGPU_OF_INTEGER(NAME, __nv_##NAME)                                                           \
  XGPU_DEVICE float NAME##f(float x) { return __nv_##NAME##f(x); }
XGPU_UNARY(sin) XGPU_UNARY(cos) XGPU_UNARY(tan)
XGPU_UNARY(asin) XGPU_UNARY(acos) XGPU_UNARY(atan)
XGPU_UNARY(sinh) XGPU_UNARY(cosh) XGPU_UNARY(tanh)
XGPU_UNARY(asinh) XGPU_UNARY(acosh) XGPU_UNARY(atanh)
XGPU_UNARY(exp) XGPU_UNARY(exp2) XGPU_UNARY(exp10) XGPU_UNARY(expm1)
XGPU_UNARY(log) XGPU_UNARY(log2) XGPU_UNARY(log10) XGPU_UNARY(log1p) XGPU_UNARY(logb)
XGPU_UNARY(cbrt) XGPU_UNARY(rcbrt) XGPU_UNARY(rsqrt)
XGPU_UNARY(erf) XGPU_UNARY(erfc) XGPU_UNARY(erfinv) XGPU_UNARY(erfcinv) XGPU_UNARY(erfcx)
XGPU_UNARY(normcdf) XGPU_UNARY(normcdfinv)
XGPU_UNARY(lgamma) XGPU_UNARY(tgamma)
XGPU_UNARY(j0) XGPU_UNARY(j1) XGPU_UNARY(y0) XGPU_UNARY(y1)
XGPU_UNARY(cyl_bessel_i0) XGPU_UNARY(cyl_bessel_i1)
XGPU_UNARY(sinpi) XGPU_UNARY(cospi)
#undef XGPU_UNARY

#define XGPU_LLVM_UNARY(NAME)                                                                  \
  XGPU_DEVICE double NAME(double x) { return __builtin_##NAME(x); }                            \
  XGPU_DEVICE float NAME(float x) { return __builtin_##NAME##f(x); }                           \
  XGPU_OF_INTEGER(NAME, __builtin_##NAME)                                                      \
  XGPU_DEVICE float NAME##f(float x) { return __builtin_##NAME##f(x); }
XGPU_LLVM_UNARY(fabs) XGPU_LLVM_UNARY(sqrt) XGPU_LLVM_UNARY(floor) XGPU_LLVM_UNARY(ceil)
XGPU_LLVM_UNARY(trunc) XGPU_LLVM_UNARY(round) XGPU_LLVM_UNARY(rint) XGPU_LLVM_UNARY(nearbyint)
#undef XGPU_LLVM_UNARY
XGPU_DEVICE float abs(float x) { return __builtin_fabsf(x); }
XGPU_DEVICE double abs(double x) { return __builtin_fabs(x); }

// -- two and three operands

#define XGPU_BINARY(NAME)                                                                      \
  extern "C" XGPU_PURE double __nv_##NAME(double, double);                                    \
  extern "C" XGPU_PURE float __nv_##NAME##f(float, float);                                    \
  XGPU_DEVICE double NAME(double x, double y) { return __nv_##NAME(x, y); }                    \
  XGPU_DEVICE float NAME(float x, float y) { return __nv_##NAME##f(x, y); }                    \
  XGPU_DEVICE double NAME(double x, float y) { return __nv_##NAME(x, y); }                     \
  XGPU_DEVICE double NAME(float x, double y) { return __nv_##NAME(x, y); }                     \
  XGPU_DEVICE float NAME##f(float x, float y) { return __nv_##NAME##f(x, y); }
XGPU_BINARY(pow) XGPU_BINARY(atan2) XGPU_BINARY(fmod) XGPU_BINARY(hypot) XGPU_BINARY(fdim)
XGPU_BINARY(remainder) XGPU_BINARY(nextafter) XGPU_BINARY(rhypot)
#undef XGPU_BINARY
extern "C" XGPU_PURE double __nv_powi(double, int);
extern "C" XGPU_PURE float __nv_powif(float, int);
XGPU_DEVICE double pow(double x, int n) { return __nv_powi(x, n); }
XGPU_DEVICE float pow(float x, int n) { return __nv_powif(x, n); }
XGPU_DEVICE double pow(int x, int y) { return __nv_pow(x, y); }
XGPU_DEVICE double pow(int x, double y) { return __nv_pow(x, y); }

#define XGPU_LLVM_BINARY(NAME)                                                                 \
  XGPU_DEVICE double NAME(double x, double y) { return __builtin_##NAME(x, y); }               \
  XGPU_DEVICE float NAME(float x, float y) { return __builtin_##NAME##f(x, y); }               \
  XGPU_DEVICE float NAME##f(float x, float y) { return __builtin_##NAME##f(x, y); }
XGPU_LLVM_BINARY(fmin) XGPU_LLVM_BINARY(fmax) XGPU_LLVM_BINARY(copysign)
#undef XGPU_LLVM_BINARY
XGPU_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
XGPU_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
XGPU_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
XGPU_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
XGPU_BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
XGPU_BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
XGPU_BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
XGPU_BOTH double max(double a, float b) { return __builtin_fmax(a, b); }
XGPU_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
XGPU_DEVICE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
XGPU_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
XGPU_DEVICE float fdividef(float a, float b) { return a / b; }

// -- parts and rounding to integers

#define XGPU_OTHER(R, NAME, ...)                                                               \
  extern "C" __device__ R __nv_##NAME(__VA_ARGS__);
XGPU_OTHER(double, ldexp, double, int) XGPU_OTHER(float, ldexpf, float, int)
XGPU_OTHER(double, scalbn, double, int) XGPU_OTHER(float, scalbnf, float, int)
XGPU_OTHER(double, frexp, double, int *) XGPU_OTHER(float, frexpf, float, int *)
XGPU_OTHER(double, modf, double, double *) XGPU_OTHER(float, modff, float, float *)
XGPU_OTHER(int, ilogb, double) XGPU_OTHER(int, ilogbf, float)
XGPU_OTHER(void, sincos, double, double *, double *)
XGPU_OTHER(void, sincosf, float, float *, float *)
XGPU_OTHER(void, sincospi, double, double *, double *)
XGPU_OTHER(void, sincospif, float, float *, float *)
#undef XGPU_OTHER
#define XGPU_SECOND(NAME, T)                                                                   \
  XGPU_DEVICE double NAME(double x, T y) { return __nv_##NAME(x, y); }
XGPU_SECOND(ldexp, int) XGPU_SECOND(scalbn, int) XGPU_SECOND(frexp, int *)
#undef XGPU_SECOND
XGPU_DEVICE float ldexpf(float x, int n) { return __nv_ldexpf(x, n); }
XGPU_DEVICE float ldexp(float x, int n) { return __nv_ldexpf(x, n); }
XGPU_DEVICE float scalbnf(float x, int n) { return __nv_scalbnf(x, n); }
// Beyond an int's range the result is what it is at its ends.
XGPU_DEVICE int __xgpu_exponent(long n) {
  return n > 0x7fffffff ? 0x7fffffff : n < -0x7fffffff ? -0x7fffffff : (int)n;
}
XGPU_DEVICE double scalbln(double x, long n) { return __nv_scalbn(x, __xgpu_exponent(n)); }
XGPU_DEVICE float scalblnf(float x, long n) { return __nv_scalbnf(x, __xgpu_exponent(n)); }
XGPU_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
XGPU_DEVICE float frexpf(float x, int *e) { return __nv_frexpf(x, e); }
XGPU_DEVICE float frexp(float x, int *e) { return __nv_frexpf(x, e); }
XGPU_DEVICE double modf(double x, double *i) { return __nv_modf(x, i); }
XGPU_DEVICE float modff(float x, float *i) { return __nv_modff(x, i); }
XGPU_DEVICE float modf(float x, float *i) { return __nv_modff(x, i); }
XGPU_DEVICE int ilogb(double x) { return __nv_ilogb(x); }
XGPU_DEVICE int ilogbf(float x) { return __nv_ilogbf(x); }
XGPU_DEVICE void sincos(double x, double *s, double *c) { __nv_sincos(x, s, c); }
XGPU_DEVICE void sincosf(float x, float *s, float *c) { __nv_sincosf(x, s, c); }
XGPU_DEVICE void sincos(float x, float *s, float *c) { __nv_sincosf(x, s, c); }
XGPU_DEVICE void sincospi(double x, double *s, double *c) { __nv_sincospi(x, s, c); }
XGPU_DEVICE void sincospif(float x, float *s, float *c) { __nv_sincospif(x, s, c); }
XGPU_DEVICE void __sincosf(float x, float *s, float *c) { __nv_sincosf(x, s, c); }

#define XGPU_TO_INTEGER(T, NAME, F)                                                            \
  XGPU_DEVICE T NAME(double x) { return (T)F(x); }                                             \
  XGPU_DEVICE T NAME(float x) { return (T)F##f(x); }                                           \
  XGPU_DEVICE T NAME##f(float x) { return (T)F##f(x); }
XGPU_TO_INTEGER(long, lround, __builtin_round)
XGPU_TO_INTEGER(long long, llround, __builtin_round)
XGPU_TO_INTEGER(long, lrint, __builtin_rint)
XGPU_TO_INTEGER(long long, llrint, __builtin_rint)
#undef XGPU_TO_INTEGER

#ifndef isnan
#define XGPU_CLASS(NAME, BUILTIN)                                                              \
  XGPU_DEVICE bool NAME(float x) { return BUILTIN(x); }                                        \
  XGPU_DEVICE bool NAME(double x) { return BUILTIN(x); }
XGPU_CLASS(isnan, __builtin_isnan) XGPU_CLASS(isinf, __builtin_isinf)
XGPU_CLASS(isfinite, __builtin_isfinite) XGPU_CLASS(signbit, __builtin_signbit)
#undef XGPU_CLASS
#endif

XGPU_DEVICE float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
XGPU_DEVICE double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
XGPU_DEVICE float rnorm3df(float a, float b, float c) { return 1 / norm3df(a, b, c); }
XGPU_DEVICE double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
#define XGPU_LONG(NAME)                                                                        \
  extern "C" XGPU_PURE double __nv_##NAME##4d(double, double, double, double);                \
  extern "C" XGPU_PURE float __nv_##NAME##4df(float, float, float, float);                    \
  extern "C" __device__ double __nv_##NAME(int, const double *);                              \
  extern "C" __device__ float __nv_##NAME##f(int, const float *);                             \
  XGPU_DEVICE double NAME##4d(double a, double b, double c, double d) {                        \
    return __nv_##NAME##4d(a, b, c, d);                                                        \
  }                                                                                            \
  XGPU_DEVICE float NAME##4df(float a, float b, float c, float d) {                            \
    return __nv_##NAME##4df(a, b, c, d);                                                       \
  }                                                                                            \
  XGPU_DEVICE double NAME(int n, const double *x) { return __nv_##NAME(n, x); }                \
  XGPU_DEVICE float NAME##f(int n, const float *x) { return __nv_##NAME##f(n, x); }
XGPU_LONG(norm) XGPU_LONG(rnorm)
#undef XGPU_LONG

#define XGPU_OF_ORDER(NAME)                                                                    \
  extern "C" XGPU_PURE double __nv_##NAME(int, double);                                       \
  extern "C" XGPU_PURE float __nv_##NAME##f(int, float);                                      \
  XGPU_DEVICE double NAME(int n, double x) { return __nv_##NAME(n, x); }                       \
  XGPU_DEVICE float NAME##f(int n, float x) { return __nv_##NAME##f(n, x); }
XGPU_OF_ORDER(jn) XGPU_OF_ORDER(yn)
#undef XGPU_OF_ORDER

extern "C" __device__ double __nv_remquo(double, double, int *);
extern "C" __device__ float __nv_remquof(float, float, int *);
XGPU_DEVICE double remquo(double x, double y, int *q) { return __nv_remquo(x, y, q); }
XGPU_DEVICE float remquo(float x, float y, int *q) { return __nv_remquof(x, y, q); }
XGPU_DEVICE float remquof(float x, float y, int *q) { return __nv_remquof(x, y, q); }
XGPU_DEVICE float __tanhf(float x) { return __nv_tanhf(x); }
extern "C" XGPU_PURE float __nv_frsqrt_rn(float);
XGPU_DEVICE float __frsqrt_rn(float x) { return __nv_frsqrt_rn(x); }
XGPU_DEVICE double nan(const char *) { return __builtin_nan(""); }
XGPU_DEVICE float nanf(const char *) { return __builtin_nanf(""); }

// Two products of 16 bits and 8 bits, the latter from one half of a word, and a sum.
#define XGPU_DP2A(TYPE, SHORT, CHAR)                                                           \
  XGPU_DEVICE TYPE __dp2a_lo(TYPE a, TYPE b, TYPE c) {                                         \
    return c + (TYPE)(SHORT)a * (CHAR)b + (TYPE)(SHORT)(a >> 16) * (CHAR)(b >> 8);             \
  }                                                                                            \
  XGPU_DEVICE TYPE __dp2a_hi(TYPE a, TYPE b, TYPE c) { return __dp2a_lo(a, b >> 16, c); }
XGPU_DP2A(int, short, signed char) XGPU_DP2A(unsigned int, unsigned short, unsigned char)
#undef XGPU_DP2A

// The position of the bit that is the `nth` set one from `base` on, downwards if `nth` is negative;
// all ones where there is none.
XGPU_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int nth) {
  if (nth == 0) return mask >> (base & 31) & 1 ? base : 0xffffffffu;
  int step = nth < 0 ? -1 : 1;
  for (int at = (int)base, left = nth < 0 ? -nth : nth; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) != 0 && --left == 0) return at;
  return 0xffffffffu;
}

// -- approximations

#define XGPU_FAST(NAME, OF)                                                                    \
  extern "C" XGPU_PURE float __nv_fast_##OF(float);                                           \
  XGPU_DEVICE float NAME(float x) { return __nv_fast_##OF(x); }
XGPU_FAST(__sinf, sinf) XGPU_FAST(__cosf, cosf) XGPU_FAST(__tanf, tanf)
XGPU_FAST(__expf, expf) XGPU_FAST(__exp10f, exp10f)
XGPU_FAST(__logf, logf) XGPU_FAST(__log2f, log2f) XGPU_FAST(__log10f, log10f)
#undef XGPU_FAST
extern "C" XGPU_PURE float __nv_fast_powf(float, float);
XGPU_DEVICE float __powf(float x, float y) { return __nv_fast_powf(x, y); }
extern "C" XGPU_PURE float __nv_fast_fdividef(float, float);
XGPU_DEVICE float __fdividef(float x, float y) { return __nv_fast_fdividef(x, y); }
XGPU_DEVICE float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// -- arithmetic with a rounding mode

#define XGPU_ROUNDED(M)                                                                        \
  extern "C" XGPU_PURE float __nv_fadd_##M(float, float), __nv_fsub_##M(float, float),        \
      __nv_fmul_##M(float, float), __nv_fdiv_##M(float, float), __nv_frcp_##M(float),          \
      __nv_fsqrt_##M(float), __nv_fmaf_##M(float, float, float),                               \
      __nv_fmaf_ieee_##M(float, float, float);                                                 \
  extern "C" XGPU_PURE double __nv_dadd_##M(double, double), __nv_dsub_##M(double, double),   \
      __nv_dmul_##M(double, double), __nv_ddiv_##M(double, double), __nv_drcp_##M(double),     \
      __nv_dsqrt_##M(double), __nv_fma_##M(double, double, double);                            \
  XGPU_DEVICE float __fadd_##M(float a, float b) { return __nv_fadd_##M(a, b); }               \
  XGPU_DEVICE float __fsub_##M(float a, float b) { return __nv_fsub_##M(a, b); }               \
  XGPU_DEVICE float __fmul_##M(float a, float b) { return __nv_fmul_##M(a, b); }               \
  XGPU_DEVICE float __fdiv_##M(float a, float b) { return __nv_fdiv_##M(a, b); }               \
  XGPU_DEVICE float __frcp_##M(float a) { return __nv_frcp_##M(a); }                           \
  XGPU_DEVICE float __fsqrt_##M(float a) { return __nv_fsqrt_##M(a); }                         \
  XGPU_DEVICE float __fmaf_##M(float a, float b, float c) { return __nv_fmaf_##M(a, b, c); }   \
  XGPU_DEVICE float __fmaf_ieee_##M(float a, float b, float c) {                               \
    return __nv_fmaf_ieee_##M(a, b, c);                                                        \
  }                                                                                            \
  XGPU_DEVICE double __dadd_##M(double a, double b) { return __nv_dadd_##M(a, b); }            \
  XGPU_DEVICE double __dsub_##M(double a, double b) { return __nv_dsub_##M(a, b); }            \
  XGPU_DEVICE double __dmul_##M(double a, double b) { return __nv_dmul_##M(a, b); }            \
  XGPU_DEVICE double __ddiv_##M(double a, double b) { return __nv_ddiv_##M(a, b); }            \
  XGPU_DEVICE double __drcp_##M(double a) { return __nv_drcp_##M(a); }                         \
  XGPU_DEVICE double __dsqrt_##M(double a) { return __nv_dsqrt_##M(a); }                       \
  XGPU_DEVICE double __fma_##M(double a, double b, double c) { return __nv_fma_##M(a, b, c); } \
  XGPU_CONVERSIONS(M)
#define XGPU_CONVERT(TO, NAME, FROM, M)                                                        \
  extern "C" XGPU_PURE TO __nv_##NAME##_##M(FROM);                                            \
  XGPU_DEVICE TO __##NAME##_##M(FROM x) { return __nv_##NAME##_##M(x); }
#define XGPU_CONVERSIONS(M)                                                                    \
  XGPU_CONVERT(int, float2int, float, M)                                                       \
  XGPU_CONVERT(unsigned int, float2uint, float, M)                                             \
  XGPU_CONVERT(long long, float2ll, float, M)                                                  \
  XGPU_CONVERT(unsigned long long, float2ull, float, M)                                        \
  XGPU_CONVERT(int, double2int, double, M)                                                     \
  XGPU_CONVERT(unsigned int, double2uint, double, M)                                           \
  XGPU_CONVERT(long long, double2ll, double, M)                                                \
  XGPU_CONVERT(unsigned long long, double2ull, double, M)                                      \
  XGPU_CONVERT(float, int2float, int, M)                                                       \
  XGPU_CONVERT(float, uint2float, unsigned int, M)                                             \
  XGPU_CONVERT(float, ll2float, long long, M)                                                  \
  XGPU_CONVERT(float, ull2float, unsigned long long, M)                                        \
  XGPU_CONVERT(double, ll2double, long long, M)                                                \
  XGPU_CONVERT(double, ull2double, unsigned long long, M)                                      \
  XGPU_CONVERT(float, double2float, double, M)
XGPU_ROUNDED(rn)
XGPU_ROUNDED(rz)
XGPU_ROUNDED(ru)
XGPU_ROUNDED(rd)
XGPU_DEVICE double __int2double_rn(int x) { return x; }
XGPU_DEVICE double __uint2double_rn(unsigned int x) { return x; }
#undef XGPU_ROUNDED
#undef XGPU_CONVERSIONS
#undef XGPU_CONVERT

// -- bits

XGPU_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
XGPU_DEVICE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
XGPU_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
XGPU_DEVICE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
XGPU_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
XGPU_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
XGPU_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
XGPU_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
XGPU_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)xgpu_pair((unsigned int)low, (unsigned int)high));
}
