// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of random numbers, with the interface of cuRAND for the host: XORWOW, which is the default,
// and Philox. The numbers are made by the host and copied in the order of the generator's stream.
#pragma once
#include <curand_kernel.h>

#ifndef __cplusplus
#error "curand.h of xgpu needs C++"
#endif
#include <cmath>
#include <new>
#include <type_traits>
#include <vector>

#define CURAND_VERSION 10400
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0

enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
};
typedef enum curandStatus curandStatus_t;
typedef enum curandRngType curandRngType_t;
typedef enum curandOrdering curandOrdering_t;

// XORWOW has 4096 sequences that take turns, Philox has one.
struct curandGenerator_st {
  static constexpr unsigned long long SEQUENCES = 4096;

  bool is_philox, is_of_host;
  unsigned long long seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  std::vector<curandStateXORWOW> xorwow;  // empty until the first number
  curandStatePhilox4_32_10 philox;
  unsigned long long turn = 0;
  bool is_ready = false;

  void prepare() {
    if (is_ready) return;
    if (is_philox) {
      curand_init(seed, 0, offset, &philox);
    } else {
      xorwow.resize(SEQUENCES);
      curand_init(seed, 0, offset / SEQUENCES, &xorwow[0]);
      for (unsigned long long i = 1; i < SEQUENCES; ++i) {
        xorwow[i] = xorwow[i - 1];
        skipahead_sequence(1, &xorwow[i]);
      }
      turn = offset % SEQUENCES;
      for (unsigned long long i = 0; i < turn; ++i) curand(&xorwow[i]);
    }
    is_ready = true;
  }

  // The words of one result; they come from one sequence.
  template <int COUNT> void draw(unsigned int *words) {
    for (int i = 0; i < COUNT; ++i) words[i] = is_philox ? curand(&philox) : curand(&xorwow[turn]);
    turn = (turn + 1) % SEQUENCES;
  }
};
typedef struct curandGenerator_st *curandGenerator_t;

namespace xgpu_curand {

// Fill an array by `next`, which writes `group` elements at a time.
template <typename T, typename Next>
curandStatus_t fill(curandGenerator_t g, T *out, size_t count, size_t group, Next next) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (count % group != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  try {
    g->prepare();
    std::vector<T> made(count);
    for (size_t i = 0; i < count; i += group) next(&made[i]);
    if (g->is_of_host) {
      for (size_t i = 0; i < count; ++i) out[i] = made[i];
      return CURAND_STATUS_SUCCESS;
    }
    // `made` ends with this function.
    cudaError_t error =
        cudaMemcpyAsync(out, made.data(), count * sizeof(T), cudaMemcpyDefault, g->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(g->stream);
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
  } catch (const std::bad_alloc &) {
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
}

template <typename T> void uniform_of(curandGenerator_t g, T *out) {
  if constexpr (std::is_same_v<T, float>) {
    unsigned int x;
    g->template draw<1>(&x);
    *out = uniform(x);
  } else {
    unsigned int x[2];
    g->template draw<2>(x);
    *out = uniform(x[0], x[1]);
  }
}

template <typename T> void normal_of(curandGenerator_t g, T *out) {
  if constexpr (std::is_same_v<T, float>) {
    unsigned int x[2];
    g->template draw<2>(x);
    float2 both = normal(x[0], x[1]);
    out[0] = both.x, out[1] = both.y;
  } else {
    unsigned int x[4];
    g->template draw<4>(x);
    double2 both = normal(x[0], x[1], x[2], x[3]);
    out[0] = both.x, out[1] = both.y;
  }
}

template <typename T>
curandStatus_t normals(curandGenerator_t g, T *out, size_t count, T mean, T deviation,
                       bool is_log) {
  return fill(g, out, count, 2, [=](T *at) {
    normal_of(g, at);
    for (int i = 0; i < 2; ++i) {
      at[i] = mean + deviation * at[i];
      if (is_log) at[i] = std::exp(at[i]);
    }
  });
}

inline curandStatus_t create(curandGenerator_t *made, curandRngType_t type, bool is_of_host) {
  bool is_philox = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
  if (made == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  if (!is_philox && type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW)
    return CURAND_STATUS_TYPE_ERROR;
  auto *g = new (std::nothrow) curandGenerator_st{is_philox, is_of_host};
  if (g == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
  *made = g;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace xgpu_curand

inline curandStatus_t curandCreateGenerator(curandGenerator_t *made, curandRngType_t type) {
  return xgpu_curand::create(made, type, false);
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *made, curandRngType_t type) {
  return xgpu_curand::create(made, type, true);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  delete g;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int *version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g,
                                                         unsigned long long seed) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  g->seed = seed;
  g->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  g->offset = offset;
  g->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}
// All orders of pseudorandom numbers are one here.
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  bool is_known = order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
  return is_known ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  try {
    g->prepare();
  } catch (const std::bad_alloc &) {
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
  return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned int *out, size_t count) {
  return xgpu_curand::fill(g, out, count, 1, [=](unsigned int *at) { g->draw<1>(at); });
}
// Numbers of 64 bits are those of quasirandom generators.
inline curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *, size_t) {
  return g == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_TYPE_ERROR;
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t count) {
  return xgpu_curand::fill(g, out, count, 1, [=](float *at) { xgpu_curand::uniform_of(g, at); });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t count) {
  return xgpu_curand::fill(g, out, count, 1, [=](double *at) { xgpu_curand::uniform_of(g, at); });
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t count,
                                           float mean, float deviation) {
  return xgpu_curand::normals(g, out, count, mean, deviation, false);
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t count,
                                                 double mean, double deviation) {
  return xgpu_curand::normals(g, out, count, mean, deviation, false);
}
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t count,
                                              float mean, float deviation) {
  return xgpu_curand::normals(g, out, count, mean, deviation, true);
}
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t count,
                                                    double mean, double deviation) {
  return xgpu_curand::normals(g, out, count, mean, deviation, true);
}
