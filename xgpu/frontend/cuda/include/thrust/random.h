// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust's random numbers, on the host and in kernels: engines, and distributions of them.
#pragma once
#include <cuda_runtime.h>

#ifdef XGPU_WHOLE_PROGRAM
#include <cmath>
#include <limits>

namespace thrust {

namespace random {
// The states of a linear congruential engine: x * A + C modulo M.
template <typename T, T A, T C, T M> class linear_congruential_engine {
 public:
  typedef T result_type;
  static const result_type multiplier = A, increment = C, modulus = M;
  static const result_type default_seed = 1, min = C == 0 ? 1 : 0, max = M - 1;
  __host__ __device__ explicit linear_congruential_engine(result_type s = default_seed) { seed(s); }
  __host__ __device__ void seed(result_type s = default_seed) {
    x = C % M == 0 && s % M == 0 ? 1 : s % M;
  }
  __host__ __device__ result_type operator()() {
    return x = (result_type)(((unsigned long long)x * A + C) % M);
  }
  // What A^n and the sum of lower powers do to a state, by squares.
  __host__ __device__ void discard(unsigned long long n) {
    unsigned long long factor = A, term = C, a = 1, c = 0;
    for (; n; n >>= 1) {
      if (n & 1) a = a * factor % M, c = (c * factor + term) % M;
      term = (term * factor + term) % M;
      factor = factor * factor % M;
    }
    x = (result_type)((x * a + c) % M);
  }

 private:
  result_type x;
};
typedef linear_congruential_engine<unsigned int, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned int, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

template <typename T = double> class uniform_real_distribution {
 public:
  typedef T result_type;
  __host__ __device__ explicit uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b) {}
  __host__ __device__ T a() const { return low; }
  __host__ __device__ T b() const { return high; }
  template <typename E> __host__ __device__ T operator()(E &engine) {
    T found = T(engine() - E::min) / (T(1) + T(E::max - E::min));
    return found * (high - low) + low;
  }

 private:
  T low, high;
};
template <typename T = int> class uniform_int_distribution {
 public:
  typedef T result_type;
  __host__ __device__ explicit uniform_int_distribution(
      T a = 0, T b = std::numeric_limits<T>::max())
      : low(a), high(b) {}
  __host__ __device__ T a() const { return low; }
  __host__ __device__ T b() const { return high; }
  template <typename E> __host__ __device__ T operator()(E &engine) {
    return T(uniform_real_distribution<double>(low, double(high) + 1)(engine));
  }

 private:
  T low, high;
};
}  // namespace random
using namespace random;

}  // namespace thrust

#endif
