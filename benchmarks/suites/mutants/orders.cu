// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Correct kernels with what CUDA C++ has no word for, and with asynchronous copies and barriers of
// parts of a block. As in `kernels.cu`, each one begins with its name, blocks, threads and elements.

#include <cuda_pipeline_primitives.h>

#define ACCESSES(SUFFIX, SCOPE)                                                                    \
  __device__ int load_relaxed##SUFFIX(int *p) {                                                    \
    int v;                                                                                         \
    asm volatile("ld.relaxed." SCOPE ".b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");              \
    return v;                                                                                      \
  }                                                                                                \
  __device__ int load_acquire##SUFFIX(int *p) {                                                    \
    int v;                                                                                         \
    asm volatile("ld.acquire." SCOPE ".b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");              \
    return v;                                                                                      \
  }                                                                                                \
  __device__ void store_relaxed##SUFFIX(int *p, int v) {                                           \
    asm volatile("st.relaxed." SCOPE ".b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");                \
  }                                                                                                \
  __device__ void store_release##SUFFIX(int *p, int v) {                                           \
    asm volatile("st.release." SCOPE ".b32 [%0], %1;" ::"l"(p), "r"(v) : "memory");                \
  }                                                                                                \
  __device__ int add_relaxed##SUFFIX(int *p, int v) {                                              \
    int old;                                                                                       \
    asm volatile("atom.relaxed." SCOPE ".add.s32 %0, [%1], %2;"                                    \
                 : "=r"(old) : "l"(p), "r"(v) : "memory");                                         \
    return old;                                                                                    \
  }                                                                                                \
  __device__ int add_acq_rel##SUFFIX(int *p, int v) {                                              \
    int old;                                                                                       \
    asm volatile("atom.acq_rel." SCOPE ".add.s32 %0, [%1], %2;"                                    \
                 : "=r"(old) : "l"(p), "r"(v) : "memory");                                         \
    return old;                                                                                    \
  }                                                                                                \
  __device__ void fence_acq_rel##SUFFIX() {                                                        \
    asm volatile("fence.acq_rel." SCOPE ";" ::: "memory");                                         \
  }
ACCESSES(, "gpu")
ACCESSES(_block, "cta")

__device__ void barrier_sync(int number, int threads) {
  asm volatile("barrier.cta.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ void barrier_arrive(int number, int threads) {
  asm volatile("barrier.cta.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ unsigned in_shared(unsigned long long *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ void mbarrier_init(unsigned long long *b, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(in_shared(b)), "r"(count) : "memory");
}
__device__ void mbarrier_arrive(unsigned long long *b) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(in_shared(b)) : "memory");
}
__device__ void mbarrier_wait(unsigned long long *b, int parity) {
  unsigned over = 0;
  while (!over)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2;"
                 " selp.u32 %0, 1, 0, p; }"
                 : "=r"(over) : "r"(in_shared(b)), "r"(parity) : "memory");
}

// message_release 2 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    tmp[1] = in[0];
    store_release(&tmp[0], 1);
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (load_acquire(&tmp[0]) == 0);
    out[0] = tmp[1];
  }
}

// message_fences 2 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    tmp[1] = in[0];
    fence_acq_rel();
    store_relaxed(&tmp[0], 1);
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    while (load_relaxed(&tmp[0]) == 0);
    fence_acq_rel();
    out[0] = tmp[1];
  }
}

// message_of_a_warp 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int t = threadIdx.x;
  if (t == 32) {
    tmp[1] = in[0];
    tmp[2] = in[1];
    store_release_block(&tmp[0], 1);
  }
  if (t == 0) {
    while (load_acquire_block(&tmp[0]) == 0);
    out[0] = tmp[1] - tmp[2];
  }
}

// relay_release 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    int v = 0;
    if (b > 0) {
      while (load_acquire(&tmp[b]) == 0);
      v = tmp[32 + b];
    }
    out[b] = v + in[b];
    tmp[33 + b] = v + in[b];
    store_release(&tmp[b + 1], 1);
  }
}

// tickets_release 4 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  if (threadIdx.x == 0) {
    int mine = add_relaxed(&tmp[0], 1);
    while (load_acquire(&tmp[1]) != mine);
    out[0] = out[0] + in[blockIdx.x];
    store_release(&tmp[1], mine + 1);
  }
}

// last_block_release 4 64 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int last;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  out[i] = in[i] + 1;
  __syncthreads();
  if (t == 0) last = add_acq_rel(&tmp[0], 1) == 3;
  __syncthreads();
  if (last && t < 4) out[t] = out[t] + out[64 + t] + out[128 + t] + out[192 + t];
}

// grid_barrier_release 2 32 256
__global__ void k(const int *in, int *out, int *tmp, int n) {
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  out[i] = in[i];
  __syncthreads();
  if (t == 0) {
    add_acq_rel(&tmp[0], 1);
    while (load_acquire(&tmp[0]) < gridDim.x);
  }
  __syncthreads();
  out[128 + i] = out[63 - i];
}

// copied_once 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[63 - t];
}

// copied_for_itself 2 32 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[32];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  __pipeline_memcpy_async(&s[t], &in[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[i] = 2 * s[t];
}

// copied_in_turns 1 32 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[2][32];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  for (int tile = 0; tile < 4; tile++) {
    if (tile < 3) __pipeline_memcpy_async(&s[1 - tile % 2][t], &in[32 * tile + 32 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[32 * tile + t] = s[tile % 2][31 - t];
    __syncthreads();
  }
}

// copied_in_three_stages 2 32 384
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[3][32];
  int t = threadIdx.x, begin = blockIdx.x * 192;
  for (int stage = 0; stage < 2; stage++) {
    __pipeline_memcpy_async(&s[stage][t], &in[begin + 32 * stage + t], 4);
    __pipeline_commit();
  }
  for (int tile = 0; tile < 6; tile++) {
    __pipeline_wait_prior(1);
    __syncthreads();
    if (tile < 4) __pipeline_memcpy_async(&s[(tile + 2) % 3][t], &in[begin + 32 * tile + 64 + t], 4);
    __pipeline_commit();
    out[begin + 32 * tile + t] = s[tile % 3][t ^ 1];
  }
}

// halves 1 128 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, begin = t / 64 * 64;
  s[t] = in[t];
  barrier_sync(1 + t / 64, 64);
  int v = s[begin + 63 - t % 64];
  barrier_sync(1 + t / 64, 64);
  s[t] = 2 * v;
  barrier_sync(1 + t / 64, 64);
  out[t] = s[begin + (t + 1) % 64];
}

// producer_and_consumer 1 64 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  for (int tile = 0; tile < 4; tile++) {
    if (t < 32) {
      s[t] = in[32 * tile + t];
      barrier_arrive(1, 64);
      barrier_sync(2, 64);
    } else {
      barrier_sync(1, 64);
      out[32 * tile + t - 32] = s[63 - t];
      barrier_arrive(2, 64);
    }
  }
}

// mbarrier_once 1 64 64
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ unsigned long long full;
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t == 0) mbarrier_init(&full, 32);
  __syncthreads();
  if (t < 32) {
    s[t] = in[t];
    mbarrier_arrive(&full);
  } else {
    mbarrier_wait(&full, 0);
    out[t - 32] = s[63 - t];
  }
}

// mbarriers_in_turns 1 64 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ unsigned long long full, empty;
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t == 0) {
    mbarrier_init(&full, 32);
    mbarrier_init(&empty, 32);
  }
  __syncthreads();
  for (int tile = 0; tile < 4; tile++) {
    if (t < 32) {
      if (tile > 0) mbarrier_wait(&empty, (tile + 1) % 2);
      s[t] = in[32 * tile + t];
      mbarrier_arrive(&full);
    } else {
      mbarrier_wait(&full, tile % 2);
      out[32 * tile + t - 32] = s[63 - t];
      mbarrier_arrive(&empty);
    }
  }
}

// turned_in_a_warp 2 64 128
__global__ void k(const int *in, int *out, int *tmp, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncwarp();
  int v = s[t ^ 31];
  __syncwarp();
  s[t] = v + 1;
  __syncwarp();
  out[i] = s[t ^ 1];
}
