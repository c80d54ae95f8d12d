// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, fences, operations of a warp, atomic operations, loads, integers: all but floats.
#pragma once
#include <xgpu/types.h>
#include <xgpu/simd.h>

// -- barriers and fences

XGPU_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
XGPU_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
XGPU_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
XGPU_DEVICE void __syncwarp(unsigned int mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
XGPU_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
XGPU_DEVICE void __threadfence() { __nvvm_membar_gl(); }
XGPU_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

// -- operations of a warp

// The last operand of a shuffle: the number of the last lane, and which bits of a lane's number
// tell its segment.
XGPU_DEVICE int xgpu_segment(int width, int last) { return ((32 - width) << 8) | last; }
#define XGPU_SHUFFLES(T, S)                                                                    \
  XGPU_DEVICE T __shfl_sync(unsigned int m, T v, int lane, int width = 32) {                   \
    return (T)__nvvm_shfl_sync_idx_##S(m, v, lane, xgpu_segment(width, 31));                   \
  }                                                                                            \
  XGPU_DEVICE T __shfl_up_sync(unsigned int m, T v, unsigned int by, int width = 32) {         \
    return (T)__nvvm_shfl_sync_up_##S(m, v, by, xgpu_segment(width, 0));                       \
  }                                                                                            \
  XGPU_DEVICE T __shfl_down_sync(unsigned int m, T v, unsigned int by, int width = 32) {       \
    return (T)__nvvm_shfl_sync_down_##S(m, v, by, xgpu_segment(width, 31));                    \
  }                                                                                            \
  XGPU_DEVICE T __shfl_xor_sync(unsigned int m, T v, int with, int width = 32) {               \
    return (T)__nvvm_shfl_sync_bfly_##S(m, v, with, xgpu_segment(width, 31));                  \
  }
XGPU_SHUFFLES(int, i32)
XGPU_SHUFFLES(unsigned int, i32)
XGPU_SHUFFLES(float, f32)
#undef XGPU_SHUFFLES
struct xgpu_halves { int low, high; };
#define XGPU_SHUFFLE64(T, NAME, AMOUNT)                                                        \
  XGPU_DEVICE T NAME(unsigned int m, T v, AMOUNT by, int width = 32) {                         \
    xgpu_halves h = __builtin_bit_cast(xgpu_halves, v);                                        \
    h.low = NAME(m, h.low, by, width);                                                         \
    h.high = NAME(m, h.high, by, width);                                                       \
    return __builtin_bit_cast(T, h);                                                           \
  }
#define XGPU_SHUFFLES64(T)                                                                     \
  XGPU_SHUFFLE64(T, __shfl_sync, int)                                                          \
  XGPU_SHUFFLE64(T, __shfl_up_sync, unsigned int)                                              \
  XGPU_SHUFFLE64(T, __shfl_down_sync, unsigned int)                                            \
  XGPU_SHUFFLE64(T, __shfl_xor_sync, int)
XGPU_SHUFFLES64(long)
XGPU_SHUFFLES64(unsigned long)
XGPU_SHUFFLES64(long long)
XGPU_SHUFFLES64(unsigned long long)
XGPU_SHUFFLES64(double)
#undef XGPU_SHUFFLES64
#undef XGPU_SHUFFLE64

XGPU_DEVICE int __all_sync(unsigned int m, int p) { return __nvvm_vote_all_sync(m, p); }
XGPU_DEVICE int __any_sync(unsigned int m, int p) { return __nvvm_vote_any_sync(m, p); }
XGPU_DEVICE int __uni_sync(unsigned int m, int p) { return __nvvm_vote_uni_sync(m, p); }
XGPU_DEVICE unsigned int __ballot_sync(unsigned int m, int p) {
  return __nvvm_vote_ballot_sync(m, p);
}
XGPU_DEVICE unsigned int __activemask() {
  unsigned int mask;
  __asm__ volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
// Those of before sm_70, which name no threads: of all that are there.
#define XGPU_SHUFFLE_OF_ALL(NAME, AMOUNT)                                                      \
  template <typename T> XGPU_DEVICE T NAME(T v, AMOUNT by, int width = 32) {                   \
    return NAME##_sync(__activemask(), v, by, width);                                          \
  }
XGPU_SHUFFLE_OF_ALL(__shfl, int)
XGPU_SHUFFLE_OF_ALL(__shfl_up, unsigned int)
XGPU_SHUFFLE_OF_ALL(__shfl_down, unsigned int)
XGPU_SHUFFLE_OF_ALL(__shfl_xor, int)
#undef XGPU_SHUFFLE_OF_ALL
XGPU_DEVICE int __all(int p) { return __all_sync(__activemask(), p); }
XGPU_DEVICE int __any(int p) { return __any_sync(__activemask(), p); }
XGPU_DEVICE unsigned int __ballot(int p) { return __ballot_sync(__activemask(), p); }
XGPU_DEVICE unsigned int __laneid() { return __nvvm_read_ptx_sreg_laneid(); }
XGPU_DEVICE unsigned int __lanemask_eq() { return __nvvm_read_ptx_sreg_lanemask_eq(); }
XGPU_DEVICE unsigned int __lanemask_lt() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
XGPU_DEVICE unsigned int __lanemask_le() { return __nvvm_read_ptx_sreg_lanemask_le(); }
XGPU_DEVICE unsigned int __lanemask_gt() { return __nvvm_read_ptx_sreg_lanemask_gt(); }
XGPU_DEVICE unsigned int __lanemask_ge() { return __nvvm_read_ptx_sreg_lanemask_ge(); }

#define XGPU_MATCH(T, I, S)                                                                    \
  XGPU_DEVICE unsigned int __match_any_sync(unsigned int m, T v) {                             \
    return __nvvm_match_any_sync_##S(m, __builtin_bit_cast(I, v));                             \
  }                                                                                            \
  XGPU_DEVICE unsigned int __match_all_sync(unsigned int m, T v, int *p) {                     \
    return __nvvm_match_all_sync_##S##p(m, __builtin_bit_cast(I, v), p);                       \
  }
XGPU_MATCH(int, int, i32)
XGPU_MATCH(unsigned int, int, i32)
XGPU_MATCH(float, int, i32)
XGPU_MATCH(long, long, i64)
XGPU_MATCH(unsigned long, long, i64)
XGPU_MATCH(long long, long long, i64)
XGPU_MATCH(unsigned long long, long long, i64)
XGPU_MATCH(double, long long, i64)
#undef XGPU_MATCH

#define XGPU_REDUCE(NAME, T, OP)                                                               \
  XGPU_DEVICE T __reduce_##NAME##_sync(unsigned int m, T v) {                                  \
    return (T)__nvvm_redux_sync_##OP(v, m);                                                    \
  }
XGPU_REDUCE(add, int, add)
XGPU_REDUCE(add, unsigned int, add)
XGPU_REDUCE(min, int, min)
XGPU_REDUCE(min, unsigned int, umin)
XGPU_REDUCE(max, int, max)
XGPU_REDUCE(max, unsigned int, umax)
XGPU_REDUCE(and, unsigned int, and)
XGPU_REDUCE(or, unsigned int, or)
XGPU_REDUCE(xor, unsigned int, xor)
#undef XGPU_REDUCE

// -- atomic operations: relaxed; those of the device as those of the system, whose scope LLVM's
// own have; those of a block as PTX, since clang has no words for their scope on NVPTX

#define XGPU_RMW(NAME, BUILTIN, T, PTX, R)                                                     \
  XGPU_DEVICE T atomic##NAME(T *p, T v) { return BUILTIN(p, v, __ATOMIC_RELAXED); }            \
  XGPU_DEVICE T atomic##NAME##_system(T *p, T v) { return BUILTIN(p, v, __ATOMIC_RELAXED); }   \
  XGPU_DEVICE T atomic##NAME##_block(T *p, T v) {                                              \
    T old;                                                                                     \
    __asm__ volatile("atom.relaxed.cta." PTX " %0, [%1], %2;"                                  \
                     : "=" R(old) : "l"(p), R(v) : "memory");                                  \
    return old;                                                                                \
  }
#define XGPU_BITWISE(T, BITS, R)                                                               \
  XGPU_RMW(And, __atomic_fetch_and, T, "and." BITS, R)                                         \
  XGPU_RMW(Or, __atomic_fetch_or, T, "or." BITS, R)                                            \
  XGPU_RMW(Xor, __atomic_fetch_xor, T, "xor." BITS, R)                                         \
  XGPU_RMW(Exch, __atomic_exchange_n, T, "exch." BITS, R)
#define XGPU_ORDERED(T, PTX, R)                                                                \
  XGPU_RMW(Min, __atomic_fetch_min, T, "min." PTX, R)                                          \
  XGPU_RMW(Max, __atomic_fetch_max, T, "max." PTX, R)
XGPU_BITWISE(int, "b32", "r")
XGPU_BITWISE(unsigned int, "b32", "r")
XGPU_BITWISE(unsigned long, "b64", "l")
XGPU_BITWISE(long long, "b64", "l")
XGPU_BITWISE(unsigned long long, "b64", "l")
XGPU_ORDERED(int, "s32", "r")
XGPU_ORDERED(unsigned int, "u32", "r")
XGPU_ORDERED(long long, "s64", "l")
XGPU_ORDERED(unsigned long long, "u64", "l")
XGPU_RMW(Add, __atomic_fetch_add, int, "add.s32", "r")
XGPU_RMW(Add, __atomic_fetch_add, unsigned int, "add.u32", "r")
XGPU_RMW(Add, __atomic_fetch_add, unsigned long, "add.u64", "l")
XGPU_RMW(Add, __atomic_fetch_add, unsigned long long, "add.u64", "l")
XGPU_RMW(Add, __atomic_fetch_add, float, "add.f32", "f")
XGPU_RMW(Add, __atomic_fetch_add, double, "add.f64", "d")
#undef XGPU_ORDERED
#undef XGPU_BITWISE
#undef XGPU_RMW

#define XGPU_FORMS(NAME, SCOPE)                                                                \
  XGPU_DEVICE int atomicSub##NAME(int *p, int v) { return atomicAdd##NAME(p, -v); }            \
  XGPU_DEVICE unsigned int atomicSub##NAME(unsigned int *p, unsigned int v) {                  \
    return atomicAdd##NAME(p, 0u - v);                                                         \
  }                                                                                            \
  XGPU_DEVICE float atomicExch##NAME(float *p, float v) {                                      \
    int old = atomicExch##NAME((int *)p, __builtin_bit_cast(int, v));                          \
    return __builtin_bit_cast(float, old);                                                     \
  }                                                                                            \
  XGPU_DEVICE unsigned int atomicInc##NAME(unsigned int *p, unsigned int v) {                  \
    unsigned int old;                                                                          \
    __asm__ volatile("atom.relaxed." SCOPE ".inc.u32 %0, [%1], %2;"                            \
                     : "=r"(old) : "l"(p), "r"(v) : "memory");                                 \
    return old;                                                                                \
  }                                                                                            \
  XGPU_DEVICE unsigned int atomicDec##NAME(unsigned int *p, unsigned int v) {                  \
    unsigned int old;                                                                          \
    __asm__ volatile("atom.relaxed." SCOPE ".dec.u32 %0, [%1], %2;"                            \
                     : "=r"(old) : "l"(p), "r"(v) : "memory");                                 \
    return old;                                                                                \
  }
XGPU_FORMS(, "gpu")
XGPU_FORMS(_block, "cta")
XGPU_FORMS(_system, "sys")
#undef XGPU_FORMS

#define XGPU_CAS(T, BITS, R)                                                                   \
  XGPU_DEVICE T atomicCAS(T *p, T expected, T v) {                                             \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);   \
    return expected;                                                                           \
  }                                                                                            \
  XGPU_DEVICE T atomicCAS_system(T *p, T expected, T v) { return atomicCAS(p, expected, v); }  \
  XGPU_DEVICE T atomicCAS_block(T *p, T expected, T v) {                                       \
    T old;                                                                                     \
    __asm__ volatile("atom.relaxed.cta.cas." BITS " %0, [%1], %2, %3;"                         \
                     : "=" R(old) : "l"(p), R(expected), R(v) : "memory");                     \
    return old;                                                                                \
  }
XGPU_CAS(int, "b32", "r")
XGPU_CAS(unsigned int, "b32", "r")
XGPU_CAS(unsigned long, "b64", "l")
XGPU_CAS(long long, "b64", "l")
XGPU_CAS(unsigned long long, "b64", "l")
XGPU_CAS(unsigned short, "b16", "h")
#undef XGPU_CAS

// -- loads and stores that say how they are cached, which changes no result

#define XGPU_LOAD(NAME)                                                                        \
  template <typename T> __device__ XGPU_OWN T NAME(const T *p) { return *p; }
XGPU_LOAD(__ldg) XGPU_LOAD(__ldca) XGPU_LOAD(__ldcg) XGPU_LOAD(__ldcs)
XGPU_LOAD(__ldlu) XGPU_LOAD(__ldcv)
#undef XGPU_LOAD
#define XGPU_STORE(NAME)                                                                       \
  template <typename T> __device__ XGPU_OWN void NAME(T *p, T v) { *p = v; }
XGPU_STORE(__stwb) XGPU_STORE(__stcg) XGPU_STORE(__stcs) XGPU_STORE(__stwt)
#undef XGPU_STORE
XGPU_DEVICE size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(const __attribute__((address_space(3))) void *)p;
}
XGPU_DEVICE size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(const __attribute__((address_space(1))) void *)p;
}
XGPU_DEVICE unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
XGPU_DEVICE unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
XGPU_DEVICE unsigned int __isClusterShared(const void *p) {
  return __nvvm_isspacep_shared_cluster(p);
}
XGPU_DEVICE void *__cvta_shared_to_generic(size_t p) {
  return (void *)(__attribute__((address_space(3))) void *)p;
}
XGPU_DEVICE void *__cvta_global_to_generic(size_t p) {
  return (void *)(__attribute__((address_space(1))) void *)p;
}

// -- integers

#define XGPU_MIN_MAX(T)                                                                        \
  XGPU_BOTH T min(T a, T b) { return b < a ? b : a; }                                          \
  XGPU_BOTH T max(T a, T b) { return a < b ? b : a; }
XGPU_MIN_MAX(int)
XGPU_MIN_MAX(unsigned int)
XGPU_MIN_MAX(long)
XGPU_MIN_MAX(unsigned long)
XGPU_MIN_MAX(long long)
XGPU_MIN_MAX(unsigned long long)
#undef XGPU_MIN_MAX
#define XGPU_MIXED(S, U)                                                                       \
  XGPU_BOTH U min(S a, U b) { return min((U)a, b); }                                           \
  XGPU_BOTH U min(U a, S b) { return min(a, (U)b); }                                           \
  XGPU_BOTH U max(S a, U b) { return max((U)a, b); }                                           \
  XGPU_BOTH U max(U a, S b) { return max(a, (U)b); }
XGPU_MIXED(int, unsigned int)
XGPU_MIXED(long, unsigned long)
XGPU_MIXED(long long, unsigned long long)
#undef XGPU_MIXED
XGPU_DEVICE int umin(unsigned int a, unsigned int b) { return min(a, b); }
XGPU_DEVICE int umax(unsigned int a, unsigned int b) { return max(a, b); }
XGPU_DEVICE int abs(int a) { return __builtin_abs(a); }
XGPU_DEVICE long labs(long a) { return __builtin_labs(a); }
XGPU_DEVICE long abs(long a) { return __builtin_labs(a); }
XGPU_DEVICE long long llabs(long long a) { return __builtin_llabs(a); }
XGPU_DEVICE long long abs(long long a) { return __builtin_llabs(a); }

XGPU_DEVICE int __popc(unsigned int v) { return __builtin_popcount(v); }
XGPU_DEVICE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
XGPU_DEVICE int __clz(int v) { return v ? __builtin_clz(v) : 32; }
XGPU_DEVICE int __clzll(long long v) { return v ? __builtin_clzll(v) : 64; }
XGPU_DEVICE int __ffs(int v) { return v ? __builtin_ctz(v) + 1 : 0; }
XGPU_DEVICE int __ffsll(long long v) { return v ? __builtin_ctzll(v) + 1 : 0; }
XGPU_DEVICE unsigned int __brev(unsigned int v) { return __builtin_bitreverse32(v); }
XGPU_DEVICE unsigned long long __brevll(unsigned long long v) {
  return __builtin_bitreverse64(v);
}
XGPU_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s) {
  return __nvvm_prmt(a, b, s);
}
XGPU_DEVICE unsigned long long xgpu_pair(unsigned int low, unsigned int high) {
  return (unsigned long long)high << 32 | low;
}
XGPU_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
  return (unsigned int)(xgpu_pair(low, high) << (by & 31) >> 32);
}
XGPU_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
  return (unsigned int)(xgpu_pair(low, high) >> (by & 31));
}
XGPU_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by) {
  return (unsigned int)(xgpu_pair(low, high) << min(by, 32u) >> 32);
}
XGPU_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by) {
  return (unsigned int)(xgpu_pair(low, high) >> min(by, 32u));
}
XGPU_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
XGPU_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)((unsigned long long)a * b >> 32);
}
XGPU_DEVICE long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
XGPU_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
XGPU_DEVICE int __mul24(int a, int b) {
  return (int)((unsigned int)((int)((unsigned int)a << 8) >> 8) *
               (unsigned int)((int)((unsigned int)b << 8) >> 8));
}
XGPU_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
XGPU_DEVICE unsigned int __sad(int a, int b, unsigned int c) {
  return c + (a < b ? (unsigned int)b - a : (unsigned int)a - b);
}
XGPU_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a < b ? b - a : a - b);
}
XGPU_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
XGPU_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
XGPU_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b) >> 1);
}
XGPU_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
XGPU_DEVICE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) c += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
  return c;
}
XGPU_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
  return c;
}

// -- time, traps, memory, output

XGPU_DEVICE long clock() { return (long)__nvvm_read_ptx_sreg_clock(); }
XGPU_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
XGPU_DEVICE unsigned long long __globaltimer() {
  unsigned long long t;
  __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
XGPU_DEVICE void __nanosleep(unsigned int ns) { __asm__ volatile("nanosleep.u32 %0;" ::"r"(ns)); }
XGPU_DEVICE void __trap() { __builtin_trap(); }
XGPU_DEVICE void __brkpt() { __asm__ volatile("brkpt;"); }

extern "C" {
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t bytes);
__device__ void free(void *p);
__device__ void __assertfail(const char *message, const char *file, unsigned int line,
                             const char *function, size_t width);
// What tables of virtual functions name for those without a body, and for those that are deleted.
inline __device__ void __cxa_pure_virtual() { __builtin_trap(); }
inline __device__ void __cxa_deleted_virtual() { __builtin_trap(); }
}
XGPU_DEVICE void __assert_fail(const char *message, const char *file, unsigned int line,
                               const char *function) {
  __assertfail(message, file, line, function, 1);
}
// Atomic additions of 16-bit floats, alone and in pairs (cuda_fp16.h, cuda_bf16.h): by an instruction
// of the chip, and by swaps until no other thread has come between.
#define XGPU_ATOMIC_ADD(TYPE, INTEGER, KIND, LETTER)                                           \
  XGPU_DEVICE TYPE atomicAdd(TYPE *p, TYPE v) {                                                \
    INTEGER old;                                                                               \
    __asm__ volatile("atom.add.noftz." KIND " %0, [%1], %2;"                                   \
                     : "=" LETTER(old)                                                         \
                     : "l"(p), LETTER(__builtin_bit_cast(INTEGER, v))                          \
                     : "memory");                                                              \
    return __builtin_bit_cast(TYPE, old);                                                      \
  }
#define XGPU_ADD_BY_SWAPS(TYPE, INTEGER)                                                        \
  XGPU_DEVICE TYPE atomicAdd(TYPE *p, TYPE v) {                                                \
    INTEGER *at = (INTEGER *)p, old = *at, expected;                                           \
    do {                                                                                       \
      expected = old;                                                                          \
      const TYPE sum = __builtin_bit_cast(TYPE, expected) + v;                                 \
      old = atomicCAS(at, expected, __builtin_bit_cast(INTEGER, sum));                         \
    } while (old != expected);                                                                 \
    return __builtin_bit_cast(TYPE, old);                                                      \
  }
// Of two and four floats, each for itself.
XGPU_DEVICE float2 atomicAdd(float2 *p, float2 v) {
  return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)};
}
XGPU_DEVICE float4 atomicAdd(float4 *p, float4 v) {
  return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z),
          atomicAdd(&p->w, v.w)};
}
// A kernel and the next of its stream, which may begin before the first has ended.
XGPU_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {
  __asm__ volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
XGPU_DEVICE void cudaGridDependencySynchronize() {
  __asm__ volatile("griddepcontrol.wait;" ::: "memory");
}
// The handle of a conditional node is the address of its word.
XGPU_DEVICE void cudaGraphSetConditional(unsigned long long handle, unsigned int value) {
  *(unsigned int *)handle = value;
}
XGPU_DEVICE void *memcpy(void *to, const void *from, size_t n) {
  return __builtin_memcpy(to, from, n);
}
XGPU_DEVICE void *memmove(void *to, const void *from, size_t n) {
  return __builtin_memmove(to, from, n);
}
XGPU_DEVICE void *memset(void *to, int c, size_t n) { return __builtin_memset(to, c, n); }
// clang's own <new> for CUDA has the operators of the device, where there is a library of C++.
#if __has_include(<bits/c++config.h>) || __has_include(<__config>)
#include <new>
#else
__device__ XGPU_OWN void *operator new(size_t n) { return malloc(n); }
__device__ XGPU_OWN void *operator new[](size_t n) { return malloc(n); }
__device__ XGPU_OWN void operator delete(void *p) noexcept { free(p); }
__device__ XGPU_OWN void operator delete[](void *p) noexcept { free(p); }
__device__ XGPU_OWN void operator delete(void *p, size_t) noexcept { free(p); }
__device__ XGPU_OWN void operator delete[](void *p, size_t) noexcept { free(p); }
#endif
