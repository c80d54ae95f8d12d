// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's scans by key, sorts of segments, and histograms of several channels.
#include <cub/cub.cuh>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "check.h"

constexpr int N = 3000;

template <typename T> T *copied(const std::vector<T> &host) {
  T *p;
  OK(cudaMalloc(&p, host.size() * sizeof(T)));
  OK(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}
template <typename T> std::vector<T> back(const T *p, size_t count) {
  std::vector<T> host(count);
  OK(cudaMemcpy(host.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}
// Calls a function of CUB twice: for the size of temporary memory, and with it.
template <typename Call> void with_memory(Call call) {
  void *memory = nullptr;
  size_t bytes = 0;
  OK(call(memory, bytes));
  OK(cudaMalloc(&memory, bytes));
  OK(call(memory, bytes));
  OK(cudaFree(memory));
}
#define RUN(FUNCTION, ...)                                                                      \
  with_memory([&](void *memory, size_t &bytes) { return FUNCTION(memory, bytes, __VA_ARGS__); })

struct Most {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct SameTens {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

// What a scan by key is, one element after the other.
template <typename Op, typename Same>
std::vector<int> scanned(const std::vector<int> &keys, const std::vector<int> &values, Op op,
                         Same same, bool is_exclusive, int initial) {
  std::vector<int> found(N);
  int sum = initial;
  for (int i = 0; i < N; ++i) {
    bool begins = i == 0 || !same(keys[i - 1], keys[i]);
    if (is_exclusive) {
      if (begins) sum = initial;
      found[i] = sum, sum = op(sum, values[i]);
    } else {
      found[i] = sum = begins ? values[i] : op(sum, values[i]);
    }
  }
  return found;
}

void scans(const std::vector<int> &values) {
  std::vector<int> keys(N);
  for (int i = 0; i < N; ++i) keys[i] = i / (i % 500 < 40 ? 1 : 37);
  int *k = copied(keys), *v = copied(values), *out = copied(values);
  std::equal_to<int> same;
  std::plus<int> plus;
  RUN(cub::DeviceScan::ExclusiveSumByKey, k, v, out, N);
  CHECK(back(out, N) == scanned(keys, values, plus, same, true, 0));
  RUN(cub::DeviceScan::InclusiveSumByKey, k, v, out, N);
  CHECK(back(out, N) == scanned(keys, values, plus, same, false, 0));
  RUN(cub::DeviceScan::ExclusiveScanByKey, k, v, out, Most(), -9, N, SameTens());
  CHECK(back(out, N) == scanned(keys, values, Most(), SameTens(), true, -9));
  // In place.
  RUN(cub::DeviceScan::InclusiveScanByKey, k, v, v, Most(), N);
  CHECK(back(v, N) == scanned(keys, values, Most(), same, false, 0));
  for (int *p : {k, v, out}) OK(cudaFree(p));
}

void sorts(const std::vector<int> &values) {
  // One is empty, one has a single element, between two is a gap.
  const std::vector<int> bounds = {0, 10, 10, 500, 501, 1234, 2900};
  const int segments = 6;
  std::vector<int> places(N), begins(bounds.begin(), bounds.end() - 1);
  std::vector<int> ends(bounds.begin() + 1, bounds.end());
  ends[4] = 1200;
  std::iota(places.begin(), places.end(), 0);
  int *b = copied(begins), *e = copied(ends), *in = copied(values), *p = copied(places);
  int *out = copied(places), *moved = copied(places);
  auto expected = [&](auto less) {
    std::vector<int> order(places);
    for (int s = 0; s < segments; ++s)
      std::stable_sort(order.begin() + begins[s], order.begin() + ends[s],
                       [&](int i, int j) { return less(values[i], values[j]); });
    return order;
  };
  auto keys_of = [&](const std::vector<int> &order) {
    std::vector<int> keys(places);  // what is in no segment stays
    for (int s = 0; s < segments; ++s)
      for (int i = begins[s]; i < ends[s]; ++i) keys[i] = values[order[i]];
    return keys;
  };
  const auto up = expected(std::less<int>()), down = expected(std::greater<int>());
  RUN(cub::DeviceSegmentedRadixSort::SortKeys, in, out, N, segments, b, e);
  CHECK(back(out, N) == keys_of(up));
  RUN(cub::DeviceSegmentedRadixSort::SortPairsDescending, in, out, p, moved, N, segments, b, e);
  CHECK(back(out, N) == keys_of(down) && back(moved, N) == down);
  RUN(cub::DeviceSegmentedSort::StableSortPairs, in, out, p, moved, N, segments, b, e);
  CHECK(back(out, N) == keys_of(up) && back(moved, N) == up);
  RUN(cub::DeviceSegmentedSort::SortKeysDescending, in, out, N, segments, b, e);
  CHECK(back(out, N) == keys_of(down));
  const auto low = expected([](int x, int y) { return (x & 7) < (y & 7); });
  RUN(cub::DeviceSegmentedRadixSort::SortPairs, in, out, p, moved, N, segments, b, e, 0, 3);
  CHECK(back(moved, N) == low);
  cub::DoubleBuffer<int> keys(in, out), numbers(p, moved);
  RUN(cub::DeviceSegmentedSort::SortPairs, keys, numbers, N, segments, b, e);
  const auto sorted = back(keys.Current(), N), order = back(numbers.Current(), N);
  for (int s = 0; s < segments; ++s)
    for (int i = begins[s]; i < ends[s]; ++i)
      CHECK(sorted[i] == values[up[i]] && order[i] == up[i]);
  for (int *q : {b, e, in, p, out, moved}) OK(cudaFree(q));
}

void channels() {
  constexpr int PIXELS = 500;
  std::vector<unsigned char> pixels(4 * PIXELS);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = i * i % 251;
  unsigned char *in = copied(pixels);
  const std::vector<int> bounds = {10, 20, 100, 250};
  int *counts[3], *levels[3], bins[3] = {3, 5, 6}, lower[3] = {0, 0, 10}, upper[3] = {100, 256, 70};
  for (int c = 0; c < 3; ++c) {
    OK(cudaMalloc(&counts[c], 8 * sizeof(int)));
    levels[c] = copied(bounds);
  }
  auto even = [&](void *memory, size_t &bytes) {
    return cub::DeviceHistogram::MultiHistogramEven<4, 3>(memory, bytes, in, counts, bins, lower,
                                                          upper, PIXELS);
  };
  with_memory(even);
  for (int c = 0; c < 3; ++c) {
    std::vector<int> expected(bins[c] - 1);
    for (int i = 0; i < PIXELS; ++i) {
      int v = pixels[4 * i + c];
      if (v >= lower[c] && v < upper[c])
        ++expected[(v - lower[c]) * (bins[c] - 1) / (upper[c] - lower[c])];
    }
    CHECK(back(counts[c], bins[c] - 1) == expected);
  }
  int sizes[3] = {4, 4, 4};
  auto range = [&](void *memory, size_t &bytes) {
    return cub::DeviceHistogram::MultiHistogramRange<4, 3>(memory, bytes, in, counts, sizes,
                                                           levels, PIXELS);
  };
  with_memory(range);
  for (int c = 0; c < 3; ++c) {
    std::vector<int> expected(3);
    for (int i = 0; i < PIXELS; ++i)
      for (int n = 0; n < 3; ++n)
        expected[n] += pixels[4 * i + c] >= bounds[n] && pixels[4 * i + c] < bounds[n + 1];
    CHECK(back(counts[c], 3) == expected);
    OK(cudaFree(counts[c]));
    OK(cudaFree(levels[c]));
  }
  OK(cudaFree(in));
}

int main() {
  std::vector<int> values(N);
  for (int i = 0; i < N; ++i) values[i] = i * 31 % 17 - 5;
  scans(values);
  sorts(values);
  channels();
  puts("PASS");
}
