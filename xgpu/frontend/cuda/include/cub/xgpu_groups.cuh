// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's reductions and scans of a warp and a block.
//
// Any algorithm named as a template argument is accepted; there is one. Results of reductions are
// those of thread 0, as CUB defines them. Operators are associative and need not be commutative.
#pragma once
#include <xgpu/types.h>

#ifdef XGPU_WHOLE_PROGRAM
#include <limits>
#include <type_traits>
#include <utility>
#endif

namespace cub {

// -- operators and pairs

struct Sum {  // of what is narrower than an int, an int
  template <typename T, typename U>
  __host__ __device__ auto operator()(const T &a, const U &b) const {
    return a + b;
  }
};
struct Max {
  template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
    return b < a ? a : b;
  }
};
struct Min {
  template <typename T> __host__ __device__ T operator()(const T &a, const T &b) const {
    return b < a ? b : a;
  }
};
template <typename K, typename V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
};
// Of pairs (position, value); the first of equal values.
struct ArgMax {
  template <typename P> __host__ __device__ P operator()(const P &a, const P &b) const {
    return a.value < b.value || (!(b.value < a.value) && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <typename P> __host__ __device__ P operator()(const P &a, const P &b) const {
    return b.value < a.value || (!(a.value < b.value) && b.key < a.key) ? b : a;
  }
};

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm {
  BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS,
};

}  // namespace cub

namespace xgpu_cub {

// Room for values in shared memory, which constructs none.
template <typename T, int COUNT> struct Values {
  alignas(T) unsigned char bytes[COUNT * sizeof(T)];
  __device__ T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};

template <int X, int Y, int Z> __device__ int block_rank() {
  int rank = threadIdx.x;
  if (Y > 1) rank += X * threadIdx.y;
  if (Z > 1) rank += X * Y * threadIdx.z;
  return rank;
}

struct BlockWait { __device__ void operator()() const { __syncthreads(); } };
struct WarpWait { __device__ void operator()() const { __syncwarp(); } };

// The reduction of the values of `valid` of COUNT threads, for the first of them.
template <int COUNT, typename Wait, typename T, typename Op, typename Room>
__device__ T reduced(Room &room, int rank, T value, Op op, int valid, Wait wait) {
  room[rank] = value;
  wait();
  for (int by = 1; by < COUNT; by *= 2) {
    if (rank % (2 * by) == 0 && rank + by < valid) room[rank] = op(room[rank], room[rank + by]);
    wait();
  }
  return room[rank];
}

// The reduction of the values of all threads up to this one.
template <int COUNT, typename Wait, typename T, typename Op, typename Room>
__device__ T scanned(Room &room, int rank, T value, Op op, Wait wait) {
  room[rank] = value;
  wait();
  for (int by = 1; by < COUNT; by *= 2) {
    if (rank >= by) value = op(room[rank - by], value);
    wait();
    room[rank] = value;
    wait();
  }
  return value;
}

// Scans of COUNT threads, of one value or several each. `Group` has `room`, `rank`, and `Wait`.
template <typename T, int COUNT, typename Wait, typename Room> struct Scan {
  Room &room;
  int rank;

  template <typename Op> __device__ T inclusive(T in, T &out, Op op) {
    out = scanned<COUNT>(room, rank, in, op, Wait());
    return room[COUNT - 1];
  }
  // Whether there is a value before, which is `before`.
  template <typename Op> __device__ bool exclusive(T in, T &before, T &total, Op op) {
    T all;
    total = inclusive(in, all, op);
    if (rank > 0) before = room[rank - 1];
    return rank > 0;
  }
};

}  // namespace xgpu_cub

namespace cub {

// -- blocks

template <
    typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
    int ARCHITECTURE = 0>
class BlockReduce {
  static constexpr int COUNT = X * Y * Z;

 public:
  typedef xgpu_cub::Values<T, COUNT> TempStorage;
  __device__ BlockReduce() : room(own()) {}
  __device__ BlockReduce(TempStorage &storage) : room(storage) {}

  template <typename Op> __device__ T Reduce(T value, Op op) { return Reduce(value, op, COUNT); }
  template <typename Op> __device__ T Reduce(T value, Op op, int valid) {
    int rank = xgpu_cub::block_rank<X, Y, Z>();
    return xgpu_cub::reduced<COUNT>(room, rank, value, op, valid, xgpu_cub::BlockWait());
  }
  template <int N, typename Op> __device__ T Reduce(T (&values)[N], Op op) {
    T value = values[0];
    for (int i = 1; i < N; ++i) value = op(value, values[i]);
    return Reduce(value, op);
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int N> __device__ T Sum(T (&values)[N]) { return Reduce(values, cub::Sum()); }

 private:
  TempStorage &room;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
};

template <
    typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
    int ARCHITECTURE = 0>
class BlockScan {
  static constexpr int COUNT = X * Y * Z;
  // One more: what a callback says of the values before.
  typedef xgpu_cub::Values<T, COUNT + 1> Room;
  typedef xgpu_cub::Scan<T, COUNT, xgpu_cub::BlockWait, Room> Scan;

 public:
  typedef Room TempStorage;
  __device__ BlockScan() : scan{own(), xgpu_cub::block_rank<X, Y, Z>()} {}
  __device__ BlockScan(TempStorage &storage) : scan{storage, xgpu_cub::block_rank<X, Y, Z>()} {}

  template <typename Op> __device__ void InclusiveScan(T in, T &out, Op op) {
    scan.inclusive(in, out, op);
  }
  template <typename Op> __device__ void InclusiveScan(T in, T &out, Op op, T &total) {
    total = scan.inclusive(in, out, op);
  }
  // `prefix` is called by all threads of the first warp with the total, and says in its first
  // thread what comes before the block's values.
  template <typename Op, typename Prefix>
  __device__ void InclusiveScan(T in, T &out, Op op, Prefix &prefix) {
    T total = scan.inclusive(in, out, op);
    out = op(first(prefix, total), out);
  }
  template <int N, typename Op>
  __device__ void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
    T total;
    InclusiveScan(in, out, op, total);
  }
  template <int N, typename Op>
  __device__ void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &total) {
    T before;
    bool has = scan.exclusive(folded(in, op), before, total, op);
    passed_on(in, out, op, before, has);
  }
  template <int N, typename Op, typename Prefix>
  __device__ void InclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix &prefix) {
    T before, total;
    bool has = scan.exclusive(folded(in, op), before, total, op);
    T start = first(prefix, total);
    passed_on(in, out, op, has ? op(start, before) : start, true);
  }

  template <typename Op> __device__ void ExclusiveScan(T in, T &out, T initial, Op op) {
    T total;
    ExclusiveScan(in, out, initial, op, total);
  }
  template <typename Op> __device__ void ExclusiveScan(T in, T &out, T initial, Op op, T &total) {
    T before;
    bool has = scan.exclusive(in, before, total, op);
    out = has ? op(initial, before) : initial;
  }
  // What the first thread gets is not defined.
  template <typename Op> __device__ void ExclusiveScan(T in, T &out, Op op) {
    T total;
    scan.exclusive(in, out, total, op);
  }
  template <typename Op, typename Prefix>
  __device__ void ExclusiveScan(T in, T &out, Op op, Prefix &prefix) {
    T before, total;
    bool has = scan.exclusive(in, before, total, op);
    T start = first(prefix, total);
    out = has ? op(start, before) : start;
  }
  template <int N, typename Op>
  __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op) {
    T total;
    ExclusiveScan(in, out, initial, op, total);
  }
  template <int N, typename Op>
  __device__ void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T &total) {
    T before;
    bool has = scan.exclusive(folded(in, op), before, total, op);
    T value = has ? op(initial, before) : initial;
    for (int i = 0; i < N; ++i) {
      T next = op(value, in[i]);
      out[i] = value;
      value = next;
    }
  }

  template <typename V> __device__ void InclusiveSum(V &&in, T &out) {
    InclusiveScan(in, out, cub::Sum());
  }
  template <typename V> __device__ void InclusiveSum(V &&in, T &out, T &total) {
    InclusiveScan(in, out, cub::Sum(), total);
  }
  template <int N> __device__ void InclusiveSum(T (&in)[N], T (&out)[N]) {
    InclusiveScan(in, out, cub::Sum());
  }
  template <int N> __device__ void InclusiveSum(T (&in)[N], T (&out)[N], T &total) {
    InclusiveScan(in, out, cub::Sum(), total);
  }
  __device__ void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T in, T &out, T &total) {
    ExclusiveScan(in, out, T(), cub::Sum(), total);
  }
  template <typename Prefix> __device__ void ExclusiveSum(T in, T &out, Prefix &prefix) {
    ExclusiveScan(in, out, cub::Sum(), prefix);
  }
  template <int N> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N]) {
    ExclusiveScan(in, out, T(), cub::Sum());
  }
  template <int N> __device__ void ExclusiveSum(T (&in)[N], T (&out)[N], T &total) {
    ExclusiveScan(in, out, T(), cub::Sum(), total);
  }

 private:
  Scan scan;
  static __device__ TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <typename Prefix> __device__ T first(Prefix &prefix, T total) {
    if (scan.rank < 32) {
      T value = prefix(total);
      if (scan.rank == 0) scan.room[COUNT] = value;
    }
    __syncthreads();
    return scan.room[COUNT];
  }
  template <int N, typename Op> static __device__ T folded(T (&values)[N], Op op) {
    T value = values[0];
    for (int i = 1; i < N; ++i) value = op(value, values[i]);
    return value;
  }
  template <int N, typename Op>
  static __device__ void passed_on(T (&in)[N], T (&out)[N], Op op, T before, bool has) {
    T value = has ? op(before, in[0]) : in[0];
    out[0] = value;
    for (int i = 1; i < N; ++i) out[i] = value = op(value, in[i]);
  }
};

// -- warps

template <typename T, int COUNT = 32, int ARCHITECTURE = 0> class WarpReduce {
 public:
  typedef xgpu_cub::Values<T, COUNT> TempStorage;
  __device__ WarpReduce(TempStorage &storage) : room(storage) {}
  template <typename Op> __device__ T Reduce(T value, Op op) { return Reduce(value, op, COUNT); }
  template <typename Op> __device__ T Reduce(T value, Op op, int valid) {
    int rank = __laneid() % COUNT;
    return xgpu_cub::reduced<COUNT>(room, rank, value, op, valid, xgpu_cub::WarpWait());
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }

 private:
  TempStorage &room;
};

template <typename T, int COUNT = 32, int ARCHITECTURE = 0> class WarpScan {
  typedef xgpu_cub::Values<T, COUNT> Room;

 public:
  typedef Room TempStorage;
  __device__ WarpScan(TempStorage &storage) : scan{storage, int(__laneid()) % COUNT} {}
  template <typename Op> __device__ void InclusiveScan(T in, T &out, Op op) {
    scan.inclusive(in, out, op);
  }
  template <typename Op> __device__ void InclusiveScan(T in, T &out, Op op, T &total) {
    total = scan.inclusive(in, out, op);
  }
  template <typename Op> __device__ void ExclusiveScan(T in, T &out, T initial, Op op) {
    T total;
    ExclusiveScan(in, out, initial, op, total);
  }
  template <typename Op> __device__ void ExclusiveScan(T in, T &out, T initial, Op op, T &total) {
    T before;
    bool has = scan.exclusive(in, before, total, op);
    out = has ? op(initial, before) : initial;
  }
  __device__ void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
  __device__ void InclusiveSum(T in, T &out, T &total) {
    InclusiveScan(in, out, cub::Sum(), total);
  }
  __device__ void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T in, T &out, T &total) {
    ExclusiveScan(in, out, T(), cub::Sum(), total);
  }

 private:
  xgpu_cub::Scan<T, COUNT, xgpu_cub::WarpWait, Room> scan;
};

}  // namespace cub
