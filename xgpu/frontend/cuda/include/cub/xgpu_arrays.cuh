// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's algorithms over arrays: reductions in parts, scans by one block that goes over the array,
// merge sorts; and its iterators. Programs that have a host find them.
#pragma once
#include <cub/xgpu_blocks.cuh>

#ifdef XGPU_WHOLE_PROGRAM
// Programs count on what NVIDIA's header brings of the standard library.
#include <cassert>
#include <chrono>
#include <iterator>

namespace xgpu_cub {

constexpr int THREADS = 256;
// One warp reads its part line by line; more would be loops over the part that each read some of a
// line.
constexpr int REDUCERS = 32;

// Each block reduces the next `part` elements to `out[blockIdx.x]`, without `initial` where there
// is none.
template <typename T, typename In, typename Out, typename Op>
__global__ void reduce_parts(In in, Out out, long long count, long long part, Op op, T initial,
                             bool has_initial) {
  __shared__ typename cub::BlockReduce<T, REDUCERS>::TempStorage room;
  long long begin = blockIdx.x * part;
  long long end = begin + part < count ? begin + part : count;
  int valid = end - begin < REDUCERS ? end - begin : REDUCERS;
  T value = initial;
  if (threadIdx.x < valid) value = in[begin + threadIdx.x];
  // As long as all threads have one more element, no thread asks whether it has.
  long long row = begin + REDUCERS;
  for (; row + REDUCERS <= end; row += REDUCERS) value = op(value, T(in[row + threadIdx.x]));
  if (row + threadIdx.x < end) value = op(value, T(in[row + threadIdx.x]));
  value = cub::BlockReduce<T, REDUCERS>(room).Reduce(value, op, valid);
  if (has_initial) value = count ? op(initial, value) : initial;
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

// How many elements a block reduces: few enough for a cache, and not too many blocks.
inline long long reduced_part(long long count) {
  long long part = 16 * THREADS, most = 64 * THREADS;
  while (count / part >= (part < most ? 512 : 1 << 16)) part *= 2;
  return part;
}

template <typename T, typename In, typename Out, typename Op>
__global__ void scan_array(In in, Out out, long long count, Op op, T initial, bool is_exclusive,
                           bool has_initial) {
  __shared__ typename cub::BlockScan<T, THREADS>::TempStorage room;
  T before = initial;
  for (long long start = 0; start < count; start += THREADS) {
    long long i = start + threadIdx.x;
    T value = i < count ? T(in[i]) : initial, scanned, total;
    cub::BlockScan<T, THREADS>(room).InclusiveScan(value, scanned, op, total);
    bool has = has_initial || start > 0;
    T found = is_exclusive && threadIdx.x ? T(room[threadIdx.x - 1]) : scanned;
    if (is_exclusive && threadIdx.x == 0) found = before;
    else if (has) found = op(before, found);
    if (i < count) out[i] = found;
    before = has ? op(before, total) : total;
    __syncthreads();
  }
}

// Answers how much temporary memory is wanted, which is some for any size.
inline bool asks(void *memory, size_t &bytes) {
  if (!memory) bytes = 1;
  return !memory;
}

template <typename I> using value_of = std::decay_t<decltype(*std::declval<I>())>;
// What sums are computed in: what the output holds, and in scans what two inputs give.
template <typename In, typename Out> using sum_of = std::conditional_t<
    std::is_convertible<value_of<In>, value_of<Out>>::value, value_of<Out>, value_of<In>>;
template <typename In> using scan_sum_of =
    std::decay_t<decltype(std::declval<value_of<In>>() + std::declval<value_of<In>>())>;

// `body(i)` for each i below `count`.
template <typename Body> __global__ void each(long long count, Body body) {
  long long i = blockIdx.x * (long long)THREADS + threadIdx.x;
  if (i < count) body(i);
}
template <typename Body> cudaError_t launch(cudaStream_t stream, long long count, Body body) {
  if (count <= 0) return cudaSuccess;
  each<<<(count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(count, body);
  return cudaPeekAtLastError();
}

// Parts of temporary memory, or how much is wanted where there is none.
struct Parts {
  char *memory;
  size_t used = 0;
  explicit Parts(void *memory) : memory(static_cast<char *>(memory)) {}
  template <typename T> T *take(long long count) {
    used = (used + 15) / 16 * 16;
    T *part = reinterpret_cast<T *>(memory + used);
    used += count * sizeof(T);
    return part;
  }
  bool asks(size_t &bytes) {
    if (!memory) bytes = used + 1;
    return !memory;
  }
};

// -- stable merge sorts: runs are sorted by insertion, and merged in pairs

constexpr long long RUN = 32;
struct NoValues {};

template <typename V> constexpr bool has_values = !std::is_same<V, NoValues>::value;
template <typename I> struct ValueOr { typedef value_of<I> type; };
template <> struct ValueOr<NoValues> { typedef char type; };

// Sorts a run of RUN elements from one place into another.
template <typename K, typename V, typename Key, typename Value, typename Less>
__host__ __device__ void sort_run(K keys, V values, Key *to, Value *to_values, long long count,
                                  long long run, Less &less) {
  long long begin = run * RUN, end = begin + RUN < count ? begin + RUN : count;
  for (long long i = begin; i < end; ++i) {
    Key key = keys[i];
    long long at = i;
    for (; at > begin && less(key, to[at - 1]); --at) {
      to[at] = to[at - 1];
      if constexpr (has_values<V>) to_values[at] = to_values[at - 1];
    }
    to[at] = key;
    if constexpr (has_values<V>) to_values[at] = values[i];
  }
}
// Merges a pair of sorted runs of `length`.
template <typename Key, typename Value, typename Less>
__host__ __device__ void merge_runs(const Key *from, const Value *from_values, Key *to,
                                    Value *to_values, long long count, long long length,
                                    long long pair, bool with_values, Less &less) {
  long long out = pair * 2 * length;
  long long a = out, a_end = a + length < count ? a + length : count;
  long long b = a_end, b_end = b + length < count ? b + length : count;
  for (; out < b_end; ++out) {
    bool takes_b = a == a_end || (b < b_end && less(from[b], from[a]));
    long long place = takes_b ? b++ : a++;
    to[out] = from[place];
    if (with_values) to_values[out] = from_values[place];
  }
}

template <typename In, typename InV, typename Out, typename OutV, typename Less>
cudaError_t sort(void *memory, size_t &bytes, In in, InV in_values, Out out, OutV out_values,
                 long long count, Less less, cudaStream_t stream) {
  typedef value_of<In> Key;
  typedef typename ValueOr<InV>::type Value;
  constexpr bool with_values = has_values<InV>;
  long long room = with_values ? count : 0;
  Parts parts(memory);
  Key *from = parts.take<Key>(count), *to = parts.take<Key>(count);
  Value *from_values = parts.take<Value>(room), *to_values = parts.take<Value>(room);
  if (parts.asks(bytes)) return cudaSuccess;
  long long runs = (count + RUN - 1) / RUN;
  cudaError_t error = launch(stream, runs, [=] __device__(long long run) mutable {
    sort_run(in, in_values, from, from_values, count, run, less);
  });
  for (long long length = RUN; length < count && !error; length *= 2) {
    long long pairs = (count + 2 * length - 1) / (2 * length);
    error = launch(stream, pairs, [=] __device__(long long pair) mutable {
      merge_runs(from, from_values, to, to_values, count, length, pair, with_values, less);
    });
    std::swap(from, to);
    std::swap(from_values, to_values);
  }
  if (error) return error;
  return launch(stream, count, [=] __device__(long long i) mutable {
    out[i] = from[i];
    if constexpr (with_values) out_values[i] = from_values[i];
  });
}

// -- selections: `is(i)` says whether an element is chosen, `move(i, n)` puts it to the n-th place,
// where `is_chosen` says whether n counts the chosen ones or the others

template <typename Is, typename Move, typename Number>
cudaError_t select(void *memory, size_t &bytes, long long count, Is is, Move move, Number number,
                   cudaStream_t stream) {
  Parts parts(memory);
  long long *counts = parts.take<long long>(count);
  if (parts.asks(bytes)) return cudaSuccess;
  if (count <= 0) return launch(stream, 1, [=] __device__(long long) mutable { *number = 0; });
  cudaError_t error = launch(stream, count, [=] __device__(long long i) mutable {
    counts[i] = bool(is(i));
  });
  if (error) return error;
  scan_array<long long><<<1, THREADS, 0, stream>>>(
      counts, counts, count, cub::Sum(), 0LL, false, false);
  return launch(stream, count, [=] __device__(long long i) mutable {
    long long before = i ? counts[i - 1] : 0;
    if (counts[i] != before) move(i, before, true);
    else move(i, i - before, false);
    if (i == count - 1) *number = counts[i];
  });
}

// Runs of equal keys: `of_run(number, begin, end)`.
template <typename Keys, typename OfRun, typename Number, typename Equal = cub::Equality>
cudaError_t for_each_run(void *memory, size_t &bytes, Keys keys, long long count, OfRun of_run,
                         Number number, cudaStream_t stream, Equal equal = Equal()) {
  Parts parts(memory);
  long long *begins = parts.take<long long>(count + 1), *runs = parts.take<long long>(1);
  size_t more = 0;
  auto is = [=] __device__(long long i) mutable { return i == 0 || !equal(keys[i - 1], keys[i]); };
  auto move = [=] __device__(long long i, long long n, bool is_chosen) {
    if (is_chosen) begins[n] = i;
  };
  select(nullptr, more, count, is, move, runs, stream);
  char *rest = parts.take<char>(more);
  if (parts.asks(bytes)) return cudaSuccess;
  cudaError_t error = select(rest, more, count, is, move, runs, stream);
  if (error) return error;
  error = launch(stream, count, [=] __device__(long long n) mutable {
    if (n < *runs) of_run(n, begins[n], n + 1 < *runs ? begins[n + 1] : count);
  });
  return error ? error : launch(stream, 1, [=] __device__(long long) mutable { *number = *runs; });
}

// What takes a result that nothing wants.
struct NoNumber {
  template <typename T> __host__ __device__ NoNumber &operator=(const T &) { return *this; }
  __host__ __device__ NoNumber &operator*() { return *this; }
};

}  // namespace xgpu_cub

namespace cub {

// -- iterators

#define XGPU_CUB_ITERATOR(NAME, ...)                                                           \
  typedef NAME self_type;                                                                      \
  typedef __VA_ARGS__ value_type;                                                              \
  typedef value_type reference;                                                                \
  typedef void pointer;                                                                        \
  typedef ptrdiff_t difference_type;                                                           \
  typedef std::random_access_iterator_tag iterator_category;                                   \
  __host__ __device__ value_type operator*() const { return (*this)[0]; }                      \
  __host__ __device__ NAME &operator+=(ptrdiff_t by) { return *this = *this + by; }            \
  __host__ __device__ NAME &operator++() { return *this += 1; }                                \
  __host__ __device__ NAME operator-(ptrdiff_t by) const { return *this + -by; }

template <typename T, typename Offset = ptrdiff_t> class ConstantInputIterator {
 public:
  XGPU_CUB_ITERATOR(ConstantInputIterator, T)
  __host__ __device__ ConstantInputIterator(T value) : value(value) {}
  __host__ __device__ T operator[](ptrdiff_t) const { return value; }
  __host__ __device__ ConstantInputIterator operator+(ptrdiff_t) const { return *this; }

 private:
  T value;
};
template <typename T, typename Offset = ptrdiff_t> class CountingInputIterator {
 public:
  XGPU_CUB_ITERATOR(CountingInputIterator, T)
  __host__ __device__ CountingInputIterator(T value) : value(value) {}
  __host__ __device__ T operator[](ptrdiff_t i) const { return T(value + i); }
  __host__ __device__ CountingInputIterator operator+(ptrdiff_t by) const { return T(value + by); }

 private:
  T value;
};
template <typename T, typename Op, typename In, typename Offset = ptrdiff_t>
class TransformInputIterator {
 public:
  XGPU_CUB_ITERATOR(TransformInputIterator, T)
  __host__ __device__ TransformInputIterator(In in, Op op) : in(in), op(op) {}
  TransformInputIterator(const TransformInputIterator &) = default;
  __host__ __device__ TransformInputIterator &operator=(const TransformInputIterator &other) {
    in = other.in;  // functions, as those of lambdas, need not be assignable
    return *this;
  }
  __host__ __device__ T operator[](ptrdiff_t i) const { return op(in[i]); }
  __host__ __device__ TransformInputIterator operator+(ptrdiff_t by) const { return {in + by, op}; }

 private:
  In in;
  mutable Op op;
};
template <CacheLoadModifier MODIFIER, typename T, typename Offset = ptrdiff_t>
class CacheModifiedInputIterator {
 public:
  XGPU_CUB_ITERATOR(CacheModifiedInputIterator, std::remove_cv_t<T>)
  __host__ __device__ CacheModifiedInputIterator(const T *in) : in(in) {}
  __host__ __device__ value_type operator[](ptrdiff_t i) const { return in[i]; }
  __host__ __device__ CacheModifiedInputIterator operator+(ptrdiff_t by) const { return in + by; }

 private:
  const T *in;
};
template <typename In, typename Offset = ptrdiff_t> class ArgIndexInputIterator {
 public:
  XGPU_CUB_ITERATOR(ArgIndexInputIterator, KeyValuePair<int, xgpu_cub::value_of<In>>)
  __host__ __device__ ArgIndexInputIterator(In in, Offset first = 0) : in(in), first(first) {}
  __host__ __device__ value_type operator[](ptrdiff_t i) const {
    return {int(first + i), in[first + i]};
  }
  __host__ __device__ ArgIndexInputIterator operator+(ptrdiff_t by) const {
    return {in, first + by};
  }

 private:
  In in;
  Offset first;
};
#undef XGPU_CUB_ITERATOR

// Two arrays, of which one holds the values.
template <typename T> struct DoubleBuffer {
  T *d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() {}
  DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
  T *Current() const { return d_buffers[selector]; }
  T *Alternate() const { return d_buffers[selector ^ 1]; }
};

// -- algorithms: none waits for its result

struct DeviceReduce {
  template <typename In, typename Out, typename Op, typename T>
  static cudaError_t Reduce(void *memory, size_t &bytes, In in, Out out, long long count, Op op,
                            T initial, cudaStream_t stream = 0) {
    long long part = xgpu_cub::reduced_part(count), parts = (count + part - 1) / part;
    if (!memory) return bytes = (parts + 1) * sizeof(T), cudaSuccess;
    if (parts <= 1) {
      xgpu_cub::reduce_parts<T><<<1, xgpu_cub::REDUCERS, 0, stream>>>(
          in, out, count, count, op, initial, true);
      return cudaPeekAtLastError();
    }
    T *results = static_cast<T *>(memory);
    xgpu_cub::reduce_parts<T><<<parts, xgpu_cub::REDUCERS, 0, stream>>>(
        in, results, count, part, op, initial, false);
    xgpu_cub::reduce_parts<T><<<1, xgpu_cub::REDUCERS, 0, stream>>>(
        results, out, parts, parts, op, initial, true);
    return cudaPeekAtLastError();
  }
  template <typename In, typename Out>
  static cudaError_t Sum(void *memory, size_t &bytes, In in, Out out, long long count,
                         cudaStream_t stream = 0) {
    typedef xgpu_cub::sum_of<In, Out> T;
    return Reduce(memory, bytes, in, out, count, cub::Sum(), T(), stream);
  }
  template <typename In, typename Out>
  static cudaError_t Max(void *memory, size_t &bytes, In in, Out out, long long count,
                         cudaStream_t stream = 0) {
    typedef std::numeric_limits<xgpu_cub::value_of<In>> Limits;
    return Reduce(memory, bytes, in, out, count, cub::Max(), Limits::lowest(), stream);
  }
  template <typename In, typename Out>
  static cudaError_t Min(void *memory, size_t &bytes, In in, Out out, long long count,
                         cudaStream_t stream = 0) {
    typedef std::numeric_limits<xgpu_cub::value_of<In>> Limits;
    return Reduce(memory, bytes, in, out, count, cub::Min(), Limits::max(), stream);
  }
  // Pairs of a position and a value; of nothing, 1 and the value that is before all others.
  template <typename In, typename Out>
  static cudaError_t ArgMax(void *memory, size_t &bytes, In in, Out out, long long count,
                            cudaStream_t stream = 0) {
    typedef std::numeric_limits<xgpu_cub::value_of<In>> Limits;
    return arg(memory, bytes, in, out, count, cub::ArgMax(), Limits::lowest(), stream);
  }
  template <typename In, typename Out>
  static cudaError_t ArgMin(void *memory, size_t &bytes, In in, Out out, long long count,
                            cudaStream_t stream = 0) {
    typedef std::numeric_limits<xgpu_cub::value_of<In>> Limits;
    return arg(memory, bytes, in, out, count, cub::ArgMin(), Limits::max(), stream);
  }
  template <typename In, typename Out, typename Op, typename Unary, typename T>
  static cudaError_t TransformReduce(void *memory, size_t &bytes, In in, Out out, long long count,
                                     Op op, Unary unary, T initial, cudaStream_t stream = 0) {
    TransformInputIterator<T, Unary, In> values(in, unary);
    return Reduce(memory, bytes, values, out, count, op, initial, stream);
  }
  template <typename K, typename OutK, typename V, typename Out, typename Number, typename Op>
  static cudaError_t ReduceByKey(void *memory, size_t &bytes, K keys, OutK unique, V values,
                                 Out out, Number number, Op op, long long count, cudaStream_t stream = 0) {
    typedef xgpu_cub::value_of<V> T;
    auto of_run = [=] __device__(long long run, long long begin, long long end) mutable {
      T sum = values[begin];
      for (long long i = begin + 1; i < end; ++i) sum = op(sum, values[i]);
      unique[run] = keys[begin];
      out[run] = sum;
    };
    return xgpu_cub::for_each_run(memory, bytes, keys, count, of_run, number, stream);
  }

 private:
  template <typename In, typename Out, typename Op, typename T>
  static cudaError_t arg(void *memory, size_t &bytes, In in, Out out, long long count, Op op,
                         T last, cudaStream_t stream) {
    typedef KeyValuePair<int, T> Pair;
    ArgIndexInputIterator<In> pairs(in);
    // Any element is before this position, which no element has.
    return Reduce(memory, bytes, pairs, out, count, op, Pair{count ? 0x7FFFFFFF : 1, last}, stream);
  }
};

struct DeviceScan {
  template <typename In, typename Out, typename Op, typename T>
  static cudaError_t ExclusiveScan(void *memory, size_t &bytes, In in, Out out, Op op, T initial,
                                   long long count, cudaStream_t stream = 0) {
    return scan(memory, bytes, in, out, op, initial, count, stream, true, true);
  }
  template <typename In, typename Out, typename Op>
  static cudaError_t InclusiveScan(void *memory, size_t &bytes, In in, Out out, Op op,
                                   long long count, cudaStream_t stream = 0) {
    typedef xgpu_cub::value_of<In> T;
    return scan(memory, bytes, in, out, op, T(), count, stream, false, false);
  }
  template <typename In, typename Out>
  static cudaError_t ExclusiveSum(void *memory, size_t &bytes, In in, Out out, long long count,
                                  cudaStream_t stream = 0) {
    typedef xgpu_cub::scan_sum_of<In> T;
    return scan(memory, bytes, in, out, cub::Sum(), T(), count, stream, true, true);
  }
  template <typename In, typename Out>
  static cudaError_t InclusiveSum(void *memory, size_t &bytes, In in, Out out, long long count,
                                  cudaStream_t stream = 0) {
    typedef xgpu_cub::scan_sum_of<In> T;
    return scan(memory, bytes, in, out, cub::Sum(), T(), count, stream, false, false);
  }
  // Those by key begin anew with each run of equal keys.
  template <typename K, typename In, typename Out, typename Op, typename T,
            typename Equal = cub::Equality>
  static cudaError_t ExclusiveScanByKey(void *memory, size_t &bytes, K keys, In in, Out out, Op op,
                                        T initial, long long count, Equal equal = Equal(),
                                        cudaStream_t stream = 0) {
    auto of_run = [=] __device__(long long, long long begin, long long end) mutable {
      T before = initial;
      for (long long i = begin; i < end; ++i) {
        T value = in[i];
        out[i] = before;
        before = op(before, value);
      }
    };
    return xgpu_cub::for_each_run(memory, bytes, keys, count, of_run, xgpu_cub::NoNumber(), stream,
                                  equal);
  }
  template <typename K, typename In, typename Out, typename Op, typename Equal = cub::Equality>
  static cudaError_t InclusiveScanByKey(void *memory, size_t &bytes, K keys, In in, Out out, Op op,
                                        long long count, Equal equal = Equal(),
                                        cudaStream_t stream = 0) {
    typedef xgpu_cub::value_of<In> T;
    auto of_run = [=] __device__(long long, long long begin, long long end) mutable {
      T sum = in[begin];
      out[begin] = sum;
      for (long long i = begin + 1; i < end; ++i) out[i] = sum = op(sum, in[i]);
    };
    return xgpu_cub::for_each_run(memory, bytes, keys, count, of_run, xgpu_cub::NoNumber(), stream,
                                  equal);
  }
  template <typename K, typename In, typename Out, typename Equal = cub::Equality>
  static cudaError_t ExclusiveSumByKey(void *memory, size_t &bytes, K keys, In in, Out out,
                                       long long count, Equal equal = Equal(),
                                       cudaStream_t stream = 0) {
    typedef xgpu_cub::scan_sum_of<In> T;
    return ExclusiveScanByKey(memory, bytes, keys, in, out, cub::Sum(), T(), count, equal, stream);
  }
  template <typename K, typename In, typename Out, typename Equal = cub::Equality>
  static cudaError_t InclusiveSumByKey(void *memory, size_t &bytes, K keys, In in, Out out,
                                       long long count, Equal equal = Equal(),
                                       cudaStream_t stream = 0) {
    return InclusiveScanByKey(memory, bytes, keys, in, out, cub::Sum(), count, equal, stream);
  }

 private:
  template <typename In, typename Out, typename Op, typename T>
  static cudaError_t scan(void *memory, size_t &bytes, In in, Out out, Op op, T initial,
                          long long count, cudaStream_t stream, bool is_exclusive,
                          bool has_initial) {
    if (xgpu_cub::asks(memory, bytes)) return cudaSuccess;
    xgpu_cub::scan_array<T><<<1, xgpu_cub::THREADS, 0, stream>>>(
        in, out, count, op, initial, is_exclusive, has_initial);
    return cudaPeekAtLastError();
  }
};

struct DeviceSelect {
  template <typename In, typename Flags, typename Out, typename Number>
  static cudaError_t Flagged(void *memory, size_t &bytes, In in, Flags flags, Out out,
                             Number number, long long count, cudaStream_t stream = 0) {
    return chosen(memory, bytes, in, out, number, count,
                  [=] __device__(long long i) { return bool(flags[i]); }, stream);
  }
  template <typename In, typename Out, typename Number, typename Op>
  static cudaError_t If(void *memory, size_t &bytes, In in, Out out, Number number,
                        long long count, Op op, cudaStream_t stream = 0) {
    return chosen(memory, bytes, in, out, number, count,
                  [=] __device__(long long i) mutable { return bool(op(in[i])); }, stream);
  }
  template <typename In, typename Out, typename Number>
  static cudaError_t Unique(void *memory, size_t &bytes, In in, Out out, Number number,
                            long long count, cudaStream_t stream = 0) {
    return chosen(memory, bytes, in, out, number, count,
                  [=] __device__(long long i) { return i == 0 || !(in[i] == in[i - 1]); }, stream);
  }
  template <typename K, typename V, typename OutK, typename OutV, typename Number>
  static cudaError_t UniqueByKey(void *memory, size_t &bytes, K keys, V values, OutK unique,
                                 OutV out, Number number, long long count,
                                 cudaStream_t stream = 0) {
    auto of_run = [=] __device__(long long run, long long begin, long long) mutable {
      unique[run] = keys[begin];
      out[run] = values[begin];
    };
    return xgpu_cub::for_each_run(memory, bytes, keys, count, of_run, number, stream);
  }

 private:
  // What is chosen waits in temporary memory, as the output may be the input.
  template <typename In, typename Out, typename Number, typename Is>
  static cudaError_t chosen(void *memory, size_t &bytes, In in, Out out, Number number,
                            long long count, Is is, cudaStream_t stream) {
    typedef xgpu_cub::value_of<In> T;
    xgpu_cub::Parts parts(memory);
    T *values = parts.take<T>(count);
    long long *chosen = parts.take<long long>(1);
    auto move = [=] __device__(long long i, long long n, bool is_chosen) mutable {
      if (is_chosen) values[n] = in[i];
    };
    size_t more = 0;
    xgpu_cub::select(nullptr, more, count, is, move, chosen, stream);
    char *rest = parts.take<char>(more);
    if (parts.asks(bytes)) return cudaSuccess;
    cudaError_t error = xgpu_cub::select(rest, more, count, is, move, chosen, stream);
    if (error) return error;
    return xgpu_cub::launch(stream, count + 1, [=] __device__(long long i) mutable {
      if (i == count) *number = *chosen;
      else if (i < *chosen) out[i] = values[i];
    });
  }
};

// The others come behind the chosen ones, from the end.
struct DevicePartition {
  template <typename In, typename Flags, typename Out, typename Number>
  static cudaError_t Flagged(void *memory, size_t &bytes, In in, Flags flags, Out out,
                             Number number, long long count, cudaStream_t stream = 0) {
    auto move = [=] __device__(long long i, long long n, bool is_chosen) mutable {
      out[is_chosen ? n : count - 1 - n] = in[i];
    };
    return xgpu_cub::select(memory, bytes, count,
                            [=] __device__(long long i) { return bool(flags[i]); }, move, number,
                            stream);
  }
  template <typename In, typename Out, typename Number, typename Op>
  static cudaError_t If(void *memory, size_t &bytes, In in, Out out, Number number,
                        long long count, Op op, cudaStream_t stream = 0) {
    TransformInputIterator<bool, Op, In> flags(in, op);
    return Flagged(memory, bytes, in, flags, out, number, count, stream);
  }
};

struct DeviceRunLengthEncode {
  template <typename In, typename Out, typename Lengths, typename Number>
  static cudaError_t Encode(void *memory, size_t &bytes, In in, Out unique, Lengths lengths,
                            Number number, long long count, cudaStream_t stream = 0) {
    auto of_run = [=] __device__(long long run, long long begin, long long end) mutable {
      unique[run] = in[begin];
      lengths[run] = end - begin;
    };
    return xgpu_cub::for_each_run(memory, bytes, in, count, of_run, number, stream);
  }
};

struct DeviceHistogram {
  // Samples that are in no level are not counted.
  template <typename In, typename Counter, typename Level>
  static cudaError_t HistogramEven(void *memory, size_t &bytes, In samples, Counter *counts,
                                   int levels, Level lower, Level upper, long long count,
                                   cudaStream_t stream = 0) {
    typedef std::conditional_t<std::is_integral<Level>::value, long long, Level> Wide;
    int bins = levels - 1;
    return counted(memory, bytes, counts, bins, count, [=] __device__(long long i) -> int {
      auto sample = samples[i];
      if (!(sample >= lower) || !(sample < upper)) return -1;
      // Above the middle, rounding may name a bin that is none.
      int bin = int((Wide(sample) - Wide(lower)) * bins / (Wide(upper) - Wide(lower)));
      return bin < bins ? bin : bins - 1;
    }, stream);
  }
  template <typename In, typename Counter, typename Level>
  static cudaError_t HistogramRange(void *memory, size_t &bytes, In samples, Counter *counts,
                                    int levels, const Level *bounds, long long count,
                                    cudaStream_t stream = 0) {
    return counted(memory, bytes, counts, levels - 1, count, [=] __device__(long long i) -> int {
      auto sample = samples[i];
      if (!(sample >= bounds[0]) || !(sample < bounds[levels - 1])) return -1;
      int low = 0, high = levels - 1;
      while (high - low > 1) {
        int middle = (low + high) / 2;
        (sample < bounds[middle] ? high : low) = middle;
      }
      return low;
    }, stream);
  }
  // Of the first channels of samples with several, each with counts and levels of its own.
  template <int CHANNELS, int ACTIVE, typename In, typename Counts, typename Levels, typename Bound>
  static cudaError_t MultiHistogramEven(void *memory, size_t &bytes, In samples, Counts &&counts,
                                        Levels &&levels, Bound &&lower, Bound &&upper,
                                        long long pixels, cudaStream_t stream = 0) {
    cudaError_t error = cudaSuccess;
    for (int n = 0; n < ACTIVE && !error; ++n)
      error = HistogramEven(memory, bytes, channel<CHANNELS, In>{samples, n}, counts[n], levels[n],
                            lower[n], upper[n], pixels, stream);
    return error;
  }
  template <int CHANNELS, int ACTIVE, typename In, typename Counts, typename Levels,
            typename Bounds>
  static cudaError_t MultiHistogramRange(void *memory, size_t &bytes, In samples, Counts &&counts,
                                         Levels &&levels, Bounds &&bounds, long long pixels,
                                         cudaStream_t stream = 0) {
    cudaError_t error = cudaSuccess;
    for (int n = 0; n < ACTIVE && !error; ++n)
      error = HistogramRange(memory, bytes, channel<CHANNELS, In>{samples, n}, counts[n],
                             levels[n], bounds[n], pixels, stream);
    return error;
  }

 private:
  template <int CHANNELS, typename In> struct channel {
    In samples;
    int number;
    __host__ __device__ auto operator[](long long i) const {
      return samples[i * CHANNELS + number];
    }
  };
  template <typename Counter, typename Bin>
  static cudaError_t counted(void *memory, size_t &bytes, Counter *counts, int bins,
                             long long count, Bin bin, cudaStream_t stream) {
    if (xgpu_cub::asks(memory, bytes)) return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(counts, 0, bins * sizeof(Counter), stream);
    if (error) return error;
    return xgpu_cub::launch(stream, count, [=] __device__(long long i) mutable {
      int n = bin(i);
      if (n >= 0) atomicAdd(counts + n, Counter(1));
    });
  }
};

// By the bits of keys from `begin` to `end`. Sorts are stable.
struct DeviceRadixSort {
#define XGPU_CUB_SORT(KEYS, PAIRS, IS_DESCENDING)                                              \
  template <typename K>                                                                        \
  static cudaError_t KEYS(void *memory, size_t &bytes, const K *in, K *out, long long count,   \
                          int begin = 0, int end = 8 * sizeof(K), cudaStream_t stream = 0) {   \
    xgpu_cub::NoValues none;                                                                   \
    xgpu_cub::BitsLess<K> less(begin, end, IS_DESCENDING);                                     \
    return xgpu_cub::sort(memory, bytes, in, none, out, none, count, less, stream);            \
  }                                                                                            \
  template <typename K>                                                                        \
  static cudaError_t KEYS(void *memory, size_t &bytes, DoubleBuffer<K> &keys, long long count, \
                          int begin = 0, int end = 8 * sizeof(K), cudaStream_t stream = 0) {   \
    cudaError_t error = KEYS(memory, bytes, keys.Current(), keys.Alternate(), count, begin,    \
                             end, stream);                                                     \
    if (memory) keys.selector ^= 1;                                                            \
    return error;                                                                              \
  }                                                                                            \
  template <typename K, typename V>                                                            \
  static cudaError_t PAIRS(void *memory, size_t &bytes, const K *in, K *out,                   \
                           const V *in_values, V *out_values, long long count, int begin = 0,  \
                           int end = 8 * sizeof(K), cudaStream_t stream = 0) {                 \
    xgpu_cub::BitsLess<K> less(begin, end, IS_DESCENDING);                                     \
    return xgpu_cub::sort(memory, bytes, in, in_values, out, out_values, count, less, stream); \
  }                                                                                            \
  template <typename K, typename V>                                                            \
  static cudaError_t PAIRS(void *memory, size_t &bytes, DoubleBuffer<K> &keys,                 \
                           DoubleBuffer<V> &values, long long count, int begin = 0,            \
                           int end = 8 * sizeof(K), cudaStream_t stream = 0) {                 \
    cudaError_t error = PAIRS(memory, bytes, keys.Current(), keys.Alternate(),                 \
                              values.Current(), values.Alternate(), count, begin, end, stream);\
    if (memory) keys.selector ^= 1, values.selector ^= 1;                                      \
    return error;                                                                              \
  }
  XGPU_CUB_SORT(SortKeys, SortPairs, false)
  XGPU_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef XGPU_CUB_SORT
};

struct DeviceMergeSort {
  template <typename K, typename Less>
  static cudaError_t SortKeys(void *memory, size_t &bytes, K keys, long long count, Less less,
                              cudaStream_t stream = 0) {
    return SortKeysCopy(memory, bytes, keys, keys, count, less, stream);
  }
  template <typename K, typename Out, typename Less>
  static cudaError_t SortKeysCopy(void *memory, size_t &bytes, K keys, Out out, long long count,
                                  Less less, cudaStream_t stream = 0) {
    xgpu_cub::NoValues none;
    return xgpu_cub::sort(memory, bytes, keys, none, out, none, count, less, stream);
  }
  template <typename K, typename V, typename Less>
  static cudaError_t SortPairs(void *memory, size_t &bytes, K keys, V values, long long count,
                               Less less, cudaStream_t stream = 0) {
    return xgpu_cub::sort(memory, bytes, keys, values, keys, values, count, less, stream);
  }
  template <typename... Given> static cudaError_t StableSortKeys(Given &&...given) {
    return SortKeys(std::forward<Given>(given)...);
  }
  template <typename... Given> static cudaError_t StableSortPairs(Given &&...given) {
    return SortPairs(std::forward<Given>(given)...);
  }
};

struct DeviceFor {
  template <typename Op>
  static cudaError_t Bulk(long long count, Op op, cudaStream_t stream = 0) {
    return xgpu_cub::launch(stream, count, op);
  }
  template <typename I, typename Op>
  static cudaError_t ForEachN(I first, long long count, Op op, cudaStream_t stream = 0) {
    return xgpu_cub::launch(stream, count, [=] __device__(long long i) mutable { op(first[i]); });
  }
  template <typename I, typename Op>
  static cudaError_t ForEach(I first, I last, Op op, cudaStream_t stream = 0) {
    return ForEachN(first, last - first, op, stream);
  }
};

// -- memory: NVIDIA's keeps what is freed for later, which changes no result

struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false) {}
  CachingDeviceAllocator(unsigned int growth, unsigned int min_bin = 1, unsigned int max_bin = ~0u,
                         size_t max_cached = ~size_t(0), bool skip_cleanup = false,
                         bool debug = false) {}
  cudaError_t DeviceAllocate(void **address, size_t bytes, cudaStream_t = 0) {
    return cudaMalloc(address, bytes);
  }
  cudaError_t DeviceAllocate(int device, void **address, size_t bytes, cudaStream_t = 0) {
    int current;
    cudaError_t error = cudaGetDevice(&current);
    if (!error) error = cudaSetDevice(device);
    if (!error) error = cudaMalloc(address, bytes);
    cudaSetDevice(current);
    return error;
  }
  cudaError_t DeviceFree(void *address) { return cudaFree(address); }
  cudaError_t DeviceFree(int, void *address) { return cudaFree(address); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub

// What the examples of CUB check calls with.
#ifndef CubDebug
inline cudaError_t xgpu_cub_debug(cudaError_t error, const char *file, int line) {
  const char *said = cudaGetErrorString(error);
  if (error) fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", error, file, line, said);
  return error;
}
#define CubDebug(e) xgpu_cub_debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e) do { if (CubDebug(e)) exit(1); } while (0)
#endif

#endif
