// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUB's blocks and warps do with several values of each thread: they load, store, exchange,
// sort, count and compare them. Any algorithm named as a template argument is accepted; there is
// one. Values are in blocked arrangement (those of a thread one after another) or striped (those of
// a round one after another).
#pragma once
#include <cub/xgpu_groups.cuh>

namespace cub {

struct NullType {};
struct Equality {
  template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const {
    return a == b;
  }
};
struct Inequality {
  template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const {
    return a != b;
  }
};
struct Difference {
  template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
    return a - b;
  }
};

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE,
};
enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE,
};
enum CacheLoadModifier {
  LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE,
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

static __device__ inline unsigned int LaneId() { return __laneid(); }
static __device__ inline int RowMajorTid(int x, int y, int) {
  return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x;
}
template <CacheLoadModifier = LOAD_DEFAULT, typename I> __device__ auto ThreadLoad(I in) {
  return *in;
}
template <CacheStoreModifier = STORE_DEFAULT, typename I, typename T>
__device__ void ThreadStore(I out, T value) {
  *out = value;
}

// -- loads and stores; elements from `valid` on are not touched

template <typename I, typename T, int N>
__device__ void LoadDirectBlocked(int thread, I in, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = in[thread * N + i];
}
template <typename I, typename T, int N>
__device__ void LoadDirectBlocked(int thread, I in, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread * N + i < valid) items[i] = in[thread * N + i];
}
template <typename I, typename T, int N, typename D>
__device__ void LoadDirectBlocked(int thread, I in, T (&items)[N], int valid, D other) {
  for (int i = 0; i < N; ++i) items[i] = other;
  LoadDirectBlocked(thread, in, items, valid);
}
template <int THREADS, typename I, typename T, int N>
__device__ void LoadDirectStriped(int thread, I in, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = in[thread + i * THREADS];
}
template <int THREADS, typename I, typename T, int N>
__device__ void LoadDirectStriped(int thread, I in, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread + i * THREADS < valid) items[i] = in[thread + i * THREADS];
}
template <int THREADS, typename I, typename T, int N, typename D>
__device__ void LoadDirectStriped(int thread, I in, T (&items)[N], int valid, D other) {
  for (int i = 0; i < N; ++i) items[i] = other;
  LoadDirectStriped<THREADS>(thread, in, items, valid);
}
template <typename I, typename T, int N>
__device__ void StoreDirectBlocked(int thread, I out, T (&items)[N]) {
  for (int i = 0; i < N; ++i) out[thread * N + i] = items[i];
}
template <typename I, typename T, int N>
__device__ void StoreDirectBlocked(int thread, I out, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread * N + i < valid) out[thread * N + i] = items[i];
}
template <int THREADS, typename I, typename T, int N>
__device__ void StoreDirectStriped(int thread, I out, T (&items)[N]) {
  for (int i = 0; i < N; ++i) out[thread + i * THREADS] = items[i];
}
template <int THREADS, typename I, typename T, int N>
__device__ void StoreDirectStriped(int thread, I out, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread + i * THREADS < valid) out[thread + i * THREADS] = items[i];
}

template <
    typename T, int X, int N, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1,
    int Z = 1, int ARCHITECTURE = 0>
class BlockLoad {
 public:
  struct TempStorage {};
  __device__ BlockLoad() {}
  __device__ BlockLoad(TempStorage &) {}
  template <typename I, typename... Rest> __device__ void Load(I in, T (&items)[N], Rest... rest) {
    int thread = xgpu_cub::block_rank<X, Y, Z>();
    if (ALGORITHM == BLOCK_LOAD_STRIPED) LoadDirectStriped<X * Y * Z>(thread, in, items, rest...);
    else LoadDirectBlocked(thread, in, items, rest...);
  }
};
template <
    typename T, int X, int N, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1,
    int Z = 1, int ARCHITECTURE = 0>
class BlockStore {
 public:
  struct TempStorage {};
  __device__ BlockStore() {}
  __device__ BlockStore(TempStorage &) {}
  template <typename I, typename... Rest>
  __device__ void Store(I out, T (&items)[N], Rest... rest) {
    int thread = xgpu_cub::block_rank<X, Y, Z>();
    if (ALGORITHM == BLOCK_STORE_STRIPED)
      StoreDirectStriped<X * Y * Z>(thread, out, items, rest...);
    else
      StoreDirectBlocked(thread, out, items, rest...);
  }
};
template <typename T, int N, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT, int COUNT = 32>
class WarpLoad {
 public:
  struct TempStorage {};
  __device__ WarpLoad() {}
  __device__ WarpLoad(TempStorage &) {}
  template <typename I, typename... Rest> __device__ void Load(I in, T (&items)[N], Rest... rest) {
    int thread = __laneid() % COUNT;
    if (ALGORITHM == WARP_LOAD_STRIPED) LoadDirectStriped<COUNT>(thread, in, items, rest...);
    else LoadDirectBlocked(thread, in, items, rest...);
  }
};
template <typename T, int N, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT, int COUNT = 32>
class WarpStore {
 public:
  struct TempStorage {};
  __device__ WarpStore() {}
  __device__ WarpStore(TempStorage &) {}
  template <typename I, typename... Rest>
  __device__ void Store(I out, T (&items)[N], Rest... rest) {
    int thread = __laneid() % COUNT;
    if (ALGORITHM == WARP_STORE_STRIPED) StoreDirectStriped<COUNT>(thread, out, items, rest...);
    else StoreDirectBlocked(thread, out, items, rest...);
  }
};

}  // namespace cub

namespace xgpu_cub {

// Exchanges in memory of a group of COUNT threads with N values each.
template <typename T, int COUNT, int N, typename Wait, typename Room> struct Exchange {
  Room &room;
  int rank;

  // Places of a thread's i-th value.
  __device__ int blocked(int i) const { return rank * N + i; }
  __device__ int striped(int i) const { return i * COUNT + rank; }
  __device__ int warp_striped(int i) const { return rank / 32 * 32 * N + i * 32 + rank % 32; }

  template <typename In, typename Out, typename From, typename To>
  __device__ void operator()(const In (&in)[N], Out (&out)[N], From from, To to) {
    Wait wait;
    T values[N];
    for (int i = 0; i < N; ++i) values[i] = in[i];  // the output may be the input
    wait();
    for (int i = 0; i < N; ++i) {
      int place = from(i);
      if (place >= 0) room[place] = values[i];
    }
    wait();
    for (int i = 0; i < N; ++i) out[i] = room[to(i)];
  }
};

}  // namespace xgpu_cub

namespace cub {

#define XGPU_CUB_EXCHANGES                                                                     \
  XGPU_CUB_EXCHANGE(BlockedToStriped, blocked, striped)                                        \
  XGPU_CUB_EXCHANGE(StripedToBlocked, striped, blocked)
#define XGPU_CUB_EXCHANGE(NAME, FROM, TO)                                                      \
  template <typename In, typename Out>                                                         \
  __device__ void NAME(const In (&in)[N], Out (&out)[N]) {                                     \
    exchange(in, out, [&](int i) { return exchange.FROM(i); },                                 \
             [&](int i) { return exchange.TO(i); });                                           \
  }                                                                                            \
  template <typename In> __device__ void NAME(In (&items)[N]) { NAME(items, items); }
#define XGPU_CUB_SCATTER(NAME, TO)                                                             \
  template <typename In, typename Out, typename Rank>                                          \
  __device__ void NAME(const In (&in)[N], Out (&out)[N], Rank (&ranks)[N]) {                   \
    exchange(in, out, [&](int i) { return int(ranks[i]); },                                    \
             [&](int i) { return exchange.TO(i); });                                           \
  }                                                                                            \
  template <typename In, typename Rank>                                                        \
  __device__ void NAME(In (&items)[N], Rank (&ranks)[N]) {                                     \
    NAME(items, items, ranks);                                                                 \
  }

template <
    typename T, int X, int N, bool WARP_TIME_SLICING = false, int Y = 1, int Z = 1,
    int ARCHITECTURE = 0>
class BlockExchange {
  typedef xgpu_cub::Values<T, X * Y * Z * N> Room;

 public:
  typedef Room TempStorage;
  __device__ BlockExchange() : exchange{own(), xgpu_cub::block_rank<X, Y, Z>()} {}
  __device__ BlockExchange(TempStorage &storage)
      : exchange{storage, xgpu_cub::block_rank<X, Y, Z>()} {}
  XGPU_CUB_EXCHANGES
  XGPU_CUB_EXCHANGE(BlockedToWarpStriped, blocked, warp_striped)
  XGPU_CUB_EXCHANGE(WarpStripedToBlocked, warp_striped, blocked)
  XGPU_CUB_SCATTER(ScatterToBlocked, blocked)
  XGPU_CUB_SCATTER(ScatterToStriped, striped)
  XGPU_CUB_SCATTER(ScatterToStripedGuarded, striped)  // values of negative ranks go nowhere

 private:
  xgpu_cub::Exchange<T, X * Y * Z, N, xgpu_cub::BlockWait, Room> exchange;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

template <typename T, int N, int COUNT = 32, int ARCHITECTURE = 0, int ALGORITHM = 0>
class WarpExchange {
  typedef xgpu_cub::Values<T, COUNT * N> Room;

 public:
  typedef Room TempStorage;
  __device__ WarpExchange(TempStorage &storage) : exchange{storage, int(__laneid()) % COUNT} {}
  XGPU_CUB_EXCHANGES
  XGPU_CUB_SCATTER(ScatterToStriped, striped)

 private:
  xgpu_cub::Exchange<T, COUNT, N, xgpu_cub::WarpWait, Room> exchange;
};
#undef XGPU_CUB_EXCHANGES
#undef XGPU_CUB_EXCHANGE
#undef XGPU_CUB_SCATTER

}  // namespace cub

namespace xgpu_cub {

template <int BYTES> struct UnsignedOf;
template <> struct UnsignedOf<1> { typedef unsigned char type; };
template <> struct UnsignedOf<2> { typedef unsigned short type; };
template <> struct UnsignedOf<4> { typedef unsigned int type; };
template <> struct UnsignedOf<8> { typedef unsigned long long type; };

}  // namespace xgpu_cub

namespace cub {
template <typename T> struct Traits {
  typedef typename xgpu_cub::UnsignedOf<sizeof(T)>::type UnsignedBits;
  static constexpr UnsignedBits SIGN = UnsignedBits(UnsignedBits(1) << (8 * sizeof(T) - 1));
  static constexpr bool IS_UNSIGNED = __is_integral(T) && !__is_signed(T);
  // Bits in whose order keys are sorted, from those of a key and back.
  static __host__ __device__ UnsignedBits TwiddleIn(UnsignedBits bits) {
    if (IS_UNSIGNED) return bits;
    if (__is_integral(T)) return bits ^ SIGN;
    return bits & SIGN ? UnsignedBits(~bits) : UnsignedBits(bits | SIGN);
  }
  static __host__ __device__ UnsignedBits TwiddleOut(UnsignedBits bits) {
    if (IS_UNSIGNED) return bits;
    if (__is_integral(T)) return bits ^ SIGN;
    return bits & SIGN ? UnsignedBits(bits ^ SIGN) : UnsignedBits(~bits);
  }
};
}  // namespace cub

namespace xgpu_cub {

// Bits of keys whose order as numbers is that of the keys. Zeros of both signs are equal.
template <typename T> struct KeyBits {
  typedef cub::Traits<T> Traits;
  typedef typename Traits::UnsignedBits Bits;
  static __host__ __device__ Bits of(const T &key) {
    Bits bits;
    __builtin_memcpy(&bits, &key, sizeof(T));
    if (!__is_integral(T) && bits == Traits::SIGN) bits = 0;
    return Traits::TwiddleIn(bits);
  }
};

// Whether a key is before another by its bits from `begin` to `end`.
template <typename K> struct BitsLess {
  typedef typename KeyBits<K>::Bits Bits;
  int begin;
  Bits mask;
  bool is_descending;
  __host__ __device__ BitsLess(int begin, int end, bool is_descending)
      : begin(begin), mask(~Bits(0)), is_descending(is_descending) {
    if (end - begin < int(8 * sizeof(K))) mask = (Bits(1) << (end - begin)) - 1;
  }
  __host__ __device__ bool operator()(const K &a, const K &b) const {
    Bits x = (KeyBits<K>::of(a) >> begin) & mask, y = (KeyBits<K>::of(b) >> begin) & mask;
    return is_descending ? y < x : x < y;
  }
};

// Places of a thread's keys in the stable order of all keys of a block: runs are merged in pairs,
// where each key counts those of the other run that are before it.
template <int COUNT, int N, typename K, typename Less, typename Keys, typename Numbers>
__device__ void sorted_places(Keys &keys, Numbers &from, int rank, Less less) {
  for (int length = 1; length < COUNT * N; length *= 2) {
    int to[N], number[N];
    K key[N];
    for (int i = 0; i < N; ++i) {
      int at = rank * N + i, pair = at / (2 * length) * 2 * length, middle = pair + length;
      bool is_first = at < middle;
      int begin = is_first ? middle : pair, low = begin;
      int high = is_first ? middle + length : middle;
      if (high > COUNT * N) high = COUNT * N;
      if (low > high) low = begin = high;
      key[i] = keys[at];
      number[i] = from[at];
      while (low < high) {
        int between = (low + high) / 2;
        bool is_below = is_first ? less(keys[between], key[i]) : !less(key[i], keys[between]);
        if (is_below) low = between + 1;
        else high = between;
      }
      to[i] = at - (is_first ? 0 : length) + (low - begin);
    }
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      keys[to[i]] = key[i];
      from[to[i]] = number[i];
    }
    __syncthreads();
  }
}

// Sorts of the keys of a block, and of values with them.
template <typename K, int X, int N, typename V, int Y, int Z> class BlockSort {
  static constexpr int COUNT = X * Y * Z;
  struct Room {
    Values<K, COUNT * N> keys;
    Values<int, COUNT * N> from;
    Values<V, COUNT * N> values;
  };

 public:
  typedef Room TempStorage;
  __device__ BlockSort() : room(own()), rank(block_rank<X, Y, Z>()) {}
  __device__ BlockSort(TempStorage &storage) : room(storage), rank(block_rank<X, Y, Z>()) {}

 protected:
  TempStorage &room;
  int rank;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <typename Less>
  __device__ void sort(K (&keys)[N], V (*values)[N], Less less, bool is_striped) {
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      int at = rank * N + i;
      room.keys[at] = keys[i];
      room.from[at] = at;
      if (values) room.values[at] = (*values)[i];
    }
    __syncthreads();
    sorted_places<COUNT, N, K>(room.keys, room.from, rank, less);
    for (int i = 0; i < N; ++i) {
      int at = is_striped ? i * COUNT + rank : rank * N + i;
      keys[i] = room.keys[at];
      if (values) (*values)[i] = room.values[room.from[at]];
    }
  }
};

}  // namespace xgpu_cub

namespace cub {

template <
    typename K, int X, int N, typename V = NullType, int RADIX_BITS = 4, bool MEMOIZE = true,
    BlockScanAlgorithm SCAN = BLOCK_SCAN_WARP_SCANS, int BANKS = 0, int Y = 1, int Z = 1>
class BlockRadixSort : public xgpu_cub::BlockSort<K, X, N, V, Y, Z> {
  typedef xgpu_cub::BlockSort<K, X, N, V, Y, Z> Base;
  static constexpr int BITS = 8 * sizeof(K);

 public:
  using Base::Base;
#define XGPU_CUB_SORT(NAME, IS_DESCENDING, IS_STRIPED)                                         \
  __device__ void NAME(K (&keys)[N], int begin = 0, int end = BITS) {                          \
    xgpu_cub::BitsLess<K> less(begin, end, IS_DESCENDING);                                     \
    this->sort(keys, nullptr, less, IS_STRIPED);                                               \
  }                                                                                            \
  __device__ void NAME(K (&keys)[N], V (&values)[N], int begin = 0, int end = BITS) {          \
    xgpu_cub::BitsLess<K> less(begin, end, IS_DESCENDING);                                     \
    this->sort(keys, &values, less, IS_STRIPED);                                               \
  }
  XGPU_CUB_SORT(Sort, false, false)
  XGPU_CUB_SORT(SortDescending, true, false)
  XGPU_CUB_SORT(SortBlockedToStriped, false, true)
  XGPU_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef XGPU_CUB_SORT
};

template <typename K, int X, int N, typename V = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : public xgpu_cub::BlockSort<K, X, N, V, Y, Z> {
  typedef xgpu_cub::BlockSort<K, X, N, V, Y, Z> Base;

 public:
  using Base::Base;
  template <typename Less> __device__ void Sort(K (&keys)[N], Less less) {
    this->sort(keys, nullptr, less, false);
  }
  template <typename Less> __device__ void Sort(K (&keys)[N], V (&values)[N], Less less) {
    this->sort(keys, &values, less, false);
  }
  template <typename... Given> __device__ void StableSort(Given &&...given) { Sort(given...); }
};

template <
    typename T, int X, int N, int BINS, BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT,
    int Y = 1, int Z = 1, int ARCHITECTURE = 0>
class BlockHistogram {
 public:
  struct TempStorage {};
  __device__ BlockHistogram() {}
  __device__ BlockHistogram(TempStorage &) {}
  template <typename C> __device__ void InitHistogram(C (&counts)[BINS]) {
    for (int i = xgpu_cub::block_rank<X, Y, Z>(); i < BINS; i += X * Y * Z) counts[i] = 0;
    __syncthreads();
  }
  template <typename C> __device__ void Composite(T (&items)[N], C (&counts)[BINS]) {
    for (int i = 0; i < N; ++i) atomicAdd(&counts[items[i]], C(1));
    __syncthreads();
  }
  template <typename C> __device__ void Histogram(T (&items)[N], C (&counts)[BINS]) {
    InitHistogram(counts);
    Composite(items, counts);
  }
};

// -- comparisons of neighbours, in blocked arrangement

template <typename T, int X, int Y = 1, int Z = 1, int ARCHITECTURE = 0>
class BlockAdjacentDifference {
  static constexpr int COUNT = X * Y * Z;

 public:
  typedef xgpu_cub::Values<T, COUNT> TempStorage;
  __device__ BlockAdjacentDifference() : room(own()), rank(xgpu_cub::block_rank<X, Y, Z>()) {}
  __device__ BlockAdjacentDifference(TempStorage &storage)
      : room(storage), rank(xgpu_cub::block_rank<X, Y, Z>()) {}
  // The first of all values stays, unless what is before it is given.
  template <int N, typename Out, typename Op>
  __device__ void SubtractLeft(T (&in)[N], Out (&out)[N], Op op) {
    left(in, out, op, (T *)nullptr);
  }
  template <int N, typename Out, typename Op>
  __device__ void SubtractLeft(T (&in)[N], Out (&out)[N], Op op, T before) {
    left(in, out, op, &before);
  }
  template <int N, typename Out, typename Op>
  __device__ void SubtractRight(T (&in)[N], Out (&out)[N], Op op) {
    right(in, out, op, (T *)nullptr);
  }
  template <int N, typename Out, typename Op>
  __device__ void SubtractRight(T (&in)[N], Out (&out)[N], Op op, T behind) {
    right(in, out, op, &behind);
  }

 private:
  TempStorage &room;
  int rank;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <int N, typename Out, typename Op>
  __device__ void left(T (&in)[N], Out (&out)[N], Op op, T *before) {
    room[rank] = in[N - 1];
    __syncthreads();
    for (int i = N - 1; i > 0; --i) out[i] = op(in[i], in[i - 1]);
    if (rank > 0) out[0] = op(in[0], room[rank - 1]);
    else if (before) out[0] = op(in[0], *before);
    else out[0] = in[0];
  }
  template <int N, typename Out, typename Op>
  __device__ void right(T (&in)[N], Out (&out)[N], Op op, T *behind) {
    room[rank] = in[0];
    __syncthreads();
    for (int i = 0; i < N - 1; ++i) out[i] = op(in[i], in[i + 1]);
    if (rank < COUNT - 1) out[N - 1] = op(in[N - 1], room[rank + 1]);
    else if (behind) out[N - 1] = op(in[N - 1], *behind);
    else out[N - 1] = in[N - 1];
  }
};

template <typename T, int X, int Y = 1, int Z = 1, int ARCHITECTURE = 0> class BlockDiscontinuity {
  static constexpr int COUNT = X * Y * Z;

 public:
  struct TempStorage {
    xgpu_cub::Values<T, COUNT> first, last;
  };
  __device__ BlockDiscontinuity() : room(own()), rank(xgpu_cub::block_rank<X, Y, Z>()) {}
  __device__ BlockDiscontinuity(TempStorage &storage)
      : room(storage), rank(xgpu_cub::block_rank<X, Y, Z>()) {}
  // The first of all values is a head and the last a tail.
  template <int N, typename Flag, typename Op>
  __device__ void FlagHeads(Flag (&heads)[N], T (&in)[N], Op op) {
    room.last[rank] = in[N - 1];
    __syncthreads();
    heads[0] = rank == 0 || op(room.last[rank - 1], in[0]);
    for (int i = 1; i < N; ++i) heads[i] = op(in[i - 1], in[i]);
  }
  template <int N, typename Flag, typename Op>
  __device__ void FlagTails(Flag (&tails)[N], T (&in)[N], Op op) {
    room.first[rank] = in[0];
    __syncthreads();
    for (int i = 0; i < N - 1; ++i) tails[i] = op(in[i], in[i + 1]);
    tails[N - 1] = rank == COUNT - 1 || op(in[N - 1], room.first[rank + 1]);
  }
  template <int N, typename Flag, typename Op>
  __device__ void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T (&in)[N], Op op) {
    FlagHeads(heads, in, op);
    FlagTails(tails, in, op);
  }

 private:
  TempStorage &room;
  int rank;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

}  // namespace cub
