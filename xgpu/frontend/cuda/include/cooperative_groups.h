// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups: the grid, the block, tiles of a block, coalesced threads; reductions, scans
// and copies of a group.
#pragma once
#include <cuda_runtime.h>

namespace cooperative_groups {
XGPU_DEVICE unsigned int xgpu_thread_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
XGPU_DEVICE unsigned int xgpu_block_size() { return blockDim.x * blockDim.y * blockDim.z; }

// -- the block

// What a block's tiles of several warps need, in shared memory: a counter of the warps of each tile
// that arrive (as those of a grid's blocks below), and a value of each warp.
struct __align__(16) xgpu_tiles {
  struct __align__(16) value { char bytes[16]; } values[32];
  unsigned int arrivals[16];
};
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory { xgpu_tiles xgpu_memory; };

struct thread_block {
  xgpu_tiles *xgpu_memory;
  static XGPU_METHOD void sync() { __syncthreads(); }
  // A block by itself is a cluster, whose barrier has two parts. In larger ones, and before sm_90,
  // who waits does so until all have come to wait.
  struct arrival_token {};
  static XGPU_METHOD arrival_token barrier_arrive() {
#if __CUDA_ARCH__ >= 900
    if (__nvvm_read_ptx_sreg_cluster_nctarank() == 1) __nvvm_barrier_cluster_arrive();
#endif
    return {};
  }
  static XGPU_METHOD void barrier_wait(arrival_token &&) {
#if __CUDA_ARCH__ >= 900
    if (__nvvm_read_ptx_sreg_cluster_nctarank() == 1) return __nvvm_barrier_cluster_wait();
#endif
    __syncthreads();
  }
  static XGPU_METHOD unsigned int thread_rank() { return xgpu_thread_rank(); }
  static XGPU_METHOD unsigned int size() { return xgpu_block_size(); }
  static XGPU_METHOD unsigned int num_threads() { return xgpu_block_size(); }
  static XGPU_METHOD dim3 group_index() { return blockIdx; }
  static XGPU_METHOD dim3 thread_index() { return threadIdx; }
  static XGPU_METHOD dim3 group_dim() { return blockDim; }
  static XGPU_METHOD dim3 dim_threads() { return blockDim; }
};
XGPU_DEVICE thread_block this_thread_block() { return {nullptr}; }
template <unsigned int N> XGPU_DEVICE thread_block this_thread_block(block_tile_memory<N> &memory) {
  if (xgpu_thread_rank() < 16) memory.xgpu_memory.arrivals[xgpu_thread_rank()] = 0;
  __syncthreads();
  return {&memory.xgpu_memory};
}

// A shuffle of a structure of words is one of each word.
template <typename T, typename F> XGPU_DEVICE T xgpu_by_words(T v, F shuffle) {
  if constexpr (__is_class(T) && sizeof(T) % sizeof(int) == 0) {
    struct words { int word[sizeof(T) / sizeof(int)]; } found = __builtin_bit_cast(words, v);
    for (int &word : found.word) word = shuffle(word);
    return __builtin_bit_cast(T, found);
  } else {
    return shuffle(v);
  }
}

// -- the grid

// What the driver gives a cooperative launch, and no other. `arrivals` are those of blocks: the
// upper bit changes when all have come, for one block adds what is missing to it, each other one.
struct xgpu_grid_workspace {
  unsigned int bytes, arrivals;
};

struct grid_group {
  xgpu_grid_workspace *xgpu_workspace;
  XGPU_METHOD bool is_valid() const { return xgpu_workspace != nullptr; }
  XGPU_METHOD unsigned long long num_blocks() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  XGPU_METHOD unsigned long long block_rank() const {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  XGPU_METHOD unsigned long long size() const { return num_blocks() * xgpu_block_size(); }
  XGPU_METHOD unsigned long long num_threads() const { return size(); }
  XGPU_METHOD unsigned long long thread_rank() const {
    return block_rank() * xgpu_block_size() + xgpu_thread_rank();
  }
  XGPU_METHOD dim3 group_dim() const { return gridDim; }
  XGPU_METHOD dim3 dim_blocks() const { return gridDim; }
  XGPU_METHOD dim3 block_index() const { return blockIdx; }
  // What the arrivals were before, in the block's first thread.
  struct arrival_token { unsigned int xgpu_before; };
  XGPU_METHOD arrival_token barrier_arrive() const {
    if (!is_valid()) __trap();
    __syncthreads();
    if (xgpu_thread_rank() != 0) return {0};
    unsigned int others = (unsigned int)num_blocks() - 1;
    unsigned int mine = block_rank() == 0 ? 0x80000000u - others : 1u;
    return {__atomic_fetch_add(&xgpu_workspace->arrivals, mine, __ATOMIC_ACQ_REL)};
  }
  XGPU_METHOD void barrier_wait(arrival_token &&token) const {
    if (xgpu_thread_rank() == 0) {
      unsigned int *arrivals = &xgpu_workspace->arrivals;
      while (((__atomic_load_n(arrivals, __ATOMIC_ACQUIRE) ^ token.xgpu_before) >> 31) == 0) {
      }
    }
    __syncthreads();
  }
  XGPU_METHOD void sync() const { barrier_wait(barrier_arrive()); }
};
XGPU_DEVICE grid_group this_grid() {
  unsigned int low, high;
  __asm__("mov.u32 %0, %%envreg1;" : "=r"(low));
  __asm__("mov.u32 %0, %%envreg2;" : "=r"(high));
  return {(xgpu_grid_workspace *)((unsigned long long)high << 32 | low)};
}

// -- the cluster: blocks of the grid that are on processors beside each other

struct cluster_group {
  static XGPU_METHOD dim3 block_index() {
    return {__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(),
            __nvvm_read_ptx_sreg_cluster_ctaid_z()};
  }
  static XGPU_METHOD dim3 dim_blocks() {
    return {__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(),
            __nvvm_read_ptx_sreg_cluster_nctaid_z()};
  }
  static XGPU_METHOD unsigned int block_rank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
  static XGPU_METHOD unsigned int num_blocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
  static XGPU_METHOD dim3 dim_threads() {
    dim3 n = dim_blocks();
    return {n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z};
  }
  static XGPU_METHOD dim3 thread_index() {
    dim3 i = block_index();
    return {i.x * blockDim.x + threadIdx.x, i.y * blockDim.y + threadIdx.y,
            i.z * blockDim.z + threadIdx.z};
  }
  static XGPU_METHOD unsigned int num_threads() { return num_blocks() * xgpu_block_size(); }
  static XGPU_METHOD unsigned int size() { return num_threads(); }
  static XGPU_METHOD unsigned int thread_rank() {
    return block_rank() * xgpu_block_size() + xgpu_thread_rank();
  }
  struct arrival_token {};
  static XGPU_METHOD arrival_token barrier_arrive() {
    __nvvm_barrier_cluster_arrive();
    return {};
  }
  static XGPU_METHOD void barrier_wait() { __nvvm_barrier_cluster_wait(); }
  static XGPU_METHOD void barrier_wait(arrival_token &&) { barrier_wait(); }
  static XGPU_METHOD void sync() {
    barrier_arrive();
    barrier_wait();
  }
  // A variable in shared memory, as the block of a rank has it.
  template <typename T> static XGPU_METHOD T *map_shared_rank(T *p, int rank) {
    T *found;
    __asm__("mapa.u64 %0, %1, %2;" : "=l"(found) : "l"(p), "r"(rank));
    return found;
  }
};
XGPU_DEVICE cluster_group this_cluster() { return {}; }

// -- tiles: groups of a power of two of neighbours in a warp

template <unsigned int N> struct xgpu_tile {
  static_assert(N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  static XGPU_METHOD unsigned int thread_rank() { return xgpu_thread_rank() & (N - 1); }
  static constexpr XGPU_BOTH_METHOD unsigned int size() { return N; }
  static constexpr XGPU_BOTH_METHOD unsigned int num_threads() { return N; }
  static XGPU_METHOD unsigned int meta_group_rank() { return xgpu_thread_rank() / N; }
  static XGPU_METHOD unsigned int meta_group_size() { return (xgpu_block_size() + N - 1) / N; }
  static XGPU_METHOD unsigned int xgpu_first() { return xgpu_thread_rank() & 31 & ~(N - 1); }
  static XGPU_METHOD unsigned int xgpu_mask() {
    if (N == 32) return 0xffffffffu;
    return ((1u << (N & 31)) - 1) << xgpu_first();
  }
  XGPU_METHOD void sync() const { __syncwarp(xgpu_mask()); }
  template <typename T> XGPU_METHOD T shfl(T v, int from) const {
    return xgpu_by_words(v, [=](auto w) { return __shfl_sync(xgpu_mask(), w, from, N); });
  }
  template <typename T> XGPU_METHOD T shfl_up(T v, unsigned int by) const {
    return xgpu_by_words(v, [=](auto w) { return __shfl_up_sync(xgpu_mask(), w, by, N); });
  }
  template <typename T> XGPU_METHOD T shfl_down(T v, unsigned int by) const {
    return xgpu_by_words(v, [=](auto w) { return __shfl_down_sync(xgpu_mask(), w, by, N); });
  }
  template <typename T> XGPU_METHOD T shfl_xor(T v, unsigned int with) const {
    return xgpu_by_words(v, [=](auto w) { return __shfl_xor_sync(xgpu_mask(), w, with, N); });
  }
  XGPU_METHOD int any(int p) const { return __any_sync(xgpu_mask(), p); }
  XGPU_METHOD int all(int p) const { return __all_sync(xgpu_mask(), p); }
  XGPU_METHOD unsigned int ballot(int p) const {
    return __ballot_sync(xgpu_mask(), p) >> xgpu_first();
  }
  template <typename T> XGPU_METHOD unsigned int match_any(T v) const {
    return __match_any_sync(xgpu_mask(), v) >> xgpu_first();
  }
  template <typename T> XGPU_METHOD unsigned int match_all(T v, int &p) const {
    return __match_all_sync(xgpu_mask(), v, &p) >> xgpu_first();
  }
  template <typename T, typename F> XGPU_METHOD T xgpu_reduce(T v, F f) const {
#pragma unroll
    for (unsigned int by = N / 2; by > 0; by /= 2) v = f(v, shfl_xor(v, by));
    return v;
  }
  template <typename T, typename F> XGPU_METHOD T xgpu_scan(T v, F f) const {
#pragma unroll
    for (unsigned int by = 1; by < N; by *= 2) {
      T other = shfl_up(v, by);
      if (thread_rank() >= by) v = f(other, v);
    }
    return v;
  }
};

// -- tiles of several warps, of a block with memory for them

template <unsigned int N> struct xgpu_wide_tile {
  static_assert(N <= 1024 && (N & (N - 1)) == 0, "a tile has a power of two of threads, at most 1024");
  xgpu_tiles *xgpu_memory;
  static XGPU_METHOD unsigned int thread_rank() { return xgpu_thread_rank() & (N - 1); }
  static constexpr XGPU_BOTH_METHOD unsigned int size() { return N; }
  static constexpr XGPU_BOTH_METHOD unsigned int num_threads() { return N; }
  static XGPU_METHOD unsigned int meta_group_rank() { return xgpu_thread_rank() / N; }
  static XGPU_METHOD unsigned int meta_group_size() { return (xgpu_block_size() + N - 1) / N; }
  XGPU_METHOD void sync() const {
    __syncwarp();
    if ((xgpu_thread_rank() & 31) == 0) {
      unsigned int *arrivals = &xgpu_memory->arrivals[meta_group_rank()];
      unsigned int mine = thread_rank() == 0 ? 0x80000000u - (N / 32 - 1) : 1u;
      unsigned int before = __atomic_fetch_add(arrivals, mine, __ATOMIC_ACQ_REL);
      while (((__atomic_load_n(arrivals, __ATOMIC_ACQUIRE) ^ before) >> 31) == 0) {
      }
    }
    __syncwarp();
  }
  template <typename T> XGPU_METHOD T &xgpu_value(unsigned int warp) const {
    static_assert(sizeof(T) <= 16, "xgpu's tiles of several warps share values of at most 16 bytes");
    return *(T *)&xgpu_memory->values[xgpu_thread_rank() / N * (N / 32) + warp];
  }
  template <typename T> XGPU_METHOD T shfl(T v, unsigned int from) const {
    if (thread_rank() == from % N) xgpu_value<T>(0) = v;
    sync();
    T found = xgpu_value<T>(0);
    sync();
    return found;
  }
  template <typename T, typename F> XGPU_METHOD T xgpu_reduce(T v, F f) const {
    v = xgpu_tile<32>().xgpu_reduce(v, f);
    if ((thread_rank() & 31) == 0) xgpu_value<T>(thread_rank() / 32) = v;
    sync();
    T sum = xgpu_value<T>(0);
    for (unsigned int i = 1; i < N / 32; ++i) sum = f(sum, xgpu_value<T>(i));
    sync();
    return sum;
  }
  XGPU_METHOD int any(int p) const {
    return xgpu_reduce(p != 0, [](int a, int b) { return a | b; });
  }
  XGPU_METHOD int all(int p) const {
    return xgpu_reduce(p != 0, [](int a, int b) { return a & b; });
  }
};

template <unsigned int N, typename Parent = void, bool IsWide = (N > 32)>
struct thread_block_tile : xgpu_tile<N> {
  thread_block_tile() = default;
  template <typename P> XGPU_METHOD thread_block_tile(const thread_block_tile<N, P> &) {}
  template <typename P> static XGPU_METHOD thread_block_tile xgpu_of(const P &) { return {}; }
};
template <unsigned int N, typename Parent>
struct thread_block_tile<N, Parent, true> : xgpu_wide_tile<N> {
  XGPU_METHOD thread_block_tile(xgpu_tiles *memory) : xgpu_wide_tile<N>{memory} {}
  template <typename P>
  XGPU_METHOD thread_block_tile(const thread_block_tile<N, P> &other)
      : xgpu_wide_tile<N>{other.xgpu_memory} {}
  // A block without memory for it: CUDA has no such tile.
  template <typename P> static XGPU_METHOD thread_block_tile xgpu_of(const P &parent) {
    if (parent.xgpu_memory == nullptr) __trap();
    return {parent.xgpu_memory};
  }
};
template <unsigned int N, typename P>
XGPU_METHOD thread_block_tile<N, P> tiled_partition(const P &parent) {
  return thread_block_tile<N, P>::xgpu_of(parent);
}

// -- threads of a warp that are here together

struct coalesced_group {
  unsigned int xgpu_members;
  XGPU_METHOD unsigned int xgpu_mask() const { return xgpu_members; }
  XGPU_METHOD unsigned int size() const { return __popc(xgpu_members); }
  XGPU_METHOD unsigned int num_threads() const { return size(); }
  XGPU_METHOD unsigned int thread_rank() const { return __popc(xgpu_members & __lanemask_lt()); }
  XGPU_METHOD unsigned int meta_group_rank() const { return 0; }
  XGPU_METHOD unsigned int meta_group_size() const { return 1; }
  XGPU_METHOD void sync() const { __syncwarp(xgpu_members); }
  XGPU_METHOD unsigned int xgpu_lane(unsigned int rank) const {
    unsigned int left = xgpu_members;
    for (unsigned int i = 0; i < rank; ++i) left &= left - 1;
    return __ffs((int)left) - 1;
  }
  // Bits of lanes as bits of ranks.
  XGPU_METHOD unsigned int xgpu_packed(unsigned int lanes) const {
    unsigned int packed = 0, rank = 0;
    for (unsigned int left = xgpu_members; left != 0; left &= left - 1, ++rank)
      packed |= (lanes >> (__ffs((int)left) - 1) & 1u) << rank;
    return packed;
  }
  template <typename T> XGPU_METHOD T shfl(T v, unsigned int from) const {
    return xgpu_from(v, xgpu_lane(from % size()));
  }
  template <typename T> XGPU_METHOD T shfl_down(T v, unsigned int by) const {
    unsigned int to = thread_rank() + by;
    return xgpu_from(v, xgpu_lane(to < size() ? to : thread_rank()));
  }
  template <typename T> XGPU_METHOD T shfl_up(T v, unsigned int by) const {
    unsigned int rank = thread_rank();
    return xgpu_from(v, xgpu_lane(rank >= by ? rank - by : rank));
  }
  template <typename T> XGPU_METHOD T xgpu_from(T v, unsigned int lane) const {
    return xgpu_by_words(v, [=](auto w) { return __shfl_sync(xgpu_members, w, (int)lane); });
  }
  XGPU_METHOD int any(int p) const { return __any_sync(xgpu_members, p); }
  XGPU_METHOD int all(int p) const { return __all_sync(xgpu_members, p); }
  XGPU_METHOD unsigned int ballot(int p) const {
    return xgpu_packed(__ballot_sync(xgpu_members, p));
  }
  template <typename T> XGPU_METHOD unsigned int match_any(T v) const {
    return xgpu_packed(__match_any_sync(xgpu_members, v));
  }
  template <typename T, typename F> XGPU_METHOD T xgpu_reduce(T v, F f) const {
    T sum = shfl(v, 0);
    for (unsigned int i = 1; i < size(); ++i) sum = f(sum, shfl(v, i));
    return sum;
  }
  template <typename T, typename F> XGPU_METHOD T xgpu_scan(T v, F f) const {
    T sum = shfl(v, 0);
    for (unsigned int i = 1; i < size(); ++i) {
      T next = shfl(v, i);
      if (i <= thread_rank()) sum = f(sum, next);
    }
    return sum;
  }
};
XGPU_DEVICE coalesced_group coalesced_threads() { return {__activemask()}; }

// -- any group of a block: all of its threads, where there are no lanes, or some lanes of a warp

struct thread_group {
  coalesced_group xgpu_lanes;
  XGPU_METHOD thread_group(const thread_block &) : xgpu_lanes{0} {}
  XGPU_METHOD thread_group(const coalesced_group &lanes) : xgpu_lanes(lanes) {}
  template <unsigned int N, typename P>
  XGPU_METHOD thread_group(const thread_block_tile<N, P> &tile) : xgpu_lanes{tile.xgpu_mask()} {}
  XGPU_METHOD bool xgpu_is_block() const { return xgpu_lanes.xgpu_members == 0; }
  XGPU_METHOD unsigned int size() const {
    return xgpu_is_block() ? xgpu_block_size() : xgpu_lanes.size();
  }
  XGPU_METHOD unsigned int num_threads() const { return size(); }
  XGPU_METHOD unsigned int thread_rank() const {
    return xgpu_is_block() ? xgpu_thread_rank() : xgpu_lanes.thread_rank();
  }
  XGPU_METHOD void sync() const {
    if (xgpu_is_block()) __syncthreads();
    else xgpu_lanes.sync();
  }
};
template <typename P> XGPU_METHOD thread_group tiled_partition(const P &, unsigned int n) {
  unsigned int first = xgpu_thread_rank() & 31 & ~(n - 1);
  return coalesced_group{n >= 32 ? 0xffffffffu : ((1u << n) - 1) << first};
}
// Of a coalesced group or of a tile.
template <typename G> XGPU_METHOD coalesced_group binary_partition(const G &g, bool p) {
  unsigned int with = __ballot_sync(g.xgpu_mask(), p);
  return {p ? with : g.xgpu_mask() & ~with};
}
template <typename G, typename T>
XGPU_METHOD coalesced_group labeled_partition(const G &g, T label) {
  return {__match_any_sync(g.xgpu_mask(), label)};
}

// -- what all groups have

template <typename G> XGPU_METHOD void sync(const G &group) { group.sync(); }

// A thread of a group calls a function; all threads of a tile, or that are together, get its result.
template <typename G, typename F, typename... A>
XGPU_METHOD void invoke_one(const G &group, F &&f, A &&...given) {
  if (group.thread_rank() == 0) f(static_cast<A &&>(given)...);
}
template <typename G, typename F, typename... A>
XGPU_METHOD auto invoke_one_broadcast(const G &group, F &&f, A &&...given)
    -> decltype(f(static_cast<A &&>(given)...)) {
  decltype(f(static_cast<A &&>(given)...)) found{};
  if (group.thread_rank() == 0) found = f(static_cast<A &&>(given)...);
  return group.shfl(found, 0);
}
template <typename G> XGPU_METHOD unsigned int thread_rank(const G &group) {
  return group.thread_rank();
}
template <typename G> XGPU_METHOD unsigned int group_size(const G &group) { return group.size(); }

template <typename T = void> struct plus {
  XGPU_METHOD T operator()(T a, T b) const { return a + b; }
};
template <typename T = void> struct less {
  XGPU_METHOD T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T = void> struct greater {
  XGPU_METHOD T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T = void> struct bit_and {
  XGPU_METHOD T operator()(T a, T b) const { return a & b; }
};
template <typename T = void> struct bit_or {
  XGPU_METHOD T operator()(T a, T b) const { return a | b; }
};
template <typename T = void> struct bit_xor {
  XGPU_METHOD T operator()(T a, T b) const { return a ^ b; }
};
template <typename G, typename T, typename F> XGPU_METHOD T reduce(const G &group, T v, F f) {
  return group.xgpu_reduce(v, f);
}
template <typename G, typename T, typename F>
XGPU_METHOD T inclusive_scan(const G &group, T v, F f) {
  return group.xgpu_scan(v, f);
}
template <typename G, typename T> XGPU_METHOD T inclusive_scan(const G &group, T v) {
  return group.xgpu_scan(v, plus<T>());
}
template <typename G, typename T, typename F>
XGPU_METHOD T exclusive_scan(const G &group, T v, F f) {
  T sum = group.shfl_up(group.xgpu_scan(v, f), 1);
  return group.thread_rank() == 0 ? T() : sum;
}
template <typename G, typename T> XGPU_METHOD T exclusive_scan(const G &group, T v) {
  return exclusive_scan(group, v, plus<T>());
}

template <typename G, typename T>
XGPU_METHOD void memcpy_async(const G &group, T *to, const T *from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size()) to[i] = from[i];
}
template <typename G> XGPU_METHOD void wait(const G &group) { group.sync(); }
template <unsigned int N, typename G> XGPU_METHOD void wait_prior(const G &group) { group.sync(); }
}  // namespace cooperative_groups
