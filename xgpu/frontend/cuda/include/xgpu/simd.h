// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on the two halves or the four bytes of a word, and sums and extremes of three (DPX).
//
// All go through one function with the operation as an argument, which is folded where it is
// inlined: this header is a part of every kernel's, and bodies of their own take longer to compile
// than a small kernel.
#pragma once
#include <xgpu/types.h>

enum xgpu_field_operation {
  xgpu_abs, xgpu_abs_sat, xgpu_neg, xgpu_neg_sat, xgpu_distance, xgpu_add, xgpu_add_sat, xgpu_sub,
  xgpu_sub_sat, xgpu_average, xgpu_half_sum, xgpu_most, xgpu_least, xgpu_eq, xgpu_ne, xgpu_ge,
  xgpu_gt, xgpu_le, xgpu_lt, xgpu_add_most, xgpu_add_least, xgpu_most3, xgpu_least3
};

// The value for fields of type T, before it is cut to their size.
template <typename T> XGPU_BOTH long long xgpu_field(int op, long long a, long long b, long long c) {
  const bool is_signed = (T)-1 < 0;
  const long long low = is_signed ? -(1ll << (8 * sizeof(T) - 1)) : 0;
  const long long high = low + (1ll << 8 * sizeof(T)) - 1;
  long long v = 0;
  switch (op) {
  case xgpu_abs: return a < 0 ? -a : a;
  case xgpu_abs_sat: v = a < 0 ? -a : a; break;
  case xgpu_neg: return -a;
  case xgpu_neg_sat: v = -a; break;
  case xgpu_distance: return a < b ? b - a : a - b;
  case xgpu_add: return a + b;
  case xgpu_add_sat: v = a + b; break;
  case xgpu_sub: return a - b;
  case xgpu_sub_sat: v = a - b; break;
  // PTX ISA, vavrg: halves are rounded away from zero.
  case xgpu_average: return (a + b + (a + b >= 0)) >> 1;
  case xgpu_half_sum: return (a + b) >> 1;
  case xgpu_most: return a < b ? b : a;
  case xgpu_least: return b < a ? b : a;
  case xgpu_eq: return a == b;
  case xgpu_ne: return a != b;
  case xgpu_ge: return a >= b;
  case xgpu_gt: return a > b;
  case xgpu_le: return a <= b;
  case xgpu_lt: return a < b;
  case xgpu_add_most: a = (T)(a + b); return a < c ? c : a;
  case xgpu_add_least: a = (T)(a + b); return c < a ? c : a;
  case xgpu_most3: a = a < b ? b : a; return a < c ? c : a;
  case xgpu_least3: a = b < a ? b : a; return c < a ? c : a;
  }
  return v < low ? low : v > high ? high : v;
}

// Words of the results for all fields; each is multiplied by `by` (-1: all bits of a comparison),
// and is at least `floor`.
template <typename T>
XGPU_BOTH unsigned int xgpu_fields(int op, unsigned int x, unsigned int y = 0, unsigned int z = 0,
                                   int by = 1, long long floor = -1ll << 32) {
  unsigned int word = 0;
  for (int i = 0; i < 4 / (int)sizeof(T); ++i) {
    const int at = 8 * sizeof(T) * i;
    long long v = by * xgpu_field<T>(op, (T)(x >> at), (T)(y >> at), (T)(z >> at));
    v = v < floor ? floor : v;
    word |= ((unsigned int)v & (0xffffffffu >> (32 - 8 * sizeof(T)))) << at;
  }
  return word;
}
template <typename T> XGPU_DEVICE unsigned int xgpu_distances(unsigned int x, unsigned int y) {
  unsigned int sum = 0;
  for (int i = 0; i < 4 / (int)sizeof(T); ++i) {
    const int at = 8 * sizeof(T) * i;
    sum += (unsigned int)xgpu_field<T>(xgpu_distance, (T)(x >> at), (T)(y >> at), 0);
  }
  return sum;
}

#define XGPU_ONE(NAME, OP)                                                                     \
  XGPU_DEVICE unsigned int NAME##2(unsigned int x) { return xgpu_fields<short>(OP, x); }       \
  XGPU_DEVICE unsigned int NAME##4(unsigned int x) { return xgpu_fields<signed char>(OP, x); }
#define XGPU_TWO(NAME, HALF, BYTE, OP, BY)                                                     \
  XGPU_DEVICE unsigned int NAME##2(unsigned int x, unsigned int y) {                           \
    return xgpu_fields<HALF>(OP, x, y, 0, BY);                                                 \
  }                                                                                            \
  XGPU_DEVICE unsigned int NAME##4(unsigned int x, unsigned int y) {                           \
    return xgpu_fields<BYTE>(OP, x, y, 0, BY);                                                 \
  }
#define XGPU_SIGNED(NAME, OP, BY) XGPU_TWO(NAME, short, signed char, OP, BY)
#define XGPU_UNSIGNED(NAME, OP, BY) XGPU_TWO(NAME, unsigned short, unsigned char, OP, BY)
XGPU_ONE(__vabs, xgpu_abs)
XGPU_ONE(__vabsss, xgpu_abs_sat)
XGPU_ONE(__vneg, xgpu_neg)
XGPU_ONE(__vnegss, xgpu_neg_sat)
XGPU_SIGNED(__vabsdiffs, xgpu_distance, 1)
XGPU_UNSIGNED(__vabsdiffu, xgpu_distance, 1)
XGPU_UNSIGNED(__vadd, xgpu_add, 1)
XGPU_SIGNED(__vaddss, xgpu_add_sat, 1)
XGPU_UNSIGNED(__vaddus, xgpu_add_sat, 1)
XGPU_UNSIGNED(__vsub, xgpu_sub, 1)
XGPU_SIGNED(__vsubss, xgpu_sub_sat, 1)
XGPU_UNSIGNED(__vsubus, xgpu_sub_sat, 1)
XGPU_SIGNED(__vavgs, xgpu_average, 1)
XGPU_UNSIGNED(__vavgu, xgpu_average, 1)
XGPU_UNSIGNED(__vhaddu, xgpu_half_sum, 1)
XGPU_SIGNED(__vmaxs, xgpu_most, 1)
XGPU_UNSIGNED(__vmaxu, xgpu_most, 1)
XGPU_SIGNED(__vmins, xgpu_least, 1)
XGPU_UNSIGNED(__vminu, xgpu_least, 1)
XGPU_UNSIGNED(__vcmpeq, xgpu_eq, -1)
XGPU_UNSIGNED(__vcmpne, xgpu_ne, -1)
XGPU_UNSIGNED(__vseteq, xgpu_eq, 1)
XGPU_UNSIGNED(__vsetne, xgpu_ne, 1)
#define XGPU_COMPARE(NAME)                                                                     \
  XGPU_SIGNED(__vcmp##NAME##s, xgpu_##NAME, -1)                                                \
  XGPU_UNSIGNED(__vcmp##NAME##u, xgpu_##NAME, -1)                                              \
  XGPU_SIGNED(__vset##NAME##s, xgpu_##NAME, 1)                                                 \
  XGPU_UNSIGNED(__vset##NAME##u, xgpu_##NAME, 1)
XGPU_COMPARE(ge)
XGPU_COMPARE(gt)
XGPU_COMPARE(le)
XGPU_COMPARE(lt)
#undef XGPU_COMPARE
#undef XGPU_UNSIGNED
#undef XGPU_SIGNED
#undef XGPU_TWO
#undef XGPU_ONE
XGPU_DEVICE unsigned int __vsads2(unsigned int x, unsigned int y) {
  return xgpu_distances<short>(x, y);
}
XGPU_DEVICE unsigned int __vsads4(unsigned int x, unsigned int y) {
  return xgpu_distances<signed char>(x, y);
}
XGPU_DEVICE unsigned int __vsadu2(unsigned int x, unsigned int y) {
  return xgpu_distances<unsigned short>(x, y);
}
XGPU_DEVICE unsigned int __vsadu4(unsigned int x, unsigned int y) {
  return xgpu_distances<unsigned char>(x, y);
}

// -- sums and extremes of three, on words and halves, for the host too

#define XGPU_THREE(NAME, OP)                                                                   \
  XGPU_BOTH unsigned int NAME##_s16x2(unsigned int x, unsigned int y, unsigned int z) {        \
    return xgpu_fields<short>(OP, x, y, z);                                                    \
  }                                                                                            \
  XGPU_BOTH unsigned int NAME##_s16x2_relu(unsigned int x, unsigned int y, unsigned int z) {   \
    return xgpu_fields<short>(OP, x, y, z, 1, 0);                                              \
  }                                                                                            \
  XGPU_BOTH unsigned int NAME##_u16x2(unsigned int x, unsigned int y, unsigned int z) {        \
    return xgpu_fields<unsigned short>(OP, x, y, z);                                           \
  }                                                                                            \
  XGPU_BOTH int NAME##_s32(int x, int y, int z) { return xgpu_fields<int>(OP, x, y, z); }      \
  XGPU_BOTH int NAME##_s32_relu(int x, int y, int z) {                                         \
    return xgpu_fields<int>(OP, x, y, z, 1, 0);                                                \
  }                                                                                            \
  XGPU_BOTH unsigned int NAME##_u32(unsigned int x, unsigned int y, unsigned int z) {          \
    return xgpu_fields<unsigned int>(OP, x, y, z);                                             \
  }
XGPU_THREE(__viaddmax, xgpu_add_most)
XGPU_THREE(__viaddmin, xgpu_add_least)
XGPU_THREE(__vimax3, xgpu_most3)
XGPU_THREE(__vimin3, xgpu_least3)
#undef XGPU_THREE

// Of two; `first` says which is chosen, the first one of equal ones.
#define XGPU_CHOICE(NAME, OP, LESS)                                                            \
  XGPU_BOTH unsigned int __vi##NAME##_s16x2_relu(unsigned int x, unsigned int y) {             \
    return xgpu_fields<short>(OP, x, y, 0, 1, 0);                                              \
  }                                                                                            \
  XGPU_BOTH int __vi##NAME##_s32_relu(int x, int y) {                                          \
    return xgpu_fields<int>(OP, x, y, 0, 1, 0);                                                \
  }                                                                                            \
  XGPU_BOTH int __vib##NAME##_s32(int x, int y, bool *first) {                                 \
    return (*first = x LESS y) ? x : y;                                                        \
  }                                                                                            \
  XGPU_BOTH unsigned int __vib##NAME##_u32(unsigned int x, unsigned int y, bool *first) {      \
    return (*first = x LESS y) ? x : y;                                                        \
  }                                                                                            \
  XGPU_BOTH unsigned int __vib##NAME##_s16x2(unsigned int x, unsigned int y, bool *high,       \
                                             bool *low) {                                      \
    *high = (short)(x >> 16) LESS(short)(y >> 16), *low = (short)x LESS(short) y;              \
    return xgpu_fields<short>(OP, x, y);                                                       \
  }                                                                                            \
  XGPU_BOTH unsigned int __vib##NAME##_u16x2(unsigned int x, unsigned int y, bool *high,       \
                                             bool *low) {                                      \
    *high = x >> 16 LESS y >> 16, *low = (x & 0xffff) LESS(y & 0xffff);                        \
    return xgpu_fields<unsigned short>(OP, x, y);                                              \
  }
XGPU_CHOICE(max, xgpu_most, >=)
XGPU_CHOICE(min, xgpu_least, <=)
#undef XGPU_CHOICE
