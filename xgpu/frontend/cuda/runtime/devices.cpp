// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver, errors, devices.
#include "internal.h"

#include <dlfcn.h>

#include <atomic>

namespace xgpu {

void *driver_address(const char *name) {
  static void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  static const bool missing = [] {
    if (!library) fprintf(stderr, "xgpu: no CUDA driver is there: %s\n", dlerror());
    return !library;
  }();
  return missing ? nullptr : dlsym(library, name);
}

// -- contexts

namespace {
std::atomic<int> epoch{1};
bool per_thread_default_stream = false;

struct Thread {
  cudaError_t last = cudaSuccess;
  int device = 0;
  int bound = 0;  // the epoch in which its context was bound
};
thread_local Thread self;

// The context stays unusable after these, as the error does.
bool is_sticky(cudaError_t error) {
  switch (error) {
  case cudaErrorECCUncorrectable: case cudaErrorIllegalAddress: case cudaErrorLaunchTimeout:
  case cudaErrorAssert: case cudaErrorHardwareStackError: case cudaErrorIllegalInstruction:
  case cudaErrorMisalignedAddress: case cudaErrorInvalidAddressSpace: case cudaErrorInvalidPc:
  case cudaErrorLaunchFailure:
    return true;
  default:
    return false;
  }
}
}  // namespace

cudaError_t noted(cudaError_t error) {
  if (error != cudaSuccess && !is_sticky(self.last)) self.last = error;
  return error;
}

cudaError_t initialized() {
  static const cudaError_t error = [] {
    if (!driver_address("cuInit")) return cudaErrorInsufficientDriver;
    return XGPU_DRIVER(cuInit, 0u);
  }();
  return error;
}

cudaError_t primary_context(int device, CUcontext *context) {
  // Retained once for a device; the process ends with it.
  static std::mutex lock;
  static CUcontext retained[MOST_DEVICES];
  static int since[MOST_DEVICES];
  if (cudaError_t error = initialized()) return error;
  int count = 0;
  if (cudaError_t error = XGPU_DRIVER(cuDeviceGetCount, &count)) return error;
  if (device < 0 || device >= count || device >= MOST_DEVICES) return cudaErrorInvalidDevice;
  std::lock_guard<std::mutex> held(lock);
  if (since[device] != epoch) {
    CUdevice handle;
    cudaError_t error = XGPU_DRIVER(cuDeviceGet, &handle, device);
    if (!error) error = XGPU_DRIVER(cuDevicePrimaryCtxRetain, &retained[device], handle);
    if (error) return error;
    since[device] = epoch;
  }
  *context = retained[device];
  return cudaSuccess;
}

cudaError_t ready() {
  if (self.bound == epoch) return cudaSuccess;
  if (cudaError_t error = initialized()) return error;
  CUcontext context = nullptr;
  if (!self.bound) {  // it may have one of its own, by the driver's interface
    XGPU_DRIVER(cuCtxGetCurrent, &context);
  }
  if (!context) {
    cudaError_t error = primary_context(self.device, &context);
    if (!error) error = XGPU_DRIVER(cuCtxSetCurrent, context);
    if (error) return error;
  }
  self.bound = epoch;
  return cudaSuccess;
}

int current_device() {
  CUdevice device = self.device;
  if (self.bound) XGPU_DRIVER(cuCtxGetDevice, &device);
  return device;
}

void forget_contexts() { ++epoch; }

int limit_of(CUdevice_attribute attribute) {
  constexpr int most = 128;
  static std::atomic<int> known[MOST_DEVICES][most];
  int device = current_device();
  int value = known[device][attribute];
  if (value) return value;
  XGPU_DRIVER(cuDeviceGetAttribute, &value, attribute, device);
  known[device][attribute] = value;
  return value;
}

CUstream stream_of(cudaStream_t stream) {
  return !stream && per_thread_default_stream ? CU_STREAM_PER_THREAD : stream;
}

}  // namespace xgpu

using namespace xgpu;

extern "C" {

void xgpuUsePerThreadDefaultStream() { per_thread_default_stream = true; }

// -- errors

cudaError_t cudaGetLastError() {
  cudaError_t error = self.last;
  if (!is_sticky(error)) self.last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return self.last; }

const char *cudaGetErrorName(cudaError_t error) {
  switch ((int)error) {
#define XGPU_ERROR(NAME, NUMBER, TEXT) case NUMBER: return #NAME;
#include <xgpu/errors.def>
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch ((int)error) {
#define XGPU_ERROR(NAME, NUMBER, TEXT) case NUMBER: return TEXT;
#include <xgpu/errors.def>
  }
  return "unrecognized error code";
}

// -- versions

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function,
                                             unsigned int version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *status) {
  if (!name || !function) return noted(cudaErrorInvalidValue);
  cudaError_t error = ready();
  if (!error)
    error = XGPU_DRIVER(cuGetProcAddress, name, function, (int)version, flags,
                        (CUdriverProcAddressQueryResult *)status);
  return noted(error);
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *status) {
  return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, status);
}

cudaError_t cudaDriverGetVersion(int *version) {
  if (!version) return noted(cudaErrorInvalidValue);
  *version = 0;
  if (!driver_address("cuDriverGetVersion")) return cudaSuccess;  // as CUDA without a driver
  return noted(XGPU_DRIVER(cuDriverGetVersion, version));
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version) return noted(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

// -- devices

cudaError_t cudaGetDeviceCount(int *count) {
  if (!count) return noted(cudaErrorInvalidValue);
  *count = 0;
  if (cudaError_t error = initialized()) return noted(error);
  cudaError_t error = XGPU_DRIVER(cuDeviceGetCount, count);
  return noted(!error && !*count ? cudaErrorNoDevice : error);
}

cudaError_t cudaGetDevice(int *device) {
  if (!device) return noted(cudaErrorInvalidValue);
  if (cudaError_t error = initialized()) return noted(error);
  *device = current_device();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  CUcontext context;
  cudaError_t error = primary_context(device, &context);
  if (!error) error = XGPU_DRIVER(cuCtxSetCurrent, context);
  if (error) return noted(error);
  self.device = device;
  self.bound = epoch;
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  CUcontext context;
  return noted(primary_context(device, &context));
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  int there = 0;
  if (cudaError_t error = cudaGetDeviceCount(&there)) return error;
  if (count < 0 || (count && !devices)) return noted(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i) {
    if (devices[i] < 0 || devices[i] >= there) return noted(cudaErrorInvalidDevice);
  }
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties) {
  if (!device || !properties) return noted(cudaErrorInvalidValue);
  *device = 0;  // they are all alike
  return noted(initialized());
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  if (cudaError_t error = initialized()) return noted(error);
  // Both number the attributes alike.
  return noted(XGPU_DRIVER(cuDeviceGetAttribute, value, (CUdevice_attribute)attribute, device));
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  if (!p) return noted(cudaErrorInvalidValue);
  if (cudaError_t error = initialized()) return noted(error);
  *p = cudaDeviceProp();
  CUdevice handle;
  cudaError_t error = XGPU_DRIVER(cuDeviceGet, &handle, device);
  if (!error) error = XGPU_DRIVER(cuDeviceGetName, p->name, (int)sizeof p->name, handle);
  if (!error) error = XGPU_DRIVER(cuDeviceTotalMem, &p->totalGlobalMem, handle);
  if (error) return noted(error);
  XGPU_DRIVER(cuDeviceGetUuid, (CUuuid *)&p->uuid, handle);
  // An attribute that the driver does not know is 0.
  auto get = [&](cudaDeviceAttr attribute) {
    int value = 0;
    XGPU_DRIVER(cuDeviceGetAttribute, &value, (CUdevice_attribute)attribute, handle);
    return value;
  };
  p->sharedMemPerBlock = get(cudaDevAttrMaxSharedMemoryPerBlock);
  p->regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
  p->warpSize = get(cudaDevAttrWarpSize);
  p->memPitch = get(cudaDevAttrMaxPitch);
  p->maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
  p->clockRate = get(cudaDevAttrClockRate);
  p->totalConstMem = get(cudaDevAttrTotalConstantMemory);
  p->major = get(cudaDevAttrComputeCapabilityMajor);
  p->minor = get(cudaDevAttrComputeCapabilityMinor);
  p->textureAlignment = get(cudaDevAttrTextureAlignment);
  p->texturePitchAlignment = get(cudaDevAttrTexturePitchAlignment);
  p->deviceOverlap = get(cudaDevAttrGpuOverlap);
  p->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
  p->kernelExecTimeoutEnabled = get(cudaDevAttrKernelExecTimeout);
  p->integrated = get(cudaDevAttrIntegrated);
  p->canMapHostMemory = get(cudaDevAttrCanMapHostMemory);
  p->computeMode = get(cudaDevAttrComputeMode);
  p->concurrentKernels = get(cudaDevAttrConcurrentKernels);
  p->ECCEnabled = get(cudaDevAttrEccEnabled);
  p->pciBusID = get(cudaDevAttrPciBusId);
  p->pciDeviceID = get(cudaDevAttrPciDeviceId);
  p->pciDomainID = get(cudaDevAttrPciDomainId);
  p->tccDriver = get(cudaDevAttrTccDriver);
  p->asyncEngineCount = get(cudaDevAttrAsyncEngineCount);
  p->unifiedAddressing = get(cudaDevAttrUnifiedAddressing);
  p->memoryClockRate = get(cudaDevAttrMemoryClockRate);
  p->memoryBusWidth = get(cudaDevAttrGlobalMemoryBusWidth);
  p->l2CacheSize = get(cudaDevAttrL2CacheSize);
  p->persistingL2CacheMaxSize = get(cudaDevAttrMaxPersistingL2CacheSize);
  p->maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
  p->streamPrioritiesSupported = get(cudaDevAttrStreamPrioritiesSupported);
  p->globalL1CacheSupported = get(cudaDevAttrGlobalL1CacheSupported);
  p->localL1CacheSupported = get(cudaDevAttrLocalL1CacheSupported);
  p->sharedMemPerMultiprocessor = get(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  p->regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
  p->managedMemory = get(cudaDevAttrManagedMemory);
  p->isMultiGpuBoard = get(cudaDevAttrIsMultiGpuBoard);
  p->multiGpuBoardGroupID = get(cudaDevAttrMultiGpuBoardGroupID);
  p->hostNativeAtomicSupported = get(cudaDevAttrHostNativeAtomicSupported);
  p->singleToDoublePrecisionPerfRatio = get(cudaDevAttrSingleToDoublePrecisionPerfRatio);
  p->pageableMemoryAccess = get(cudaDevAttrPageableMemoryAccess);
  p->concurrentManagedAccess = get(cudaDevAttrConcurrentManagedAccess);
  p->computePreemptionSupported = get(cudaDevAttrComputePreemptionSupported);
  p->canUseHostPointerForRegisteredMem = get(cudaDevAttrCanUseHostPointerForRegisteredMem);
  p->cooperativeLaunch = get(cudaDevAttrCooperativeLaunch);
  p->sharedMemPerBlockOptin = get(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  p->pageableMemoryAccessUsesHostPageTables =
      get(cudaDevAttrPageableMemoryAccessUsesHostPageTables);
  p->directManagedMemAccessFromHost = get(cudaDevAttrDirectManagedMemAccessFromHost);
  p->maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
  p->accessPolicyMaxWindowSize = get(cudaDevAttrMaxAccessPolicyWindowSize);
  p->reservedSharedMemPerBlock = get(cudaDevAttrReservedSharedMemoryPerBlock);
  p->hostRegisterSupported = get(cudaDevAttrHostRegisterSupported);
  p->hostRegisterReadOnlySupported = get(cudaDevAttrHostRegisterReadOnlySupported);
  p->memoryPoolsSupported = get(cudaDevAttrMemoryPoolsSupported);
  p->memoryPoolSupportedHandleTypes = get(cudaDevAttrMemoryPoolSupportedHandleTypes);
  p->clusterLaunch = get(cudaDevAttrClusterLaunch);
  for (int i = 0; i < 3; ++i) {
    p->maxThreadsDim[i] = get((cudaDeviceAttr)(cudaDevAttrMaxBlockDimX + i));
    p->maxGridSize[i] = get((cudaDeviceAttr)(cudaDevAttrMaxGridDimX + i));
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  if (cudaError_t error = initialized()) return noted(error);
  return noted(XGPU_DRIVER(cuDeviceGetP2PAttribute, value, (CUdevice_P2PAttribute)attribute,
                           device, peer));
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device) {
  if (cudaError_t error = initialized()) return noted(error);
  return noted(XGPU_DRIVER(cuDeviceGetPCIBusId, id, size, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
  if (cudaError_t error = initialized()) return noted(error);
  return noted(XGPU_DRIVER(cuDeviceGetByPCIBusId, device, id));
}

cudaError_t cudaDeviceSynchronize() {
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuCtxSynchronize);
  if (!error) pull_managed();
  return noted(error);
}

cudaError_t cudaDeviceReset() {
  if (cudaError_t error = initialized()) return noted(error);
  int device = current_device();
  cudaError_t error = XGPU_DRIVER(cuDevicePrimaryCtxReset, device);
  forget_modules(device);
  forget_contexts();
  self.last = cudaSuccess;
  return noted(error);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  if (cudaError_t error = initialized()) return noted(error);
  if (flags & ~(unsigned int)cudaDeviceMask) return noted(cudaErrorInvalidValue);
  return noted(XGPU_DRIVER(cuDevicePrimaryCtxSetFlags, current_device(), flags));
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  if (!flags) return noted(cudaErrorInvalidValue);
  XGPU_CALL(cuCtxGetFlags, flags);
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  XGPU_CALL(cuCtxGetLimit, value, (CUlimit)limit);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  XGPU_CALL(cuCtxSetLimit, (CUlimit)limit, value);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  XGPU_CALL(cuCtxGetCacheConfig, (CUfunc_cache *)config);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  XGPU_CALL(cuCtxSetCacheConfig, (CUfunc_cache)config);
}

// Devices of today have banks of one width.
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  if (!config) return noted(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return noted(ready());
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  if (config < 0 || config > cudaSharedMemBankSizeEightByte) return noted(cudaErrorInvalidValue);
  return noted(ready());
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  XGPU_CALL(cuCtxGetStreamPriorityRange, least, greatest);
}

cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer) {
  if (cudaError_t error = initialized()) return noted(error);
  return noted(XGPU_DRIVER(cuDeviceCanAccessPeer, can_access, device, peer));
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  CUcontext context;
  cudaError_t error = ready();
  if (!error) error = primary_context(peer, &context);
  if (!error) error = XGPU_DRIVER(cuCtxEnablePeerAccess, context, flags);
  return noted(error);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  CUcontext context;
  cudaError_t error = ready();
  if (!error) error = primary_context(peer, &context);
  if (!error) error = XGPU_DRIVER(cuCtxDisablePeerAccess, context);
  return noted(error);
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaCtxResetPersistingL2Cache() { return noted(ready()); }

// There is no profiler; programs mark what one shall see.
cudaError_t cudaProfilerStart() { return noted(ready()); }
cudaError_t cudaProfilerStop() { return noted(ready()); }

// -- other processes

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) { return noted(cudaErrorNotSupported); }
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int) {
  return noted(cudaErrorNotSupported);
}
cudaError_t cudaIpcCloseMemHandle(void *) { return noted(cudaErrorNotSupported); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) {
  return noted(cudaErrorNotSupported);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) {
  return noted(cudaErrorNotSupported);
}

}  // extern "C"
