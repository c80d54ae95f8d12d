// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang's code for the host registers and calls; launches, attributes of kernels, occupancy.
#include "internal.h"

#include <string.h>

#include <unordered_map>

namespace xgpu {
namespace {

std::mutex lock;  // of all below
std::unordered_map<const void *, Kernel> *kernels;
std::unordered_map<const void *, Variable> *variables;
Module *modules;
Variable *managed;
bool is_device_ahead;  // a kernel may have written managed variables

// Registration runs before the objects of this file may have been made.
template <typename T> T &made(T *&table) {
  if (!table) table = new T;
  return *table;
}

cudaError_t loaded(Module *module, CUmodule *handle) {
  int device = current_device();
  CUmodule &there = module->loaded[device];
  if (!there) {
    if (cudaError_t error = XGPU_DRIVER(cuModuleLoadData, &there, module->image)) return error;
  }
  *handle = there;
  return cudaSuccess;
}

cudaError_t located(Variable *variable, CUdeviceptr *address, size_t *bytes) {
  CUdeviceptr &there = variable->found[current_device()];
  if (!there) {
    CUmodule module;
    cudaError_t error = loaded(variable->module, &module);
    if (!error) {
      error = XGPU_DRIVER(cuModuleGetGlobal, &there, &variable->bytes, module, variable->name);
    }
    if (error) return error == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : error;
  }
  *address = there;
  *bytes = variable->bytes;
  return cudaSuccess;
}

void copy_managed(bool to_device) {
  for (Variable *v = managed; v; v = v->next_managed) {
    CUdeviceptr address;
    size_t bytes;
    if (located(v, &address, &bytes)) continue;  // the launch or the symbol's use says why
    if (to_device) XGPU_DRIVER(cuMemcpyHtoD, address, v->host, bytes);
    else XGPU_DRIVER(cuMemcpyDtoH, v->host, address, bytes);
  }
}

}  // namespace

cudaError_t function_of(const void *symbol, CUfunction *function) {
  std::lock_guard<std::mutex> held(lock);
  auto found = made(kernels).find(symbol);
  if (!symbol) return cudaErrorInvalidDeviceFunction;
  if (found == kernels->end()) {  // a kernel of a library, which stands for its function
    cudaError_t error = XGPU_DRIVER(cuKernelGetFunction, function, (CUkernel)symbol);
    return error == cudaErrorInvalidResourceHandle ? cudaErrorInvalidDeviceFunction : error;
  }
  Kernel &kernel = found->second;
  CUfunction &there = kernel.found[current_device()];
  if (!there) {
    CUmodule module;
    cudaError_t error = loaded(kernel.module, &module);
    if (!error) error = XGPU_DRIVER(cuModuleGetFunction, &there, module, kernel.name);
    if (error) return error == cudaErrorSymbolNotFound ? cudaErrorInvalidDeviceFunction : error;
  }
  *function = there;
  return cudaSuccess;
}

const void *symbol_of(CUfunction function) {
  std::lock_guard<std::mutex> held(lock);
  for (auto &entry : made(kernels)) {
    for (CUfunction f : entry.second.found) {
      if (f == function) return entry.first;
    }
  }
  return nullptr;
}

cudaError_t variable_of(const void *symbol, CUdeviceptr *address, size_t *bytes) {
  std::lock_guard<std::mutex> held(lock);
  auto found = made(variables).find(symbol);
  if (!symbol || found == variables->end()) return cudaErrorInvalidSymbol;
  return located(&found->second, address, bytes);
}

void forget_modules(int device) {
  std::lock_guard<std::mutex> held(lock);
  for (Module *m = modules; m; m = m->next) m->loaded[device] = nullptr;
  for (auto &entry : made(kernels)) entry.second.found[device] = nullptr;
  for (auto &entry : made(variables)) entry.second.found[device] = 0;
}

void push_managed() {
  if (!managed) return;
  std::lock_guard<std::mutex> held(lock);
  if (!is_device_ahead) copy_managed(true);
  is_device_ahead = true;
}

void pull_managed() {
  if (!managed) return;
  std::lock_guard<std::mutex> held(lock);
  if (is_device_ahead) copy_managed(false);
  is_device_ahead = false;
}

namespace {

// What `<<<>>>` has put aside for the call of the kernel's function on the host.
struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};
constexpr int MOST_CONFIGURATIONS = 64;  // a kernel's argument may launch another
thread_local Configuration configurations[MOST_CONFIGURATIONS];
thread_local int depth;

bool is_within(unsigned int value, CUdevice_attribute limit) {
  return value > 0 && value <= (unsigned int)limit_of(limit);
}

// The driver calls all of these invalid values.
cudaError_t checked(dim3 grid, dim3 block) {
  bool is_valid = is_within(grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) &&
                  is_within(grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) &&
                  is_within(grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z) &&
                  is_within(block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) &&
                  is_within(block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) &&
                  is_within(block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z) &&
                  (unsigned long long)block.x * block.y * block.z <=
                      (unsigned int)limit_of(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  return is_valid ? cudaSuccess : cudaErrorInvalidConfiguration;
}

cudaError_t prepared(const void *symbol, dim3 grid, dim3 block, CUfunction *function) {
  cudaError_t error = ready();
  if (!error) error = function_of(symbol, function);
  if (!error) error = checked(grid, block);
  if (!error) push_managed();
  return error;
}

CUlaunchConfig config_of(const cudaLaunchConfig_t &c) {
  // Attributes have the driver's layout.
  return {c.gridDim.x,  c.gridDim.y,  c.gridDim.z,
          c.blockDim.x, c.blockDim.y, c.blockDim.z,
          (unsigned int)c.dynamicSmemBytes, stream_of(c.stream),
          (CUlaunchAttribute *)c.attrs, c.numAttrs};
}

cudaError_t function_for(const void *symbol, CUfunction *function) {
  cudaError_t error = ready();
  return error ? error : function_of(symbol, function);
}

}  // namespace
}  // namespace xgpu

using namespace xgpu;

extern "C" {

// -- registration: https://clang.llvm.org/doxygen/CGCUDANV_8cpp_source.html

struct FatBinary {
  int magic, version;
  const void *image;
  void *unused;
};

void **__cudaRegisterFatBinary(void *wrapper) {
  std::lock_guard<std::mutex> held(lock);
  Module *module = new Module();
  module->image = ((FatBinary *)wrapper)->image;
  module->next = modules;
  modules = module;
  return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **) {}

// At the end of the process, which ends the driver too.
void __cudaUnregisterFatBinary(void **) {}

int __cudaRegisterFunction(void **module, const void *host, char *, const char *name, int, void *,
                           void *, void *, void *, int *) {
  std::lock_guard<std::mutex> held(lock);
  Kernel &kernel = made(kernels)[host];
  kernel = Kernel();
  kernel.module = (Module *)module;
  kernel.name = name;
  return 0;
}

void __cudaRegisterVar(void **module, char *host, char *, const char *name, int, size_t bytes, int,
                       int) {
  std::lock_guard<std::mutex> held(lock);
  Variable &variable = made(variables)[host];
  variable = Variable();
  variable.module = (Module *)module;
  variable.name = name;
  variable.host = host;
  variable.bytes = bytes;
}

// The host's copies of managed variables lie between these addresses.
void xgpuRegisterManaged(const char *start, const char *stop) {
  {
    std::lock_guard<std::mutex> held(lock);
    for (auto &entry : made(variables)) {
      Variable &variable = entry.second;
      const char *host = (const char *)variable.host;
      if (host < start || host >= stop) continue;
      variable.next_managed = managed;
      managed = &variable;
    }
    is_device_ahead = true;  // it has the initial values
  }
  if (managed && !ready()) pull_managed();
}

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         cudaStream_t stream) {
  if (depth == MOST_CONFIGURATIONS) return 1;
  configurations[depth++] = {grid, block, shared_bytes, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                       void *stream) {
  if (!depth) return noted(cudaErrorMissingConfiguration);
  const Configuration &c = configurations[--depth];
  *grid = c.grid;
  *block = c.block;
  *shared_bytes = c.shared_bytes;
  *(cudaStream_t *)stream = c.stream;
  return cudaSuccess;
}

// -- launches

cudaError_t cudaLaunchKernel(const void *symbol, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  CUfunction function;
  if (cudaError_t error = prepared(symbol, grid, block, &function)) return noted(error);
  return noted(XGPU_DRIVER(cuLaunchKernel, function, grid.x, grid.y, grid.z, block.x, block.y,
                           block.z, (unsigned int)shared_bytes, stream_of(stream), arguments,
                           nullptr));
}

cudaError_t cudaLaunchCooperativeKernel(const void *symbol, dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  CUfunction function;
  if (cudaError_t error = prepared(symbol, grid, block, &function)) return noted(error);
  return noted(XGPU_DRIVER(cuLaunchCooperativeKernel, function, grid.x, grid.y, grid.z, block.x,
                           block.y, block.z, (unsigned int)shared_bytes, stream_of(stream),
                           arguments));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *symbol,
                                void **arguments) {
  if (!config) return noted(cudaErrorInvalidValue);
  CUfunction function;
  cudaError_t error = prepared(symbol, config->gridDim, config->blockDim, &function);
  if (error) return noted(error);
  CUlaunchConfig c = config_of(*config);
  return noted(XGPU_DRIVER(cuLaunchKernelEx, &c, function, arguments, nullptr));
}

// -- attributes

cudaError_t cudaFuncGetName(const char **name, const void *symbol) {
  if (!name) return noted(cudaErrorInvalidValue);
  CUfunction function;
  cudaError_t error = ready();
  if (!error) error = function_of(symbol, &function);
  if (!error) error = XGPU_DRIVER(cuFuncGetName, name, function);
  return noted(error);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *symbol) {
  if (!attributes) return noted(cudaErrorInvalidValue);
  CUfunction function;
  if (cudaError_t error = function_for(symbol, &function)) return noted(error);
  auto get = [&](CUfunction_attribute attribute) {
    int value = 0;
    XGPU_DRIVER(cuFuncGetAttribute, &value, attribute, function);
    return value;
  };
  attributes->sharedSizeBytes = get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  attributes->constSizeBytes = get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  attributes->localSizeBytes = get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  attributes->maxThreadsPerBlock = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  attributes->numRegs = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
  attributes->ptxVersion = get(CU_FUNC_ATTRIBUTE_PTX_VERSION);
  attributes->binaryVersion = get(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  attributes->cacheModeCA = get(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
  attributes->maxDynamicSharedSizeBytes = get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  attributes->preferredShmemCarveout = get(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *symbol, cudaFuncAttribute attribute, int value) {
  CUfunction function;
  cudaError_t error = function_for(symbol, &function);
  if (!error) {
    error = XGPU_DRIVER(cuFuncSetAttribute, function, (CUfunction_attribute)attribute, value);
  }
  return noted(error);
}

cudaError_t cudaFuncSetCacheConfig(const void *symbol, cudaFuncCache config) {
  CUfunction function;
  cudaError_t error = function_for(symbol, &function);
  if (!error) error = XGPU_DRIVER(cuFuncSetCacheConfig, function, (CUfunc_cache)config);
  return noted(error);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *symbol, cudaSharedMemConfig) {
  CUfunction function;  // devices of today have banks of one width
  return noted(function_for(symbol, &function));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *symbol) {
  if (!handle) return noted(cudaErrorInvalidValue);
  return noted(function_for(symbol, handle));
}

// -- libraries

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image, cudaJitOption *options,
                                void **values, unsigned int count, cudaLibraryOption *kinds,
                                void **settings, unsigned int settings_count) {
  XGPU_CALL(cuLibraryLoadData, library, image, (CUjit_option *)options, values, count,
            (CUlibraryOption *)kinds, settings, settings_count);
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file,
                                    cudaJitOption *options, void **values, unsigned int count,
                                    cudaLibraryOption *kinds, void **settings,
                                    unsigned int settings_count) {
  XGPU_CALL(cuLibraryLoadFromFile, library, file, (CUjit_option *)options, values, count,
            (CUlibraryOption *)kinds, settings, settings_count);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) { XGPU_CALL(cuLibraryUnload, library); }

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  XGPU_CALL(cuLibraryGetKernel, kernel, library, name);
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library) {
  XGPU_CALL(cuLibraryGetKernelCount, count, library);
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int count,
                                        cudaLibrary_t library) {
  XGPU_CALL(cuLibraryEnumerateKernels, kernels, count, library);
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library,
                                 const char *name) {
  XGPU_CALL(cuLibraryGetGlobal, (CUdeviceptr *)address, bytes, library, name);
}

cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes, cudaLibrary_t library,
                                  const char *name) {
  XGPU_CALL(cuLibraryGetManaged, (CUdeviceptr *)address, bytes, library, name);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  XGPU_CALL(cuKernelSetAttribute, (CUfunction_attribute)attribute, value, kernel, device);
}

// -- occupancy

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *symbol,
                                                          int block_size, size_t shared_bytes) {
  CUfunction function;
  cudaError_t error = function_for(symbol, &function);
  if (!error) {
    error = XGPU_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor, blocks, function, block_size,
                        shared_bytes);
  }
  return noted(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *symbol,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags) {
  CUfunction function;
  cudaError_t error = function_for(symbol, &function);
  if (!error) {
    error = XGPU_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, blocks, function,
                        block_size, shared_bytes, flags);
  }
  return noted(error);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *symbol, int blocks,
                                                      int block_size) {
  CUfunction function;
  cudaError_t error = function_for(symbol, &function);
  if (!error) {
    error = XGPU_DRIVER(cuOccupancyAvailableDynamicSMemPerBlock, bytes, function, blocks,
                        block_size);
  }
  return noted(error);
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *symbol,
                                           const cudaLaunchConfig_t *config) {
  if (!config) return noted(cudaErrorInvalidValue);
  CUfunction function;
  if (cudaError_t error = function_for(symbol, &function)) return noted(error);
  CUlaunchConfig c = config_of(*config);
  return noted(XGPU_DRIVER(cuOccupancyMaxActiveClusters, clusters, function, &c));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *symbol,
                                                 const cudaLaunchConfig_t *config) {
  if (!config) return noted(cudaErrorInvalidValue);
  CUfunction function;
  if (cudaError_t error = function_for(symbol, &function)) return noted(error);
  CUlaunchConfig c = config_of(*config);
  return noted(XGPU_DRIVER(cuOccupancyMaxPotentialClusterSize, size, function, &c));
}

}  // extern "C"
