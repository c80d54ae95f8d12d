// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's runtime for C++: its functions, with the forms that take typed addresses and kernels.
#pragma once
#include <cuda_runtime_api.h>

// What clang's code for the host calls.
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                    cudaStream_t stream = 0);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                                  void *stream);
extern "C" cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);

static inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t xsize,
                                                 size_t ysize) {
  return {p, pitch, xsize, ysize};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
extern "C" void xgpuUsePerThreadDefaultStream(void);
namespace {
// For the whole program: stream 0 means that of the thread.
struct xgpu_per_thread {
  xgpu_per_thread() { xgpuUsePerThreadDefaultStream(); }
} xgpu_per_thread_default_stream;
}  // namespace
#endif

#ifdef XGPU_WHOLE_PROGRAM
// -- functions of CUDA's math library that the host's does not have

static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline float rsqrt(float x) { return 1 / sqrtf(x); }
static inline float rcbrtf(float x) { return 1 / cbrtf(x); }
static inline double rcbrt(double x) { return 1 / cbrt(x); }
static inline float sinpif(float x) { return (float)sin(M_PI * fmod(x, 2.0)); }
static inline double sinpi(double x) { return sin(M_PI * fmod(x, 2.0)); }
static inline float cospif(float x) { return (float)cos(M_PI * fmod(x, 2.0)); }
static inline double cospi(double x) { return cos(M_PI * fmod(x, 2.0)); }
static inline float normcdff(float x) { return 0.5f * erfcf(-x * (float)M_SQRT1_2); }
static inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
static inline float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
static inline double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
static inline float fdividef(float a, float b) { return a / b; }
#elif !defined(__CUDACC_RTC__)  // NVRTC has no host
// Where kernels alone are compiled, code of the host is checked but not run. These functions are
// those of C's headers that nvcc's header brings; the headers themselves take twice the time of a
// small kernel.
extern "C" {
int printf(const char *, ...);
int snprintf(char *, size_t, const char *, ...) noexcept;
int puts(const char *);
[[noreturn]] void exit(int) noexcept;
[[noreturn]] void abort() noexcept;
void *malloc(size_t) noexcept;
void *calloc(size_t, size_t) noexcept;
void *realloc(void *, size_t) noexcept;
void free(void *) noexcept;
int atoi(const char *) noexcept;
long atol(const char *) noexcept;
double atof(const char *) noexcept;
int rand() noexcept;
void srand(unsigned int) noexcept;
char *getenv(const char *) noexcept;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *memcpy(void *, const void *, size_t) noexcept;
void *memmove(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
size_t strlen(const char *) noexcept;
int strcmp(const char *, const char *) noexcept;
}
#endif

// -- typed addresses

// A call of one of these is a call of the runtime: they have no lines of their own.
#define XGPU_CALL __attribute__((nodebug)) static inline
template <typename T> XGPU_CALL cudaError_t cudaMalloc(T **p, size_t bytes) {
  return cudaMalloc((void **)p, bytes);
}
template <typename T>
XGPU_CALL cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch((void **)p, pitch, width, height);
}
template <typename T>
XGPU_CALL cudaError_t cudaMallocManaged(T **p, size_t bytes, unsigned int flags = 1) {
  return cudaMallocManaged((void **)p, bytes, flags);
}
template <typename T>
XGPU_CALL cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)p, bytes, flags);
}
template <typename T>
XGPU_CALL cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void **)p, bytes, flags);
}
template <typename T>
XGPU_CALL cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <typename T>
XGPU_CALL cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)p, bytes, stream);
}
template <typename T>
XGPU_CALL cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaMemPool_t pool,
                                      cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)p, bytes, pool, stream);
}
template <typename T>
XGPU_CALL cudaError_t cudaMallocFromPoolAsync(T **p, size_t bytes, cudaMemPool_t pool,
                                              cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)p, bytes, pool, stream);
}
template <typename T>
XGPU_CALL cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *p, size_t bytes = 0,
                                               unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void *)p, bytes, flags);
}

// -- variables of the device

template <typename T>
XGPU_CALL cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                         size_t offset = 0,
                                         cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <typename T>
XGPU_CALL cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <typename T>
XGPU_CALL cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                              size_t offset, cudaMemcpyKind kind,
                                              cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <typename T>
XGPU_CALL cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                                                size_t offset, cudaMemcpyKind kind,
                                                cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <typename T>
XGPU_CALL cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
  return cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <typename T> XGPU_CALL cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

// -- kernels

template <typename T>
XGPU_CALL cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                       size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)function, grid, block, arguments, shared_bytes, stream);
}
template <typename T>
XGPU_CALL cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block,
                                                  void **arguments, size_t shared_bytes = 0,
                                                  cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared_bytes,
                                     stream);
}
template <typename... Parameters, typename... Arguments>
XGPU_CALL cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                         void (*function)(Parameters...),
                                         Arguments &&...given) {
  return [&](Parameters... values) {
    void *arguments[] = {(void *)&values..., nullptr};
    return cudaLaunchKernelExC(config, (const void *)function, arguments);
  }(static_cast<Arguments &&>(given)...);
}
template <typename T>
XGPU_CALL cudaError_t cudaFuncGetName(const char **name, T *function) {
  return cudaFuncGetName(name, (const void *)function);
}
template <typename T>
XGPU_CALL cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function) {
  return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <typename T>
XGPU_CALL cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute,
                                           int value) {
  return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <typename T>
XGPU_CALL cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)function, config);
}
template <typename T>
XGPU_CALL cudaError_t cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <typename T>
XGPU_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function,
                                                                    int block_size,
                                                                    size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                       shared_bytes);
}
template <typename T>
XGPU_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T function, int block_size, size_t shared_bytes, unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void *)function, block_size, shared_bytes, flags);
}
template <typename T>
XGPU_CALL cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *function,
                                                                int blocks, int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks,
                                                   block_size);
}
template <typename T>
XGPU_CALL cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *function,
                                                     const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxActiveClusters(clusters, (const void *)function, config);
}
template <typename T>
XGPU_CALL cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *function,
                                                           const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxPotentialClusterSize(size, (const void *)function, config);
}
#undef XGPU_CALL

// The size of a block at which most threads run on a multiprocessor at once, the largest of several
// sizes; `blocks` of it fill the device. `bytes_of` gives the shared memory of a block of a size.
template <typename F, typename T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *blocks, int *block_size, T function, F bytes_of, int limit = 0) {
  int device = 0, processors = 0, best = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDevice(&device);
  if (!error) {
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  }
  if (!error) error = cudaFuncGetAttributes(&attributes, (const void *)function);
  if (error) return error;
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most) most = limit;
  *blocks = *block_size = 0;
  // Whole warps, and what is left of the limit.
  for (int size = most; size > 0; size = (size - 1) / 32 * 32) {
    int active = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, (const void *)function, size,
                                                          bytes_of(size));
    if (error) return error;
    if (active * size <= best) continue;
    best = active * size;
    *block_size = size;
    *blocks = active * processors;
  }
  return cudaSuccess;
}
template <typename T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *blocks, int *block_size,
                                                             T function, size_t shared_bytes = 0,
                                                             int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      blocks, block_size, function, [=](int) { return shared_bytes; }, limit);
}

// Flags say how caches are counted, which are not.
template <typename F, typename T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *blocks, int *block_size, T function, F bytes_of, int limit = 0, unsigned int flags = 0) {
  if (flags & ~cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(blocks, block_size, function, bytes_of,
                                                        limit);
}
template <typename T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *blocks, int *block_size, T function, size_t shared_bytes = 0, int limit = 0,
    unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      blocks, block_size, function, [=](int) { return shared_bytes; }, limit, flags);
}

// -- events, graphs

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                               unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
// The form before CUDA 12.
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                               cudaGraphNode_t *, char *, size_t) {
  return cudaGraphInstantiateWithFlags(executable, graph, 0);
}
