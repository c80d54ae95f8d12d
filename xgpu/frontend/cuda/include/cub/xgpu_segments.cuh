// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's algorithms over segments of an array: a thread reduces or sorts each.
#pragma once
#include <cub/xgpu_arrays.cuh>

#ifdef XGPU_WHOLE_PROGRAM
namespace xgpu_cub {

// Sorts `count` elements from one place into another; `room` is as large.
template <typename K, typename V, typename Value, typename Less>
__host__ __device__ void sort_segment(const K *keys, V values, K *out, Value *out_values, K *room,
                                      Value *room_values, long long count, Less &less) {
  constexpr bool with_values = has_values<V>;
  for (long long run = 0; run * RUN < count; ++run)
    sort_run(keys, values, out, out_values, count, run, less);
  K *from = out, *to = room;
  Value *from_values = out_values, *to_values = room_values;
  for (long long length = RUN; length < count; length *= 2) {
    for (long long pair = 0; pair * 2 * length < count; ++pair)
      merge_runs(from, from_values, to, to_values, count, length, pair, with_values, less);
    K *sorted = to;
    to = from, from = sorted;
    Value *sorted_values = to_values;
    to_values = from_values, from_values = sorted_values;
  }
  for (long long i = 0; from != out && i < count; ++i) {
    out[i] = from[i];
    if constexpr (with_values) out_values[i] = from_values[i];
  }
}

template <typename V> __host__ __device__ V *behind(V *values, long long by) {
  return values + by;
}
inline __host__ __device__ NoValues behind(NoValues none, long long) { return none; }

// Elements that are in no segment stay as they were in the output.
template <typename K, typename V, typename Value, typename B, typename E, typename Less>
cudaError_t sort_segments(void *memory, size_t &bytes, const K *in, V in_values, K *out,
                          Value *out_values, long long count, long long segments, B begins,
                          E ends, Less less, cudaStream_t stream) {
  Parts parts(memory);
  K *room = parts.take<K>(count);
  Value *room_values = parts.take<Value>(has_values<V> ? count : 0);
  if (parts.asks(bytes)) return cudaSuccess;
  return launch(stream, segments, [=] __device__(long long n) mutable {
    long long begin = begins[n], size = (long long)ends[n] - begin;
    if (size > 0)
      sort_segment(in + begin, behind(in_values, begin), out + begin, out_values + begin,
                   room + begin, room_values + begin, size, less);
  });
}

}  // namespace xgpu_cub

namespace cub {

struct DeviceSegmentedReduce {
  template <typename In, typename Out, typename B, typename E, typename Op, typename T>
  static cudaError_t Reduce(void *memory, size_t &bytes, In in, Out out, long long segments,
                            B begins, E ends, Op op, T initial, cudaStream_t stream = 0) {
    if (xgpu_cub::asks(memory, bytes)) return cudaSuccess;
    return xgpu_cub::launch(stream, segments, [=] __device__(long long n) mutable {
      T sum = initial;
      for (long long i = begins[n]; i < ends[n]; ++i) sum = op(sum, in[i]);
      out[n] = sum;
    });
  }
  template <typename In, typename Out, typename B, typename E>
  static cudaError_t Sum(void *memory, size_t &bytes, In in, Out out, long long segments, B begins,
                         E ends, cudaStream_t stream = 0) {
    typedef xgpu_cub::sum_of<In, Out> T;
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Sum(), T(), stream);
  }
  template <typename In, typename Out, typename B, typename E>
  static cudaError_t Max(void *memory, size_t &bytes, In in, Out out, long long segments, B begins,
                         E ends, cudaStream_t stream = 0) {
    auto lowest = std::numeric_limits<xgpu_cub::value_of<In>>::lowest();
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Max(), lowest, stream);
  }
  template <typename In, typename Out, typename B, typename E>
  static cudaError_t Min(void *memory, size_t &bytes, In in, Out out, long long segments, B begins,
                         E ends, cudaStream_t stream = 0) {
    auto most = std::numeric_limits<xgpu_cub::value_of<In>>::max();
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Min(), most, stream);
  }
};

#define XGPU_CUB_SORT(KEYS, PAIRS, IS_DESCENDING, BITS, BEGIN, END)                            \
  template <typename K, typename B, typename E>                                                \
  static cudaError_t KEYS(void *memory, size_t &bytes, const K *in, K *out, long long count,   \
                          long long segments, B begins, E ends BITS,                           \
                          cudaStream_t stream = 0) {                                           \
    xgpu_cub::BitsLess<K> less(BEGIN, END, IS_DESCENDING);                                     \
    return xgpu_cub::sort_segments(memory, bytes, in, xgpu_cub::NoValues(), out,               \
                                   (char *)nullptr, count, segments, begins, ends, less,       \
                                   stream);                                                    \
  }                                                                                            \
  template <typename K, typename B, typename E>                                                \
  static cudaError_t KEYS(void *memory, size_t &bytes, DoubleBuffer<K> &keys, long long count, \
                          long long segments, B begins, E ends BITS,                           \
                          cudaStream_t stream = 0) {                                           \
    xgpu_cub::BitsLess<K> less(BEGIN, END, IS_DESCENDING);                                     \
    cudaError_t error = xgpu_cub::sort_segments(                                               \
        memory, bytes, keys.Current(), xgpu_cub::NoValues(), keys.Alternate(),                 \
        (char *)nullptr, count, segments, begins, ends, less, stream);                         \
    if (memory) keys.selector ^= 1;                                                            \
    return error;                                                                              \
  }                                                                                            \
  template <typename K, typename V, typename B, typename E>                                    \
  static cudaError_t PAIRS(void *memory, size_t &bytes, const K *in, K *out,                   \
                           const V *in_values, V *out_values, long long count,                 \
                           long long segments, B begins, E ends BITS,                          \
                           cudaStream_t stream = 0) {                                          \
    xgpu_cub::BitsLess<K> less(BEGIN, END, IS_DESCENDING);                                     \
    return xgpu_cub::sort_segments(memory, bytes, in, in_values, out, out_values, count,       \
                                   segments, begins, ends, less, stream);                      \
  }                                                                                            \
  template <typename K, typename V, typename B, typename E>                                    \
  static cudaError_t PAIRS(void *memory, size_t &bytes, DoubleBuffer<K> &keys,                 \
                           DoubleBuffer<V> &values, long long count, long long segments,       \
                           B begins, E ends BITS, cudaStream_t stream = 0) {                   \
    xgpu_cub::BitsLess<K> less(BEGIN, END, IS_DESCENDING);                                     \
    cudaError_t error = xgpu_cub::sort_segments(                                               \
        memory, bytes, keys.Current(), (const V *)values.Current(), keys.Alternate(),          \
        values.Alternate(), count, segments, begins, ends, less, stream);                      \
    if (memory) keys.selector ^= 1, values.selector ^= 1;                                      \
    return error;                                                                              \
  }
#define XGPU_CUB_BITS , int begin = 0, int end = 8 * sizeof(K)

// By the bits of keys from `begin` to `end`. All sorts are stable.
struct DeviceSegmentedRadixSort {
  XGPU_CUB_SORT(SortKeys, SortPairs, false, XGPU_CUB_BITS, begin, end)
  XGPU_CUB_SORT(SortKeysDescending, SortPairsDescending, true, XGPU_CUB_BITS, begin, end)
};
struct DeviceSegmentedSort {
  XGPU_CUB_SORT(SortKeys, SortPairs, false, , 0, 8 * sizeof(K))
  XGPU_CUB_SORT(SortKeysDescending, SortPairsDescending, true, , 0, 8 * sizeof(K))
  XGPU_CUB_SORT(StableSortKeys, StableSortPairs, false, , 0, 8 * sizeof(K))
  XGPU_CUB_SORT(StableSortKeysDescending, StableSortPairsDescending, true, , 0, 8 * sizeof(K))
};
#undef XGPU_CUB_BITS
#undef XGPU_CUB_SORT

}  // namespace cub
#endif
