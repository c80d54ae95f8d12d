// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers as pairs, on both sides.
#pragma once
#include <cuda_runtime.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// T: element, C: type, S: what functions of that type end with, ROOT: the square root.
#define XGPU_COMPLEX(T, C, S, MAKE, ROOT)                                                      \
  XGPU_BOTH C MAKE(T re, T im) { return C{re, im}; }                                           \
  XGPU_BOTH T cuCreal##S(C a) { return a.x; }                                                  \
  XGPU_BOTH T cuCimag##S(C a) { return a.y; }                                                  \
  XGPU_BOTH C cuConj##S(C a) { return C{a.x, -a.y}; }                                          \
  XGPU_BOTH C cuCadd##S(C a, C b) { return C{a.x + b.x, a.y + b.y}; }                          \
  XGPU_BOTH C cuCsub##S(C a, C b) { return C{a.x - b.x, a.y - b.y}; }                          \
  XGPU_BOTH C cuCmul##S(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }  \
  XGPU_BOTH C cuCdiv##S(C a, C b) {                                                            \
    /* scaled: the square of the divisor may not be a number where the quotient is */          \
    T scale = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y);                                 \
    T ar = a.x / scale, ai = a.y / scale, br = b.x / scale, bi = b.y / scale;                  \
    T square = br * br + bi * bi;                                                              \
    return C{(ar * br + ai * bi) / square, (ai * br - ar * bi) / square};                      \
  }                                                                                            \
  XGPU_BOTH T cuCabs##S(C a) {                                                                 \
    T x = a.x < 0 ? -a.x : a.x, y = a.y < 0 ? -a.y : a.y;                                      \
    T large = x > y ? x : y, small = x > y ? y : x;                                            \
    if (large == 0) return 0;                                                                  \
    T ratio = small / large;                                                                   \
    return large * ROOT(1 + ratio * ratio);                                                    \
  }                                                                                            \
  XGPU_BOTH C cuCfma##S(C a, C b, C c) { return cuCadd##S(cuCmul##S(a, b), c); }
XGPU_COMPLEX(float, cuFloatComplex, f, make_cuFloatComplex, __builtin_sqrtf)
XGPU_COMPLEX(double, cuDoubleComplex, , make_cuDoubleComplex, __builtin_sqrt)
#undef XGPU_COMPLEX
XGPU_BOTH cuComplex make_cuComplex(float re, float im) { return cuComplex{re, im}; }
XGPU_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
XGPU_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {(float)a.x, (float)a.y};
}
