// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers of kernels and of the host: known answers, jumps, moments, wrong calls.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <vector>

#include "check.h"

// Of 2^32 parts the first numbers of the first sequences, which cuRAND's guide prints for seed 1234.
const float FIRST[] = {0.145468f, 0.820181f, 0.550399f, 0.294830f, 0.914733f,
                       0.868979f, 0.321921f, 0.782857f, 0.011302f, 0.285450f};

template <typename State> __global__ void jumps(unsigned int *differs, int steps) {
  State one, other;
  unsigned long long sequence = threadIdx.x + 1;
  curand_init(77, sequence, 0, &one);
  for (int i = 0; i < steps; ++i) curand(&one);
  curand_init(77, 0, 2, &other);
  skipahead_sequence(sequence, &other);
  skipahead(steps - 2, &other);
  for (int i = 0; i < 9; ++i) differs[threadIdx.x] += curand(&one) != curand(&other);
}

__global__ void fours(unsigned int *found, unsigned int *differs) {
  curandStatePhilox4_32_10_t one, other;
  curand_init(0, 0, 0, &one);
  for (int i = 0; i < 4; ++i) found[i] = curand(&one);
  for (int skipped = 0; skipped < 4; ++skipped) {
    curand_init(5, 6, skipped, &one);
    other = one;
    uint4 four = curand4(&one);
    differs[0] += four.x != curand(&other) || four.y != curand(&other) || four.z != curand(&other) ||
                  four.w != curand(&other) || curand(&one) != curand(&other);
  }
}

// Sums of numbers and of their squares.
template <typename State> __global__ void moments(double *sums, int count) {
  State state;
  curand_init(7, blockIdx.x * blockDim.x + threadIdx.x, 3, &state);
  double found[10] = {};
  for (int i = 0; i < count; ++i) {
    double values[] = {curand_uniform_double(&state), curand_normal(&state),
                       curand_normal_double(&state), (double)curand_poisson(&state, 4.0),
                       (double)curand_poisson(&state, 50.0)};
    for (int kind = 0; kind < 5; ++kind) {
      found[2 * kind] += values[kind];
      found[2 * kind + 1] += values[kind] * values[kind];
    }
  }
  for (int i = 0; i < 10; ++i) atomicAdd(&sums[i], found[i]);
}

__global__ void firsts(float *out) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_uniform(&state);
}

template <typename State> void check_moments(double *sums) {
  const int BLOCKS = 8, THREADS = 64, COUNT = 40;
  const double MEANS[] = {0.5, 0, 0, 4, 50}, VARIANCES[] = {1.0 / 12, 1, 1, 4, 50};
  OK(cudaMemset(sums, 0, 80));
  moments<State><<<BLOCKS, THREADS>>>(sums, COUNT);
  OK(cudaDeviceSynchronize());
  const double n = BLOCKS * THREADS * COUNT;
  for (int kind = 0; kind < 5; ++kind) {
    double mean = sums[2 * kind] / n, variance = sums[2 * kind + 1] / n - mean * mean;
    CHECK(std::fabs(mean - MEANS[kind]) < 5 * std::sqrt(VARIANCES[kind] / n));
    CHECK(std::fabs(variance / VARIANCES[kind] - 1) < 0.06);
  }
}

int main() {
  unsigned int *words;
  float *numbers;
  double *sums;
  OK(cudaMallocManaged(&words, 64 * sizeof(int)));
  OK(cudaMallocManaged(&numbers, 10000 * sizeof(float)));
  OK(cudaMallocManaged(&sums, 10 * sizeof(double)));

  // Of Random123, for a counter and a key of zeros.
  const unsigned int KNOWN[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  OK(cudaMemset(words, 0, 64 * sizeof(int)));
  fours<<<1, 1>>>(words, words + 4);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) CHECK(words[i] == KNOWN[i]);
  CHECK(words[4] == 0);

  OK(cudaMemset(words, 0, 64 * sizeof(int)));
  jumps<curandState><<<1, 8>>>(words, 1000);
  jumps<curandStatePhilox4_32_10_t><<<1, 8>>>(words + 8, 1000);
  firsts<<<1, 10>>>(numbers);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) CHECK(words[i] == 0);
  for (int i = 0; i < 10; ++i) CHECK(std::fabs(numbers[i] - FIRST[i]) < 1e-6f);
  check_moments<curandState>(sums);
  check_moments<curandStatePhilox4_32_10_t>(sums);

  curandGenerator_t generator, host;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(generator, numbers, 5000) == CURAND_STATUS_SUCCESS);
  for (int i = 0; i < 10; ++i) CHECK(std::fabs(numbers[i] - FIRST[i]) < 1e-6f);
  // The next call goes on where the last one ended, as an offset does.
  CHECK(curandGenerateUniform(generator, numbers, 100) == CURAND_STATUS_SUCCESS);
  std::vector<float> after(100);
  CHECK(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_XORWOW) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(host, 1234) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetGeneratorOffset(host, 5000) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(host, after.data(), 100) == CURAND_STATUS_SUCCESS);
  for (int i = 0; i < 100; ++i) CHECK(after[i] == numbers[i]);
  CHECK(curandGenerateNormal(generator, numbers, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGenerateNormal(generator, numbers, 10000, 1, 2) == CURAND_STATUS_SUCCESS);
  double sum = 0, squares = 0;
  for (int i = 0; i < 10000; ++i) {
    sum += numbers[i];
    squares += (numbers[i] - 1) * (numbers[i] - 1);
  }
  CHECK(std::fabs(sum / 10000 - 1) < 0.1 && std::fabs(squares / 10000 - 4) < 0.3);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(host) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(nullptr, numbers, 1) == CURAND_STATUS_NOT_INITIALIZED);
  OK(cudaFree(words));
  OK(cudaFree(numbers));
  OK(cudaFree(sums));
  puts("PASS");
}
