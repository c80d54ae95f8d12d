// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures and surfaces in kernels, by objects, as instructions of PTX.
#pragma once
#include <texture_types.h>
#include <xgpu/types.h>

// -- what a texel is: the type of an instruction's four results, and how T is made of them

template <typename T> struct xgpu_texel;
#define XGPU_TEXEL(T, BASE, ...)                                                               \
  template <> struct xgpu_texel<T> {                                                           \
    typedef BASE base;                                                                         \
    XGPU_DEVICE T of(const BASE (&r)[4]) { return __VA_ARGS__; }                               \
  };
#define XGPU_TEXELS(C, V, BASE)                                                                \
  XGPU_TEXEL(C, BASE, (C)r[0])                                                                 \
  XGPU_TEXEL(V##1, BASE, make_##V##1((C)r[0]))                                                 \
  XGPU_TEXEL(V##2, BASE, make_##V##2((C)r[0], (C)r[1]))                                        \
  XGPU_TEXEL(V##4, BASE, make_##V##4((C)r[0], (C)r[1], (C)r[2], (C)r[3]))
XGPU_TEXELS(signed char, char, int)
XGPU_TEXELS(unsigned char, uchar, unsigned int)
XGPU_TEXELS(short, short, int)
XGPU_TEXELS(unsigned short, ushort, unsigned int)
XGPU_TEXELS(int, int, int)
XGPU_TEXELS(unsigned int, uint, unsigned int)
XGPU_TEXELS(float, float, float)
XGPU_TEXEL(char, int, (char)r[0])
#undef XGPU_TEXELS
#undef XGPU_TEXEL

// -- textures: an overload for each type of results, then the functions that programs call

#define XGPU_FETCH_AS(NAME, OPCODE, GIVEN, WHERE, TYPE, WORD, OUT, COORDINATES, ...)           \
  XGPU_DEVICE void NAME(TYPE (&r)[4], cudaTextureObject_t t, XGPU_LIST GIVEN) {                \
    asm(OPCODE ".v4." WORD "." COORDINATES " {%0, %1, %2, %3}, [%[t], " WHERE ";"              \
        : OUT(r[0]), OUT(r[1]), OUT(r[2]), OUT(r[3])                                           \
        : [t] "l"(t), __VA_ARGS__);                                                            \
  }
#define XGPU_LIST(...) __VA_ARGS__
#define XGPU_FETCH(NAME, OPCODE, GIVEN, WHERE, COORDINATES, ...)                               \
  XGPU_FETCH_AS(NAME, OPCODE, GIVEN, WHERE, float, "f32", "=f", COORDINATES, __VA_ARGS__)      \
  XGPU_FETCH_AS(NAME, OPCODE, GIVEN, WHERE, int, "s32", "=r", COORDINATES, __VA_ARGS__)        \
  XGPU_FETCH_AS(NAME, OPCODE, GIVEN, WHERE, unsigned int, "u32", "=r", COORDINATES, __VA_ARGS__)
#define XGPU_TEXTURE(NAME, OPCODE, GIVEN, NAMES, WHERE, COORDINATES, ...)                      \
  XGPU_FETCH(xgpu_##NAME, OPCODE, GIVEN, WHERE, COORDINATES, __VA_ARGS__)                      \
  template <typename T> XGPU_DEVICE T NAME(cudaTextureObject_t t, XGPU_LIST GIVEN) {           \
    typename xgpu_texel<T>::base r[4];                                                         \
    xgpu_##NAME(r, t, XGPU_LIST NAMES);                                                        \
    return xgpu_texel<T>::of(r);                                                               \
  }                                                                                            \
  template <typename T> XGPU_DEVICE void NAME(T *to, cudaTextureObject_t t, XGPU_LIST GIVEN) { \
    *to = NAME<T>(t, XGPU_LIST NAMES);                                                         \
  }
#define XGPU_X [x] "f"(x)
#define XGPU_XY [x] "f"(x), [y] "f"(y)
#define XGPU_XYZ [x] "f"(x), [y] "f"(y), [z] "f"(z)
#define XGPU_LAYER [l] "r"(layer)
#define XGPU_LEVEL [v] "f"(level)
XGPU_TEXTURE(tex1Dfetch, "tex.1d", (int x), (x), "{%[x]}]", "s32", [x] "r"(x))
XGPU_TEXTURE(tex1D, "tex.1d", (float x), (x), "{%[x]}]", "f32", XGPU_X)
XGPU_TEXTURE(tex2D, "tex.2d", (float x, float y), (x, y), "{%[x], %[y]}]", "f32", XGPU_XY)
XGPU_TEXTURE(tex3D, "tex.3d", (float x, float y, float z), (x, y, z),
             "{%[x], %[y], %[z], %[z]}]", "f32", XGPU_XYZ)
XGPU_TEXTURE(tex1DLayered, "tex.a1d", (float x, int layer), (x, layer), "{%[l], %[x]}]", "f32",
             XGPU_LAYER, XGPU_X)
XGPU_TEXTURE(tex2DLayered, "tex.a2d", (float x, float y, int layer), (x, y, layer),
             "{%[l], %[x], %[y], %[y]}]", "f32", XGPU_LAYER, XGPU_XY)
XGPU_TEXTURE(texCubemap, "tex.cube", (float x, float y, float z), (x, y, z),
             "{%[x], %[y], %[z], %[z]}]", "f32", XGPU_XYZ)
XGPU_TEXTURE(texCubemapLayered, "tex.acube", (float x, float y, float z, int layer),
             (x, y, z, layer), "{%[l], %[x], %[y], %[z]}]", "f32", XGPU_LAYER, XGPU_XYZ)
// Of a level: there is one.
XGPU_TEXTURE(tex1DLod, "tex.level.1d", (float x, float level), (x, level), "{%[x]}], %[v]", "f32",
             XGPU_X, XGPU_LEVEL)
XGPU_TEXTURE(tex2DLod, "tex.level.2d", (float x, float y, float level), (x, y, level),
             "{%[x], %[y]}], %[v]", "f32", XGPU_XY, XGPU_LEVEL)
XGPU_TEXTURE(tex3DLod, "tex.level.3d", (float x, float y, float z, float level), (x, y, z, level),
             "{%[x], %[y], %[z], %[z]}], %[v]", "f32", XGPU_XYZ, XGPU_LEVEL)
XGPU_TEXTURE(tex1DLayeredLod, "tex.level.a1d", (float x, int layer, float level),
             (x, layer, level), "{%[l], %[x]}], %[v]", "f32", XGPU_LAYER, XGPU_X, XGPU_LEVEL)
XGPU_TEXTURE(tex2DLayeredLod, "tex.level.a2d", (float x, float y, int layer, float level),
             (x, y, layer, level), "{%[l], %[x], %[y], %[y]}], %[v]", "f32", XGPU_LAYER, XGPU_XY,
             XGPU_LEVEL)
XGPU_TEXTURE(texCubemapLod, "tex.level.cube", (float x, float y, float z, float level),
             (x, y, z, level), "{%[x], %[y], %[z], %[z]}], %[v]", "f32", XGPU_XYZ, XGPU_LEVEL)
XGPU_TEXTURE(tex1DGrad, "tex.grad.1d", (float x, float dx, float dy), (x, dx, dy),
             "{%[x]}], {%[a]}, {%[b]}", "f32", XGPU_X, [a] "f"(dx), [b] "f"(dy))
XGPU_TEXTURE(tex2DGrad, "tex.grad.2d", (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
             "{%[x], %[y]}], {%[a], %[b]}, {%[c], %[d]}", "f32", XGPU_XY, [a] "f"(dx.x),
             [b] "f"(dx.y), [c] "f"(dy.x), [d] "f"(dy.y))

// Four texels of one channel.
#define XGPU_GATHER(CHANNEL)                                                                   \
  XGPU_FETCH(xgpu_gather_##CHANNEL, "tld4." #CHANNEL ".2d", (float x, float y),                \
             "{%[x], %[y]}]", "f32", XGPU_XY)
XGPU_GATHER(r)
XGPU_GATHER(g)
XGPU_GATHER(b)
XGPU_GATHER(a)
template <typename T>
XGPU_DEVICE T tex2Dgather(cudaTextureObject_t t, float x, float y, int channel = 0) {
  typename xgpu_texel<T>::base r[4];
  switch (channel) {
  case 1: xgpu_gather_g(r, t, x, y); break;
  case 2: xgpu_gather_b(r, t, x, y); break;
  case 3: xgpu_gather_a(r, t, x, y); break;
  default: xgpu_gather_r(r, t, x, y);
  }
  return xgpu_texel<T>::of(r);
}
template <typename T>
XGPU_DEVICE void tex2Dgather(T *to, cudaTextureObject_t t, float x, float y, int channel = 0) {
  *to = tex2Dgather<T>(t, x, y, channel);
}
#undef XGPU_GATHER
#undef XGPU_TEXTURE
#undef XGPU_FETCH
#undef XGPU_FETCH_AS
#undef XGPU_X
#undef XGPU_XY
#undef XGPU_XYZ
#undef XGPU_LEVEL

// -- surfaces: bytes, in words of 32 bits where there are more than two; x counts bytes

#define XGPU_SURFACE_MODE(GEOMETRY, WHERE, MODE, ...)                                          \
  if (bytes == 1) {                                                                            \
    asm volatile("suld.b." GEOMETRY ".b8." MODE " %0, [%[s], " WHERE "];"                      \
                 : "=h"(h) : [s] "l"(s), __VA_ARGS__ : "memory");                              \
  } else if (bytes == 2) {                                                                     \
    asm volatile("suld.b." GEOMETRY ".b16." MODE " %0, [%[s], " WHERE "];"                     \
                 : "=h"(h) : [s] "l"(s), __VA_ARGS__ : "memory");                              \
  } else if (bytes == 4) {                                                                     \
    asm volatile("suld.b." GEOMETRY ".b32." MODE " %0, [%[s], " WHERE "];"                     \
                 : "=r"(w[0]) : [s] "l"(s), __VA_ARGS__ : "memory");                           \
  } else if (bytes == 8) {                                                                     \
    asm volatile("suld.b." GEOMETRY ".v2.b32." MODE " {%0, %1}, [%[s], " WHERE "];"            \
                 : "=r"(w[0]), "=r"(w[1]) : [s] "l"(s), __VA_ARGS__ : "memory");               \
  } else {                                                                                     \
    asm volatile("suld.b." GEOMETRY ".v4.b32." MODE " {%0, %1, %2, %3}, [%[s], " WHERE "];"    \
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])                              \
                 : [s] "l"(s), __VA_ARGS__ : "memory");                                        \
  }
#define XGPU_SURFACE_STORE(GEOMETRY, WHERE, MODE, ...)                                         \
  if (bytes == 1) {                                                                            \
    asm volatile("sust.b." GEOMETRY ".b8." MODE " [%[s], " WHERE "], %[w];"                    \
                 : : [s] "l"(s), [w] "h"(h), __VA_ARGS__ : "memory");                          \
  } else if (bytes == 2) {                                                                     \
    asm volatile("sust.b." GEOMETRY ".b16." MODE " [%[s], " WHERE "], %[w];"                   \
                 : : [s] "l"(s), [w] "h"(h), __VA_ARGS__ : "memory");                          \
  } else if (bytes == 4) {                                                                     \
    asm volatile("sust.b." GEOMETRY ".b32." MODE " [%[s], " WHERE "], %[w];"                   \
                 : : [s] "l"(s), [w] "r"(w[0]), __VA_ARGS__ : "memory");                       \
  } else if (bytes == 8) {                                                                     \
    asm volatile("sust.b." GEOMETRY ".v2.b32." MODE " [%[s], " WHERE "], {%[w], %[w1]};"       \
                 : : [s] "l"(s), [w] "r"(w[0]), [w1] "r"(w[1]), __VA_ARGS__ : "memory");       \
  } else {                                                                                     \
    asm volatile("sust.b." GEOMETRY ".v4.b32." MODE                                            \
                 " [%[s], " WHERE "], {%[w], %[w1], %[w2], %[w3]};"                            \
                 : : [s] "l"(s), [w] "r"(w[0]), [w1] "r"(w[1]), [w2] "r"(w[2]),                \
                   [w3] "r"(w[3]), __VA_ARGS__ : "memory");                                    \
  }
#define XGPU_SURFACE(NAME, GEOMETRY, GIVEN, NAMES, WHERE, ...)                                 \
  template <typename T>                                                                        \
  XGPU_DEVICE T NAME##read(cudaSurfaceObject_t s, XGPU_LIST GIVEN,                             \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    constexpr int bytes = sizeof(T);                                                           \
    static_assert(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16,         \
                  "a texel of a surface has 1, 2, 4, 8 or 16 bytes");                          \
    unsigned short h = 0;                                                                      \
    unsigned int w[4] = {};                                                                    \
    T found;                                                                                   \
    if (mode == cudaBoundaryModeZero) {                                                        \
      XGPU_SURFACE_MODE(GEOMETRY, WHERE, "zero", __VA_ARGS__)                                  \
    } else if (mode == cudaBoundaryModeClamp) {                                                \
      XGPU_SURFACE_MODE(GEOMETRY, WHERE, "clamp", __VA_ARGS__)                                 \
    } else {                                                                                   \
      XGPU_SURFACE_MODE(GEOMETRY, WHERE, "trap", __VA_ARGS__)                                  \
    }                                                                                          \
    __builtin_memcpy(&found, bytes < 4 ? (void *)&h : (void *)w, bytes);                       \
    return found;                                                                              \
  }                                                                                            \
  template <typename T>                                                                        \
  XGPU_DEVICE void NAME##read(T *to, cudaSurfaceObject_t s, XGPU_LIST GIVEN,                   \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    *to = NAME##read<T>(s, XGPU_LIST NAMES, mode);                                             \
  }                                                                                            \
  template <typename T>                                                                        \
  XGPU_DEVICE void NAME##write(T value, cudaSurfaceObject_t s, XGPU_LIST GIVEN,                \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    constexpr int bytes = sizeof(T);                                                           \
    static_assert(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16,         \
                  "a texel of a surface has 1, 2, 4, 8 or 16 bytes");                          \
    unsigned short h = 0;                                                                      \
    unsigned int w[4] = {};                                                                    \
    __builtin_memcpy(bytes < 4 ? (void *)&h : (void *)w, &value, bytes);                       \
    if (mode == cudaBoundaryModeZero) {                                                        \
      XGPU_SURFACE_STORE(GEOMETRY, WHERE, "zero", __VA_ARGS__)                                 \
    } else if (mode == cudaBoundaryModeClamp) {                                                \
      XGPU_SURFACE_STORE(GEOMETRY, WHERE, "clamp", __VA_ARGS__)                                \
    } else {                                                                                   \
      XGPU_SURFACE_STORE(GEOMETRY, WHERE, "trap", __VA_ARGS__)                                 \
    }                                                                                          \
  }
XGPU_SURFACE(surf1D, "1d", (int x), (x), "{%[x]}", [x] "r"(x))
XGPU_SURFACE(surf2D, "2d", (int x, int y), (x, y), "{%[x], %[y]}", [x] "r"(x), [y] "r"(y))
XGPU_SURFACE(surf3D, "3d", (int x, int y, int z), (x, y, z), "{%[x], %[y], %[z], %[z]}",
             [x] "r"(x), [y] "r"(y), [z] "r"(z))
XGPU_SURFACE(surf1DLayered, "a1d", (int x, int layer), (x, layer), "{%[l], %[x]}", [x] "r"(x),
             XGPU_LAYER)
XGPU_SURFACE(surf2DLayered, "a2d", (int x, int y, int layer), (x, y, layer),
             "{%[l], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), XGPU_LAYER)
XGPU_SURFACE(surfCubemap, "a2d", (int x, int y, int layer), (x, y, layer),
             "{%[l], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y), XGPU_LAYER)
#undef XGPU_SURFACE
#undef XGPU_SURFACE_STORE
#undef XGPU_SURFACE_MODE
#undef XGPU_LAYER
#undef XGPU_LIST
