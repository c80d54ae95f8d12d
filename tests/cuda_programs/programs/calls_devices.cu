// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function for errors, devices, kernels and other processes: once right, once wrong.
#include <cstring>

#include "check.h"

__global__ void kernel(int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  if (x) *x = s[0];
}
__global__ void __launch_bounds__(64) bounded() {}
__constant__ int steps[12];
__global__ void looked_up(int *x, int n) {
  int own[40];
  for (int i = 0; i < 40; ++i) own[i] = steps[i % n] * i;
  *x = own[n] + own[*x];
}
void no_kernel() {}
const void *const NONE = (const void *)no_kernel;

void errors() {
  CHECK(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
  CHECK(!strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code"));
  CHECK(!strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  CHECK(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
  CHECK(cudaMalloc((void **)nullptr, 4) == cudaErrorInvalidValue);
  WRONG(cudaErrorInvalidValue, cudaPeekAtLastError());
  OK(cudaPeekAtLastError());
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  WRONG(cudaErrorInvalidDevice, cudaGetLastError());
  OK(cudaGetLastError());
}

void devices() {
  int count, device, value, other;
  OK(cudaGetDeviceCount(&count));
  CHECK(count == 2);
  WRONG(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
  OK(cudaSetDevice(1));
  OK(cudaGetDevice(&device));
  CHECK(device == 1);
  WRONG(cudaErrorInvalidValue, cudaGetDevice(nullptr));
  OK(cudaSetDevice(0));
  WRONG(cudaErrorInvalidDevice, cudaSetDevice(count));
  OK(cudaInitDevice(0, 0, 0));
  WRONG(cudaErrorInvalidDevice, cudaInitDevice(count, 0, 0));
  int list[] = {1, 0, count};
  OK(cudaSetValidDevices(list, 2));
  WRONG(cudaErrorInvalidDevice, cudaSetValidDevices(list, 3));
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.major == 9 && p.minor == 0);
  CHECK(p.name[0] && p.totalGlobalMem > 0 && p.sharedMemPerBlock == 48 << 10);
  CHECK(p.maxThreadsDim[2] == 64 && p.maxGridSize[1] == 65535 && p.multiProcessorCount > 0);
  WRONG(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, count));
  OK(cudaChooseDevice(&device, &p));
  WRONG(cudaErrorInvalidValue, cudaChooseDevice(nullptr, &p));
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  CHECK(value == 32);
  WRONG(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count));
  OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  WRONG(cudaErrorInvalidDevice,
        cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, count));
  char id[32];
  OK(cudaDeviceGetPCIBusId(id, sizeof id, 1));
  OK(cudaDeviceGetByPCIBusId(&device, id));
  CHECK(device == 1);
  WRONG(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(id, sizeof id, count));
  CHECK(cudaDeviceGetByPCIBusId(&device, "nowhere") != cudaSuccess);
  cudaGetLastError();
  OK(cudaDeviceSynchronize());
  OK(cudaThreadSynchronize());
  OK(cudaProfilerStart());
  OK(cudaProfilerStop());
  OK(cudaCtxResetPersistingL2Cache());
  int version;
  void *address = nullptr;
  cudaDriverEntryPointQueryResult status;
  OK(cudaGetDriverEntryPoint("cuInit", &address, cudaEnableDefault, &status));
  CHECK(address && status == cudaDriverEntryPointSuccess);
  OK(cudaGetDriverEntryPoint("cuNothing", &address, cudaEnableDefault, &status));
  CHECK(!address && status == cudaDriverEntryPointSymbolNotFound);
  WRONG(cudaErrorInvalidValue,
        cudaGetDriverEntryPoint(nullptr, &address, cudaEnableDefault, &status));
  OK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &address, 12000, cudaEnableDefault));
  OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address, 11000,
                                      cudaEnableDefault, &status));
  CHECK(!address && status == cudaDriverEntryPointVersionNotSufficent);
  WRONG(cudaErrorInvalidValue,
        cudaGetDriverEntryPointByVersion("cuInit", nullptr, 12000, cudaEnableDefault));
  OK(cudaDriverGetVersion(&version));
  CHECK(version >= 12000);
  WRONG(cudaErrorInvalidValue, cudaDriverGetVersion(nullptr));
  OK(cudaRuntimeGetVersion(&version));
  CHECK(version == CUDART_VERSION);
  WRONG(cudaErrorInvalidValue, cudaRuntimeGetVersion(nullptr));
  OK(cudaDeviceCanAccessPeer(&other, 0, 1));
  CHECK(other == 1);
  WRONG(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&other, 0, count));
  OK(cudaDeviceEnablePeerAccess(1, 0));
  WRONG(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  OK(cudaDeviceDisablePeerAccess(1));
  WRONG(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
}

void settings() {
  unsigned int flags;
  size_t bytes;
  OK(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  WRONG(cudaErrorInvalidValue, cudaSetDeviceFlags(0x10000));
  OK(cudaGetDeviceFlags(&flags));
  WRONG(cudaErrorInvalidValue, cudaGetDeviceFlags(nullptr));
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  OK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  CHECK(bytes >= 1 << 20);
  WRONG(cudaErrorInvalidValue, cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  WRONG(cudaErrorInvalidValue, cudaDeviceSetLimit((cudaLimit)99, 1));
  cudaFuncCache cache;
  OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  WRONG(cudaErrorInvalidValue, cudaDeviceSetCacheConfig((cudaFuncCache)9));
  OK(cudaDeviceGetCacheConfig(&cache));
  WRONG(cudaErrorInvalidValue, cudaDeviceGetCacheConfig(nullptr));
  cudaSharedMemConfig banks;
  OK(cudaDeviceGetSharedMemConfig(&banks));
  WRONG(cudaErrorInvalidValue, cudaDeviceGetSharedMemConfig(nullptr));
  OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  WRONG(cudaErrorInvalidValue, cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)9));
  int least, greatest;
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest <= least);
}

void launches() {
  int *x, host = 0;
  OK(cudaMalloc(&x, 4));
  void *arguments[] = {&x};
  OK(cudaLaunchKernel((void *)kernel, dim3(1), dim3(32), arguments, 128, 0));
  OK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost));
  CHECK(host == 1);
  WRONG(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(NONE, dim3(1), dim3(1), arguments, 0, 0));
  kernel<<<0, 32>>>(x);
  WRONG(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
  kernel<<<dim3(1, 65536), 32>>>(x);
  WRONG(cudaErrorInvalidConfiguration, cudaGetLastError());
  kernel<<<1, 1025>>>(x);
  WRONG(cudaErrorInvalidConfiguration, cudaGetLastError());
  kernel<<<1, dim3(1, 1, 65)>>>(x);
  WRONG(cudaErrorInvalidConfiguration, cudaGetLastError());
  kernel<<<1, 32, 49 << 10>>>(x);
  WRONG(cudaErrorInvalidValue, cudaGetLastError());
  OK(cudaLaunchCooperativeKernel((void *)kernel, dim3(1), dim3(32), arguments, 128, 0));
  WRONG(cudaErrorInvalidDeviceFunction,
        cudaLaunchCooperativeKernel(NONE, dim3(1), dim3(1), arguments, 0, 0));
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4), config.blockDim = dim3(32), config.dynamicSmemBytes = 128;
  config.attrs = &attribute, config.numAttrs = 1;
  OK(cudaLaunchKernelExC(&config, (void *)kernel, arguments));
  int clusters;
  OK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
  CHECK(clusters > 0);
  WRONG(cudaErrorInvalidValue, cudaOccupancyMaxActiveClusters(&clusters, NONE, nullptr));
  OK(cudaOccupancyMaxPotentialClusterSize(&clusters, kernel, &config));
  CHECK(clusters >= 8);
  WRONG(cudaErrorInvalidValue, cudaOccupancyMaxPotentialClusterSize(&clusters, NONE, nullptr));
  config.gridDim = dim3(3);
  CHECK(cudaLaunchKernelExC(&config, (void *)kernel, arguments) != cudaSuccess);
  cudaGetLastError();
  WRONG(cudaErrorInvalidValue, cudaLaunchKernelExC(nullptr, (void *)kernel, arguments));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(x));
}

void functions() {
  cudaFuncAttributes a;
  const char *name = nullptr;
  OK(cudaFuncGetName(&name, bounded));
  CHECK(name && strstr(name, "bounded"));
  WRONG(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, NONE));
  OK(cudaFuncGetAttributes(&a, looked_up));
  CHECK(a.constSizeBytes == 48 && a.localSizeBytes == 160);
  OK(cudaFuncGetAttributes(&a, bounded));
  CHECK(a.maxThreadsPerBlock == 64);
  bounded<<<1, 65>>>();
  CHECK(cudaGetLastError() != cudaSuccess);
  WRONG(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, NONE));
  OK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  kernel<<<1, 32, 100 << 10>>>(nullptr);
  OK(cudaGetLastError());
  WRONG(cudaErrorInvalidValue,
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
  OK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
  WRONG(cudaErrorInvalidDeviceFunction, cudaFuncSetCacheConfig(NONE, cudaFuncCachePreferL1));
  OK(cudaFuncSetSharedMemConfig(kernel, cudaSharedMemBankSizeFourByte));
  WRONG(cudaErrorInvalidDeviceFunction,
        cudaFuncSetSharedMemConfig(NONE, cudaSharedMemBankSizeFourByte));
  cudaFunction_t handle;
  OK(cudaGetFuncBySymbol(&handle, (const void *)kernel));
  WRONG(cudaErrorInvalidDeviceFunction, cudaGetFuncBySymbol(&handle, NONE));
  int blocks;
  size_t bytes;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0));
  CHECK(blocks > 0);
  WRONG(cudaErrorInvalidDeviceFunction,
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NONE, 128, 0));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 128, 0, 0));
  WRONG(cudaErrorInvalidDeviceFunction,
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, NONE, 128, 0, 0));
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)kernel, 2, 128));
  CHECK(bytes > 0);
  WRONG(cudaErrorInvalidDeviceFunction,
        cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, NONE, 2, 128));
}

const char ptx[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 step = 5;
.visible .global .attribute(.managed) .align 4 .u32 seen[3];
.visible .entry more(.param .u64 x)
{
  .reg .u64 %rd1; .reg .u32 %r<3>;
  ld.param.u64 %rd1, [x]; ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [step];
  add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;
  ret;
})";

void libraries() {
  cudaLibrary_t library;
  cudaKernel_t more = nullptr, all[2] = {};
  unsigned int count = 0;
  int *step, *x, host = 1;
  size_t bytes = 0;
  OK(cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  FAILS(cudaLibraryLoadData(&library, "no PTX", nullptr, nullptr, 0, nullptr, nullptr, 0));
  FAILS(cudaLibraryLoadFromFile(&library, "/none", nullptr, nullptr, 0, nullptr, nullptr, 0));
  FILE *file = fopen("calls_library.ptx", "w");
  CHECK(fputs(ptx, file) > 0 && !fclose(file));
  cudaLibrary_t other;
  OK(cudaLibraryLoadFromFile(&other, "calls_library.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  remove("calls_library.ptx");
  OK(cudaLibraryUnload(other));
  FAILS(cudaLibraryUnload(other));
  OK(cudaLibraryGetKernelCount(&count, library));
  CHECK(count == 1);
  FAILS(cudaLibraryGetKernelCount(&count, nullptr));
  OK(cudaLibraryEnumerateKernels(all, 2, library));
  FAILS(cudaLibraryEnumerateKernels(all, 2, nullptr));
  OK(cudaLibraryGetKernel(&more, library, "more"));
  CHECK(more == all[0]);
  WRONG(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&more, library, "less"));
  OK(cudaLibraryGetGlobal((void **)&step, &bytes, library, "step"));
  CHECK(bytes == 4);
  WRONG(cudaErrorSymbolNotFound, cudaLibraryGetGlobal((void **)&x, &bytes, library, "stride"));
  OK(cudaLibraryGetManaged((void **)&x, &bytes, library, "seen"));
  CHECK(bytes == 12);
  WRONG(cudaErrorSymbolNotFound, cudaLibraryGetManaged((void **)&x, &bytes, library, "step"));
  OK(cudaKernelSetAttributeForDevice(more, cudaFuncAttributeMaxDynamicSharedMemorySize, 64, 0));
  FAILS(cudaKernelSetAttributeForDevice(more, cudaFuncAttributeMaxDynamicSharedMemorySize, 64, 99));
  OK(cudaMalloc(&x, 4));
  OK(cudaMemcpy(x, &host, 4, cudaMemcpyHostToDevice));
  void *arguments[] = {&x};
  OK(cudaLaunchKernel((const void *)more, 1, 1, arguments, 0, 0));
  host = 20;
  OK(cudaMemcpy(step, &host, 4, cudaMemcpyHostToDevice));
  OK(cudaLaunchKernel((const void *)more, 1, 1, arguments, 0, 0));
  OK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost));
  CHECK(host == 26);
  OK(cudaFree(x));
  OK(cudaLibraryUnload(library));
  WRONG(cudaErrorInvalidDeviceFunction,
        cudaLaunchKernel((const void *)more, 1, 1, arguments, 0, 0));
}

void processes() {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event_handle;
  cudaEvent_t event;
  void *p = nullptr;
  WRONG(cudaErrorNotSupported, cudaIpcGetMemHandle(&memory, p));
  WRONG(cudaErrorNotSupported, cudaIpcOpenMemHandle(&p, memory, 0));
  WRONG(cudaErrorNotSupported, cudaIpcCloseMemHandle(p));
  WRONG(cudaErrorNotSupported, cudaIpcGetEventHandle(&event_handle, event));
  WRONG(cudaErrorNotSupported, cudaIpcOpenEventHandle(&event, event_handle));
}

int main() {
  errors();
  devices();
  settings();
  launches();
  functions();
  libraries();
  processes();
  OK(cudaDeviceReset());
  launches();
  OK(cudaThreadExit());
  puts("PASS");
}
