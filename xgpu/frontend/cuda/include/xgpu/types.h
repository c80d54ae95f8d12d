// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qualifiers, vector types and built-in variables of CUDA C++, over clang's attributes and
// builtins.
#pragma once

#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

#ifdef __CUDA__
#define __CUDACC__ 1
#ifdef XGPU_WHOLE_PROGRAM  // programs ask by these names what their compiler knows
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))  // one memory: a variable of the device
#else  // the runtime knows the host's variables of this kind by their section
#define __managed__ __attribute__((device, section("xgpu_managed")))
#endif
#else  // host code alone, which clang reads as C++
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#endif
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#ifdef __CUDA_ARCH__  // clang has no word for these: it hands annotations on to LLVM IR
#define __cluster_dims__(...) __attribute__((annotate("nvvm.cluster_dim", __VA_ARGS__)))
#define __maxnreg__(count) __attribute__((annotate("nvvm.maxnreg", count)))
#else
#define __cluster_dims__(...)
#define __maxnreg__(count)
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#ifdef __CUDA__
#define __noinline__ __attribute__((noinline))
#else
#define __noinline__  // the C++ library uses the word in attributes of its own
#endif
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __cdecl
#define __cudart_builtin__
#define CUDARTAPI
#define __CUDA_ALIGN__(n) __align__(n)

// NVIDIA's libcu++, where a program has it, is not to count on all of NVIDIA's <cuda_fp16.h>.
#define CCCL_DISABLE_FP16_SUPPORT

// What this header defines has the location of its caller.
#define XGPU_OWN __inline__ __attribute__((always_inline, nodebug, unused))
#define XGPU_DEVICE static __device__ XGPU_OWN
#define XGPU_BOTH static __host__ __device__ XGPU_OWN
#define XGPU_METHOD __device__ XGPU_OWN
#define XGPU_BOTH_METHOD __host__ __device__ XGPU_OWN

#include <stddef.h>
#include <stdint.h>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// Vectors: name, element, alignment of those of two and of four.
#define XGPU_VECTOR_TYPES(N, T, A2, A4)                                                        \
  struct N##1 { T x; };                                                                        \
  struct __align__(A2) N##2 { T x, y; };                                                       \
  struct N##3 { T x, y, z; };                                                                  \
  struct __align__(A4) N##4 { T x, y, z, w; };
#ifdef __cplusplus
#define XGPU_VECTORS(N, T, A2, A4)                                                             \
  XGPU_VECTOR_TYPES(N, T, A2, A4)                                                              \
  XGPU_BOTH N##1 make_##N##1(T x) { return {x}; }                                              \
  XGPU_BOTH N##2 make_##N##2(T x, T y) { return {x, y}; }                                      \
  XGPU_BOTH N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }                              \
  XGPU_BOTH N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#else
#define XGPU_VECTORS(N, T, A2, A4)                                                             \
  XGPU_VECTOR_TYPES(N, T, A2, A4)                                                              \
  typedef struct N##1 N##1;                                                                    \
  typedef struct N##2 N##2;                                                                    \
  typedef struct N##3 N##3;                                                                    \
  typedef struct N##4 N##4;
#endif
XGPU_VECTORS(char, signed char, 2, 4)
XGPU_VECTORS(uchar, unsigned char, 2, 4)
XGPU_VECTORS(short, short, 4, 8)
XGPU_VECTORS(ushort, unsigned short, 4, 8)
XGPU_VECTORS(int, int, 8, 16)
XGPU_VECTORS(uint, unsigned int, 8, 16)
XGPU_VECTORS(long, long, 16, 16)
XGPU_VECTORS(ulong, unsigned long, 16, 16)
XGPU_VECTORS(longlong, long long, 16, 16)
XGPU_VECTORS(ulonglong, unsigned long long, 16, 16)
XGPU_VECTORS(float, float, 8, 16)
XGPU_VECTORS(double, double, 16, 16)
#ifdef __cplusplus  // by their alignment, as CUDA 13 has them
#define XGPU_ALIGNED_VECTOR(N, T, A)                                                           \
  struct __align__(A) N##4_##A##a { T x, y, z, w; };                                           \
  XGPU_BOTH N##4_##A##a make_##N##4_##A##a(T x, T y, T z, T w) { return {x, y, z, w}; }
#define XGPU_ALIGNED_VECTORS(N, T) XGPU_ALIGNED_VECTOR(N, T, 16) XGPU_ALIGNED_VECTOR(N, T, 32)
XGPU_ALIGNED_VECTORS(long, long)
XGPU_ALIGNED_VECTORS(ulong, unsigned long)
XGPU_ALIGNED_VECTORS(longlong, long long)
XGPU_ALIGNED_VECTORS(ulonglong, unsigned long long)
XGPU_ALIGNED_VECTORS(double, double)
#undef XGPU_ALIGNED_VECTORS
#undef XGPU_ALIGNED_VECTOR
#endif
#undef XGPU_VECTORS
#undef XGPU_VECTOR_TYPES

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  XGPU_BOTH_METHOD constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  XGPU_BOTH_METHOD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  XGPU_BOTH_METHOD constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif

#ifdef __CUDA__
#define XGPU_SPECIAL(NAME, REGISTER)                                                           \
  struct xgpu_##NAME {                                                                         \
    __declspec(property(get = get_x)) unsigned int x;                                          \
    __declspec(property(get = get_y)) unsigned int y;                                          \
    __declspec(property(get = get_z)) unsigned int z;                                          \
    XGPU_METHOD unsigned int get_x() const { return __nvvm_read_ptx_sreg_##REGISTER##_x(); }   \
    XGPU_METHOD unsigned int get_y() const { return __nvvm_read_ptx_sreg_##REGISTER##_y(); }   \
    XGPU_METHOD unsigned int get_z() const { return __nvvm_read_ptx_sreg_##REGISTER##_z(); }   \
    XGPU_METHOD operator dim3() const { return dim3(get_x(), get_y(), get_z()); }              \
    XGPU_METHOD operator uint3() const { return uint3{get_x(), get_y(), get_z()}; }            \
  };                                                                                           \
  static const __device__ xgpu_##NAME NAME = {};
XGPU_SPECIAL(threadIdx, tid)
XGPU_SPECIAL(blockIdx, ctaid)
XGPU_SPECIAL(blockDim, ntid)
XGPU_SPECIAL(gridDim, nctaid)
#undef XGPU_SPECIAL
#endif
static const int warpSize = 32;
