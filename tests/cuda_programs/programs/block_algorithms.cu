// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUB's blocks do with several values of each thread, and its algorithms over arrays.
#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "check.h"

constexpr int THREADS = 96, ITEMS = 3, COUNT = THREADS * ITEMS;  // no power of two

__device__ int shuffled(int i) { return i * 77 % COUNT; }

__global__ void sorts(float *keys, int *values, float *down, int *low_bits) {
  typedef cub::BlockLoad<float, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> Load;
  typedef cub::BlockStore<int, THREADS, ITEMS> Store;
  typedef cub::BlockRadixSort<float, THREADS, ITEMS, int> Sort;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Sort::TempStorage sort;
  } room;
  float key[ITEMS];
  int value[ITEMS];
  Load(room.load).Load(keys, key);
  for (int i = 0; i < ITEMS; ++i) value[i] = threadIdx.x * ITEMS + i;
  __syncthreads();
  Sort(room.sort).Sort(key, value);
  cub::StoreDirectBlocked(threadIdx.x, keys, key);
  __syncthreads();
  Store(room.store).Store(values, value);
  __syncthreads();
  Sort(room.sort).SortDescendingBlockedToStriped(key, value);
  cub::StoreDirectStriped<THREADS>(threadIdx.x, down, key);

  typedef cub::BlockRadixSort<int, THREADS, ITEMS> Bits;
  __shared__ Bits::TempStorage bits;
  int number[ITEMS];
  for (int i = 0; i < ITEMS; ++i) number[i] = shuffled(threadIdx.x * ITEMS + i);
  Bits(bits).Sort(number, 4, 6);
  cub::StoreDirectBlocked(threadIdx.x, low_bits, number);
}

__global__ void exchanges(int *out, int *heads, int *differences, unsigned *counts) {
  typedef cub::BlockExchange<int, THREADS, ITEMS> Exchange;
  typedef cub::WarpExchange<int, ITEMS> WarpExchange;
  typedef cub::BlockDiscontinuity<int, THREADS> Discontinuity;
  typedef cub::BlockAdjacentDifference<int, THREADS> Adjacent;
  typedef cub::BlockHistogram<int, THREADS, ITEMS, 8> Histogram;
  __shared__ Exchange::TempStorage room;
  __shared__ WarpExchange::TempStorage rooms[THREADS / 32];
  __shared__ Discontinuity::TempStorage discontinuity;
  __shared__ Adjacent::TempStorage adjacent;
  __shared__ Histogram::TempStorage histogram;
  __shared__ unsigned bins[8];
  int a[ITEMS], b[ITEMS], ranks[ITEMS], first = threadIdx.x * ITEMS;
  for (int i = 0; i < ITEMS; ++i) a[i] = first + i;
  Exchange(room).BlockedToStriped(a, b);
  for (int i = 0; i < ITEMS; ++i) out[first + i] = b[i];
  Exchange(room).StripedToBlocked(b);
  for (int i = 0; i < ITEMS; ++i) out[COUNT + first + i] = b[i];
  for (int i = 0; i < ITEMS; ++i) ranks[i] = COUNT - 1 - first - i;
  Exchange(room).ScatterToBlocked(b, ranks);
  for (int i = 0; i < ITEMS; ++i) out[2 * COUNT + first + i] = b[i];
  WarpExchange(rooms[threadIdx.x / 32]).BlockedToStriped(a, b);
  for (int i = 0; i < ITEMS; ++i) out[3 * COUNT + first + i] = b[i];

  for (int i = 0; i < ITEMS; ++i) a[i] = (first + i) / 7;
  Discontinuity(discontinuity).FlagHeads(b, a, cub::Inequality());
  for (int i = 0; i < ITEMS; ++i) heads[first + i] = b[i];
  for (int i = 0; i < ITEMS; ++i) a[i] = (first + i) * (first + i);
  Adjacent(adjacent).SubtractLeft(a, b, cub::Difference());
  for (int i = 0; i < ITEMS; ++i) differences[first + i] = b[i];
  for (int i = 0; i < ITEMS; ++i) a[i] = (first + i) % 5;
  Histogram(histogram).Histogram(a, bins);
  if (threadIdx.x < 8) counts[threadIdx.x] = bins[threadIdx.x];
}

template <typename T> struct Array {
  T *place;
  int count;
  explicit Array(int count) : count(count) { OK(cudaMallocManaged(&place, count * sizeof(T))); }
  Array(std::initializer_list<T> values) : Array(int(values.size())) {
    std::copy(values.begin(), values.end(), place);
  }
  ~Array() { cudaFree(place); }
  operator T *() { return place; }
  bool begins(std::initializer_list<T> values) {
    return std::equal(values.begin(), values.end(), place);
  }
};

// A call that asks for its memory, and a call with it. It has no results before the host waits.
template <typename F> void run(F f) {
  size_t bytes = 0;
  void *memory = nullptr;
  OK(f(memory, bytes));
  OK(cudaMalloc(&memory, bytes));
  OK(f(memory, bytes));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(memory));
}
#define RUN(...) run([&](void *memory, size_t &bytes) { return cub::__VA_ARGS__; })

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2; }
};
struct Square {
  __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
struct Later {
  __host__ __device__ bool operator()(int a, int b) const { return b < a; }
};

void blocks() {
  Array<float> keys(COUNT), down(COUNT);
  Array<int> values(COUNT), low(COUNT), out(4 * COUNT), heads(COUNT), differences(COUNT);
  Array<unsigned> counts(8);
  std::vector<float> old(COUNT);
  for (int i = 0; i < COUNT; ++i) old[i] = keys[i] = float(i * 77 % COUNT / 2 - 60) / 4;
  sorts<<<1, THREADS>>>(keys, values, down, low);
  exchanges<<<1, THREADS>>>(out, heads, differences, counts);
  OK(cudaDeviceSynchronize());
  std::vector<int> order(COUNT), numbers(COUNT);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return old[a] < old[b]; });
  CHECK(std::equal(order.begin(), order.end(), values.place));
  std::sort(old.begin(), old.end());
  CHECK(std::equal(old.begin(), old.end(), keys.place));
  CHECK(std::equal(old.rbegin(), old.rend(), down.place));
  for (int i = 0; i < COUNT; ++i) numbers[i] = i * 77 % COUNT;
  std::stable_sort(numbers.begin(), numbers.end(),
                   [](int a, int b) { return (a >> 4 & 3) < (b >> 4 & 3); });
  CHECK(std::equal(numbers.begin(), numbers.end(), low.place));
  for (int i = 0; i < COUNT; ++i) {
    int thread = i / ITEMS, round = i % ITEMS;
    CHECK(out[i] == round * THREADS + thread && out[COUNT + i] == i);
    CHECK(out[2 * COUNT + i] == COUNT - 1 - i);
    CHECK(out[3 * COUNT + i] == thread / 32 * 32 * ITEMS + round * 32 + thread % 32);
    CHECK(heads[i] == (i % 7 == 0) && differences[i] == (i ? 2 * i - 1 : 0));
  }
  CHECK(counts.begins({58, 58, 58, 57, 57, 0, 0, 0}));
}

template <typename T, typename Bits> bool twiddles(T key, Bits bits) {
  Bits own;
  memcpy(&own, &key, sizeof(T));
  return cub::Traits<T>::TwiddleIn(own) == bits && cub::Traits<T>::TwiddleOut(bits) == own;
}

void arrays() {
  CHECK(twiddles(-1, 0x7FFFFFFFu) && twiddles(5u, 5u) && twiddles(1.0f, 0xBF800000u));
  CHECK(twiddles(-1.0f, 0x407FFFFFu));
  const int n = 6;
  Array<int> a{5, 2, 7, 2, 9, 4}, b(n), c(n), flags{1, 0, 0, 1, 1, 0}, number(1);
  RUN(DeviceSelect::Flagged(memory, bytes, a.place, flags.place, b.place, number.place, n));
  CHECK(number[0] == 3 && b.begins({5, 2, 9}));
  RUN(DeviceSelect::If(memory, bytes, a.place, b.place, number.place, n, IsOdd()));
  CHECK(number[0] == 3 && b.begins({5, 7, 9}));
  RUN(DevicePartition::If(memory, bytes, a.place, b.place, number.place, n, IsOdd()));
  CHECK(number[0] == 3 && b.begins({5, 7, 9, 4, 2, 2}));
  Array<int> runs{1, 1, 4, 4, 4, 1};
  RUN(DeviceSelect::Unique(memory, bytes, runs.place, b.place, number.place, n));
  CHECK(number[0] == 3 && b.begins({1, 4, 1}));
  RUN(DeviceRunLengthEncode::Encode(memory, bytes, runs.place, b.place, c.place, number.place, n));
  CHECK(number[0] == 3 && b.begins({1, 4, 1}) && c.begins({2, 3, 1}));
  RUN(DeviceReduce::ReduceByKey(memory, bytes, runs.place, b.place, a.place, c.place, number.place,
                                cub::Sum(), n));
  CHECK(number[0] == 3 && b.begins({1, 4, 1}) && c.begins({7, 18, 4}));
  RUN(DeviceSelect::Unique(memory, bytes, runs.place, b.place, number.place, 0));
  CHECK(number[0] == 0);

  Array<cub::KeyValuePair<int, int>> found(2);
  RUN(DeviceReduce::ArgMin(memory, bytes, a.place, found.place, n));
  RUN(DeviceReduce::ArgMax(memory, bytes, a.place, found.place + 1, n));
  CHECK(found[0].key == 1 && found[0].value == 2 && found[1].key == 4 && found[1].value == 9);
  Array<long long> sums(2);
  cub::CountingInputIterator<int> all(1);
  cub::TransformInputIterator<long long, Square, decltype(all)> squares(all, Square());
  RUN(DeviceReduce::Sum(memory, bytes, squares, sums.place, 5000));
  CHECK(sums[0] == 41679167500);
  // Sums of truth values are numbers.
  cub::TransformInputIterator<bool, IsOdd, decltype(all)> odd(all, IsOdd());
  RUN(DeviceReduce::Sum(memory, bytes, odd, sums.place, 5000));
  RUN(DeviceScan::InclusiveSum(memory, bytes, odd, c.place, n));
  CHECK(sums[0] == 2500 && c.begins({1, 1, 2, 2, 3, 3}));
  RUN(DeviceScan::ExclusiveSum(memory, bytes, odd, c.place, n));
  CHECK(c.begins({0, 1, 1, 2, 2, 3}));
  Array<int> bounds{0, 2, 2, 6};
  RUN(DeviceSegmentedReduce::Sum(memory, bytes, a.place, c.place, 3, bounds.place, bounds + 1));
  CHECK(c.begins({7, 0, 22}));
  Array<unsigned> counts(4);
  Array<float> samples{0.5f, 3.99f, -1, 4, 1, 2.5f};
  RUN(DeviceHistogram::HistogramEven(memory, bytes, samples.place, counts.place, 5, 0.0f, 4.0f, n));
  CHECK(counts.begins({1, 1, 1, 1}));
  Array<float> levels{-2, 0, 3, 4};
  RUN(DeviceHistogram::HistogramRange(memory, bytes, samples.place, counts.place, 4, levels.place,
                                      n));
  CHECK(counts.begins({1, 3, 1}));

  const int many = 2000;
  Array<double> keys(many), sorted(many);
  Array<int> values(many), moved(many);
  std::vector<double> old(many);
  for (int i = 0; i < many; ++i) {
    old[i] = keys[i] = i % 3 ? std::sin(i) * std::exp(i % 40) : -i;
    values[i] = i;
  }
  RUN(DeviceRadixSort::SortPairs(memory, bytes, keys.place, sorted.place, values.place, moved.place,
                                 many));
  for (int i = 0; i < many; ++i) CHECK(sorted[i] == old[moved[i]]);
  CHECK(std::is_sorted(sorted.place, sorted.place + many));
  cub::DoubleBuffer<double> buffer(keys.place, sorted.place);
  RUN(DeviceRadixSort::SortKeysDescending(memory, bytes, buffer, many));
  std::sort(old.begin(), old.end(), std::greater<double>());
  CHECK(buffer.Current() == sorted.place && std::equal(old.begin(), old.end(), buffer.Current()));
  RUN(DeviceMergeSort::SortKeys(memory, bytes, values.place, many, Later()));
  CHECK(values[0] == many - 1 && values[many - 1] == 0 && values[700] == many - 701);
  int *place = values;
  OK(cub::DeviceFor::Bulk(many, [=] __device__(int i) { place[i] = 3 * i; }));
  OK(cudaDeviceSynchronize());
  CHECK(values[many - 1] == 3 * many - 3);
}

int main() {
  blocks();
  arrays();
  puts("PASS");
}
