// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of CUDA's runtime share: the driver's functions, the context of a thread, errors,
// and what the program has registered.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <mutex>

namespace xgpu {

// -- the driver: libcuda.so.1, opened when it is first asked

// The address of a function of the driver; null where it has none of that name.
void *driver_address(const char *name);

// A function that the driver does not have is one that the runtime cannot do.
template <typename... P, typename... A> cudaError_t call(CUresult (*function)(P...), A... given) {
  if (!function) return cudaErrorNotSupported;
  return (cudaError_t)function(given...);  // errors of both have the same numbers
}
#define XGPU_TEXT_OF(NAME) #NAME
#define XGPU_TEXT(NAME) XGPU_TEXT_OF(NAME)
#define XGPU_FUNCTION(NAME)                                                                    \
  ([] {                                                                                        \
    static const auto found = (decltype(&NAME))xgpu::driver_address(XGPU_TEXT(NAME));          \
    return found;                                                                              \
  }())
#define XGPU_DRIVER(NAME, ...) xgpu::call(XGPU_FUNCTION(NAME), ##__VA_ARGS__)

// -- errors and contexts, each of a thread

// Keeps an error as the thread's last one, and returns it.
cudaError_t noted(cudaError_t error);
// The driver is there and initialized.
cudaError_t initialized();
// The same, and the thread has a context: its own, or the primary one of its device.
cudaError_t ready();
// The device of the thread's context.
int current_device();
// The primary context of a device.
cudaError_t primary_context(int device, CUcontext *context);
// After a device is reset: all threads bind their contexts anew.
void forget_contexts();
// An attribute of the thread's device, kept.
int limit_of(CUdevice_attribute attribute);

// Of each function of the runtime: what stands before, the call, the last error.
#define XGPU_CALL(NAME, ...)                                                                   \
  do {                                                                                         \
    cudaError_t error_ = xgpu::ready();                                                        \
    if (!error_) error_ = XGPU_DRIVER(NAME, ##__VA_ARGS__);                                    \
    return xgpu::noted(error_);                                                                \
  } while (0)

// Stream 0 is the legacy one, or that of the thread.
CUstream stream_of(cudaStream_t stream);

// -- what the program has registered

constexpr int MOST_DEVICES = 64;

struct Module {
  const void *image;
  CUmodule loaded[MOST_DEVICES];
  Module *next;
};
struct Kernel {
  Module *module;
  const char *name;
  CUfunction found[MOST_DEVICES];
};
struct Variable {
  Module *module;
  const char *name;
  void *host;  // its shadow
  size_t bytes;
  CUdeviceptr found[MOST_DEVICES];
  Variable *next_managed;
};

// Bytes of a variable on the thread's device. Errors: as `variable_of`, bytes that it has not.
cudaError_t place_in(const void *symbol, size_t offset, size_t bytes, void **place);
// A copy as the driver has it. Errors: an array that is none, a kind or a pitch that is none.
cudaError_t copy_of(const cudaMemcpy3DParms *parameters, CUDA_MEMCPY3D *copy);

// Bytes of a texel. Errors: an array that is none.
cudaError_t texel_bytes(cudaArray_const_t array, size_t *bytes);

// The function of a kernel on the thread's device. Errors: cudaErrorInvalidDeviceFunction, those of
// loading its module.
cudaError_t function_of(const void *symbol, CUfunction *function);
// The host's address of a kernel that the driver names; null for one of another origin.
const void *symbol_of(CUfunction function);
// A variable on the thread's device. Errors: cudaErrorInvalidSymbol, those of loading its module.
cudaError_t variable_of(const void *symbol, CUdeviceptr *address, size_t *bytes);
// After a device is reset: nothing is loaded there.
void forget_modules(int device);

// Managed variables have a copy on each side: the host's is copied before the first launch since
// the two were alike, the device's when the host waits. A program may use one only then.
void push_managed();
void pull_managed();

}  // namespace xgpu
