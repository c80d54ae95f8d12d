// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in kernels, with the interface of cuRAND: the generators XORWOW (Marsaglia, Xorshift
// RNGs, 2003) and Philox4x32-10 (Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as
// 1, 2, 3, 2011). Each state belongs to one thread.
#pragma once
#include <cuda_runtime.h>
#include <xgpu/curand_jumps.h>
#ifndef __CUDA__
#include <math.h>
#endif

// -- what is not here: its use is an error that says so

#define XGPU_NO_GENERATOR(NAME)                                                                \
  struct __attribute__((unavailable("xgpu has the generators XORWOW and Philox"))) NAME {};    \
  typedef struct NAME NAME##_t                                                                 \
      __attribute__((unavailable("xgpu has the generators XORWOW and Philox")));
XGPU_NO_GENERATOR(curandStateMRG32k3a)
XGPU_NO_GENERATOR(curandStateMtgp32)
XGPU_NO_GENERATOR(curandStateSobol32)
XGPU_NO_GENERATOR(curandStateSobol64)
XGPU_NO_GENERATOR(curandStateScrambledSobol32)
XGPU_NO_GENERATOR(curandStateScrambledSobol64)
#undef XGPU_NO_GENERATOR

// -- XORWOW

// The second number of a pair of normal ones is kept for the next call, so a state is an array of
// words and of what is kept.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace xgpu_curand {

constexpr int XORWOW_SEQUENCE = 67;     // sequences lie 2^67 numbers apart
constexpr unsigned int WEYL = 362437u;  // what a step adds to the other part of a state

#ifdef __CUDA_ARCH__
static __constant__ const unsigned int JUMPS[][5] = {XGPU_CURAND_JUMPS};
#else
static const unsigned int JUMPS[][5] = {XGPU_CURAND_JUMPS};
#endif

XGPU_BOTH void xorwow_step(unsigned int *v) {
  unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

// Make n << first steps: the sum of the states that a polynomial names, for each bit of n.
XGPU_BOTH void xorwow_jump(unsigned int *v, unsigned long long n, int first) {
  for (; n != 0; n >>= 1, ++first) {
    if ((n & 1) == 0) continue;
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < 160; ++i) {
      unsigned int mask = 0u - (JUMPS[first][i >> 5] >> (i & 31) & 1u);
      for (int word = 0; word < 5; ++word) sum[word] ^= mask & v[word];
      xorwow_step(v);
    }
    for (int word = 0; word < 5; ++word) v[word] = sum[word];
  }
}

}  // namespace xgpu_curand

XGPU_BOTH void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  xgpu_curand::xorwow_jump(state->v, n, 0);
  state->d += xgpu_curand::WEYL * (unsigned int)n;
}

// A whole number of periods of the Weyl sequence, so that part stays.
XGPU_BOTH void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  xgpu_curand::xorwow_jump(state->v, n, xgpu_curand::XORWOW_SEQUENCE);
}

XGPU_BOTH void curand_init(unsigned long long seed, unsigned long long sequence,
                           unsigned long long offset, curandStateXORWOW_t *state) {
  unsigned int low = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
  unsigned int high = ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  *state = curandStateXORWOW{};
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}

XGPU_BOTH unsigned int curand(curandStateXORWOW_t *state) {
  xgpu_curand::xorwow_step(state->v);
  return state->v[4] + (state->d += xgpu_curand::WEYL);
}

// -- Philox

// A block of four numbers is a function of `ctr` and `key`; `STATE` is how many of `output` have
// been used.
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace xgpu_curand {

XGPU_BOTH uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter = uint4{(unsigned int)(b >> 32) ^ counter.y ^ key.x, (unsigned int)b,
                    (unsigned int)(a >> 32) ^ counter.w ^ key.y, (unsigned int)a};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

// Words x and y of the counter count blocks, z and w sequences.
XGPU_BOTH void philox_add(unsigned int &low, unsigned int &high, unsigned long long n) {
  unsigned long long sum = ((unsigned long long)high << 32 | low) + n;
  low = (unsigned int)sum;
  high = (unsigned int)(sum >> 32);
}

XGPU_BOTH void philox_forward(curandStatePhilox4_32_10_t *state, unsigned long long blocks) {
  unsigned long long before = (unsigned long long)state->ctr.y << 32 | state->ctr.x;
  philox_add(state->ctr.x, state->ctr.y, blocks);
  if (before + blocks < before) philox_add(state->ctr.z, state->ctr.w, 1);
}

XGPU_BOTH unsigned int element(uint4 v, unsigned int at) {
  return at == 0 ? v.x : at == 1 ? v.y : at == 2 ? v.z : v.w;
}

}  // namespace xgpu_curand

XGPU_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  state->STATE += (unsigned int)(n & 3);
  xgpu_curand::philox_forward(state, (n >> 2) + (state->STATE >> 2));
  state->STATE &= 3;
  state->output = xgpu_curand::philox(state->ctr, state->key);
}

XGPU_BOTH void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  xgpu_curand::philox_add(state->ctr.z, state->ctr.w, n);
  state->output = xgpu_curand::philox(state->ctr, state->key);
}

XGPU_BOTH void curand_init(unsigned long long seed, unsigned long long sequence,
                           unsigned long long offset, curandStatePhilox4_32_10_t *state) {
  *state = curandStatePhilox4_32_10{};
  state->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}

XGPU_BOTH unsigned int curand(curandStatePhilox4_32_10_t *state) {
  unsigned int found = xgpu_curand::element(state->output, state->STATE++);
  if (state->STATE == 4) {
    state->STATE = 0;
    xgpu_curand::philox_forward(state, 1);
    state->output = xgpu_curand::philox(state->ctr, state->key);
  }
  return found;
}

// The next four numbers: what is left of a block, and the rest of the next one.
XGPU_BOTH uint4 curand4(curandStatePhilox4_32_10_t *state) {
  uint4 before = state->output;
  xgpu_curand::philox_forward(state, 1);
  state->output = xgpu_curand::philox(state->ctr, state->key);
  uint4 after = state->output;
  switch (state->STATE) {
    case 0: return before;
    case 1: return uint4{before.y, before.z, before.w, after.x};
    case 2: return uint4{before.z, before.w, after.x, after.y};
    default: return uint4{before.w, after.x, after.y, after.z};
  }
}

// -- distributions

namespace xgpu_curand {

// The middle of each of 2^32 (2^53) parts: above 0, up to 1.
XGPU_BOTH float uniform(unsigned int x) { return (float)x * 0x1p-32f + 0x1p-33f; }
XGPU_BOTH double uniform(unsigned int x, unsigned int y) {
  return (double)((unsigned long long)x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

constexpr float TURN = 6.2831853071795864769f;
constexpr double TURN_DOUBLE = 6.2831853071795864769;

// Two normal numbers of two uniform ones (Box, Muller, 1958).
XGPU_BOTH float2 normal(unsigned int x, unsigned int y) {
  float2 found;
  float length = sqrtf(-2.0f * logf(uniform(x)));
  sincosf((float)y * (0x1p-32f * TURN) + 0x1p-33f * TURN, &found.x, &found.y);
  found.x *= length;
  found.y *= length;
  return found;
}
XGPU_BOTH double2 normal(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
  double2 found;
  double length = sqrt(-2.0 * log(uniform(x, y)));
  sincos(uniform(z, w) * TURN_DOUBLE, &found.x, &found.y);
  found.x *= length;
  found.y *= length;
  return found;
}

}  // namespace xgpu_curand

#ifdef __CUDA__
namespace xgpu_curand {

// The logarithm of n!: Stirling's series behind the first values.
XGPU_DEVICE double log_factorial(double n) {
  double added = 0.0;
  for (; n < 10.0; n += 1.0) added -= log(n + 1.0);
  double m = n + 1.0, inverse = 1.0 / (m * m);
  double series = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260))) / m;
  return added + (m - 0.5) * log(m) - m + 0.91893853320467274178 + series;
}

// By multiplication for small means, else by transformed rejection (PTRS of Hoermann, The
// transformed rejection method for generating Poisson random variables, 1993).
template <typename State> XGPU_DEVICE unsigned int poisson(State *state, double mean) {
  if (mean < 10.0) {
    double least = exp(-mean), product = uniform(curand(state));
    unsigned int count = 0;
    for (; product > least; ++count) product *= uniform(curand(state));
    return count;
  }
  double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  double alpha = 1.1239 + 1.1328 / (b - 3.4), most = 0.9277 - 3.6224 / (b - 2.0);
  double log_mean = log(mean);
  for (;;) {
    double u = (double)uniform(curand(state)) - 0.5, v = uniform(curand(state));
    double us = 0.5 - fabs(u), k = floor((2.0 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= most) return (unsigned int)k;
    if (k < 0.0 || (us < 0.013 && v > us)) continue;
    double bound = k * log_mean - mean - log_factorial(k);
    if (log(v * alpha / (a / (us * us) + b)) <= bound) return (unsigned int)k;
  }
}

}  // namespace xgpu_curand

#define XGPU_DISTRIBUTIONS(STATE)                                                              \
  XGPU_DEVICE float curand_uniform(STATE *state) {                                             \
    return xgpu_curand::uniform(curand(state));                                                \
  }                                                                                            \
  XGPU_DEVICE double curand_uniform_double(STATE *state) {                                     \
    unsigned int x = curand(state);                                                            \
    return xgpu_curand::uniform(x, curand(state));                                             \
  }                                                                                            \
  XGPU_DEVICE float2 curand_normal2(STATE *state) {                                            \
    unsigned int x = curand(state);                                                            \
    return xgpu_curand::normal(x, curand(state));                                              \
  }                                                                                            \
  XGPU_DEVICE double2 curand_normal2_double(STATE *state) {                                    \
    unsigned int x = curand(state), y = curand(state), z = curand(state);                      \
    return xgpu_curand::normal(x, y, z, curand(state));                                        \
  }                                                                                            \
  XGPU_DEVICE float curand_normal(STATE *state) {                                              \
    if ((state->boxmuller_flag ^= 1) == 0) return state->boxmuller_extra;                      \
    float2 both = curand_normal2(state);                                                       \
    state->boxmuller_extra = both.y;                                                           \
    return both.x;                                                                             \
  }                                                                                            \
  XGPU_DEVICE double curand_normal_double(STATE *state) {                                      \
    if ((state->boxmuller_flag_double ^= 1) == 0) return state->boxmuller_extra_double;        \
    double2 both = curand_normal2_double(state);                                               \
    state->boxmuller_extra_double = both.y;                                                    \
    return both.x;                                                                             \
  }                                                                                            \
  XGPU_DEVICE float curand_log_normal(STATE *state, float mean, float deviation) {             \
    return expf(mean + deviation * curand_normal(state));                                      \
  }                                                                                            \
  XGPU_DEVICE float2 curand_log_normal2(STATE *state, float mean, float deviation) {           \
    float2 both = curand_normal2(state);                                                       \
    return float2{expf(mean + deviation * both.x), expf(mean + deviation * both.y)};           \
  }                                                                                            \
  XGPU_DEVICE double curand_log_normal_double(STATE *state, double mean, double deviation) {   \
    return exp(mean + deviation * curand_normal_double(state));                                \
  }                                                                                            \
  XGPU_DEVICE double2 curand_log_normal2_double(STATE *state, double mean, double deviation) { \
    double2 both = curand_normal2_double(state);                                               \
    return double2{exp(mean + deviation * both.x), exp(mean + deviation * both.y)};            \
  }                                                                                            \
  XGPU_DEVICE unsigned int curand_poisson(STATE *state, double mean) {                         \
    return xgpu_curand::poisson(state, mean);                                                  \
  }
XGPU_DISTRIBUTIONS(curandStateXORWOW_t)
XGPU_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
#undef XGPU_DISTRIBUTIONS

XGPU_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return float4{xgpu_curand::uniform(x.x), xgpu_curand::uniform(x.y), xgpu_curand::uniform(x.z),
                xgpu_curand::uniform(x.w)};
}
XGPU_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return double2{xgpu_curand::uniform(x.x, x.y), xgpu_curand::uniform(x.z, x.w)};
}
XGPU_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  float2 a = xgpu_curand::normal(x.x, x.y), b = xgpu_curand::normal(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}
XGPU_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean,
                                      float deviation) {
  float4 x = curand_normal4(state);
  return float4{expf(mean + deviation * x.x), expf(mean + deviation * x.y),
                expf(mean + deviation * x.z), expf(mean + deviation * x.w)};
}
XGPU_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean) {
  unsigned int x = curand_poisson(state, mean), y = curand_poisson(state, mean);
  unsigned int z = curand_poisson(state, mean);
  return uint4{x, y, z, curand_poisson(state, mean)};
}
#endif
