// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function for memory, pools, copies and fills: once right, once wrong.
#include <cstring>

#include "check.h"

__device__ int variable[4] = {1, 2, 3, 4};
int host_variable[4];

void allocations() {
  char *p, *q;
  void *v;
  size_t pitch, free_bytes, total, huge = size_t(1) << 60;
  OK(cudaMalloc(&p, 100));
  OK(cudaMalloc(&q, 0));
  CHECK(q == nullptr);
  OK(cudaFree(nullptr));
  WRONG(cudaErrorMemoryAllocation, cudaMalloc(&q, huge));
  OK(cudaFree(p));
  WRONG(cudaErrorInvalidValue, cudaFree(p));
  WRONG(cudaErrorInvalidValue, cudaFree(&p));
  OK(cudaMallocPitch(&p, &pitch, 100, 3));
  CHECK(pitch >= 100);
  WRONG(cudaErrorInvalidValue, cudaMallocPitch(&q, nullptr, 100, 3));
  OK(cudaFree(p));
  cudaPitchedPtr pitched;
  OK(cudaMalloc3D(&pitched, make_cudaExtent(100, 4, 5)));
  CHECK(pitched.pitch >= 100 && pitched.xsize == 100 && pitched.ysize == 4);
  WRONG(cudaErrorInvalidValue, cudaMalloc3D(nullptr, make_cudaExtent(100, 4, 5)));
  OK(cudaFree(pitched.ptr));
  OK(cudaMallocManaged(&p, 64));
  p[63] = 1;
  OK(cudaMemPrefetchAsync(p, 64, 0));
  WRONG(cudaErrorInvalidValue, cudaMemPrefetchAsync(&pitch, 8, 0));
  OK(cudaMemAdvise(p, 64, cudaMemAdviseSetReadMostly, 0));
  int advised[2] = {};
  OK(cudaMemRangeGetAttribute(advised, 4, cudaMemRangeAttributeReadMostly, p, 64));
  CHECK(advised[0] == 1);
  WRONG(cudaErrorInvalidValue,
        cudaMemRangeGetAttribute(advised, 4, cudaMemRangeAttributeReadMostly, p, 0));
  void *places[] = {advised, advised + 1};
  size_t rooms[] = {4, 4};
  cudaMemRangeAttribute wanted[] = {cudaMemRangeAttributeReadMostly,
                                    cudaMemRangeAttributeLastPrefetchLocation};
  OK(cudaMemRangeGetAttributes(places, rooms, wanted, 2, p, 64));
  CHECK(advised[0] == 1);
  WRONG(cudaErrorInvalidValue, cudaMemRangeGetAttributes(places, rooms, wanted, 0, p, 64));
  WRONG(cudaErrorInvalidValue, cudaMemAdvise(&pitch, 8, cudaMemAdviseSetReadMostly, 0));
  OK(cudaFree(p));
  WRONG(cudaErrorInvalidValue, cudaMallocManaged(&p, 64, 77));
  OK(cudaMallocHost(&p, 64));
  p[63] = 1;
  OK(cudaFreeHost(p));
  WRONG(cudaErrorInvalidValue, cudaMallocHost((void **)nullptr, 64));
  WRONG(cudaErrorInvalidValue, cudaFreeHost(p));
  OK(cudaHostAlloc(&p, 64, cudaHostAllocMapped));
  WRONG(cudaErrorInvalidValue, cudaHostAlloc(&q, 64, 0x1000));
  OK(cudaHostGetDevicePointer(&v, p, 0));
  CHECK(v == p);
  WRONG(cudaErrorInvalidValue, cudaHostGetDevicePointer(&v, &pitch, 0));
  unsigned int flags;
  OK(cudaHostGetFlags(&flags, p));
  CHECK(flags & cudaHostAllocMapped);
  WRONG(cudaErrorInvalidValue, cudaHostGetFlags(&flags, &pitch));
  OK(cudaFreeHost(p));
  char *mine = (char *)malloc(4096);
  OK(cudaHostRegister(mine, 4096, cudaHostRegisterDefault));
  WRONG(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(mine, 4096, 0));
  OK(cudaHostUnregister(mine));
  WRONG(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(mine));
  free(mine);
  OK(cudaMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes > 0 && free_bytes <= total);
  WRONG(cudaErrorInvalidValue, cudaMemGetInfo(nullptr, &total));
  cudaPointerAttributes a;
  OK(cudaMalloc(&p, 64));
  OK(cudaPointerGetAttributes(&a, p + 5));
  CHECK(a.type == cudaMemoryTypeDevice && a.device == 0 && a.devicePointer == p + 5);
  OK(cudaPointerGetAttributes(&a, &pitch));
  CHECK(a.type == cudaMemoryTypeUnregistered);
  WRONG(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, p));
  OK(cudaFree(p));
}

void pools() {
  char *p;
  cudaMemPool_t pool, own, current;
  OK(cudaMallocAsync(&p, 100, 0));
  OK(cudaFreeAsync(p, 0));
  WRONG(cudaErrorInvalidValue, cudaMallocAsync((void **)nullptr, 100, 0));
  WRONG(cudaErrorInvalidValue, cudaFreeAsync(&p, 0));
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  WRONG(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&pool, 99));
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  OK(cudaMemPoolCreate(&own, &properties));
  properties.allocType = cudaMemAllocationTypeInvalid;
  WRONG(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &properties));
  OK(cudaMallocFromPoolAsync(&p, 100, own, 0));
  WRONG(cudaErrorInvalidValue, cudaMallocFromPoolAsync((void **)nullptr, 100, own, 0));
  OK(cudaFreeAsync(p, 0));
  OK(cudaDeviceSynchronize());
  OK(cudaMemPoolTrimTo(own, 0));
  unsigned long long threshold = 1 << 20, got = 0;
  OK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
  OK(cudaMemPoolGetAttribute(own, cudaMemPoolAttrReleaseThreshold, &got));
  CHECK(got == threshold);
  WRONG(cudaErrorInvalidValue, cudaMemPoolSetAttribute(own, (cudaMemPoolAttr)999, &got));
  WRONG(cudaErrorInvalidValue, cudaMemPoolGetAttribute(own, (cudaMemPoolAttr)999, &got));
  cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  OK(cudaMemPoolSetAccess(own, &access, 1));
  access.location.id = 99;
  CHECK(cudaMemPoolSetAccess(own, &access, 1) != cudaSuccess);
  cudaGetLastError();
  OK(cudaDeviceSetMemPool(0, own));
  OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(current == own);
  WRONG(cudaErrorInvalidDevice, cudaDeviceGetMemPool(&current, 99));
  WRONG(cudaErrorInvalidDevice, cudaDeviceSetMemPool(99, own));
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  OK(cudaDeviceSetMemPool(0, pool));
  OK(cudaMemPoolDestroy(own));
  CHECK(cudaMemPoolDestroy(own) != cudaSuccess);
  CHECK(cudaMemPoolTrimTo(own, 0) != cudaSuccess);
  cudaGetLastError();
}

void copies() {
  char host[64], back[64] = {}, *p, *q;
  for (int i = 0; i < 64; ++i) host[i] = i;
  OK(cudaMalloc(&p, 64));
  OK(cudaMalloc(&q, 64));
  OK(cudaMemcpy(p, host, 64, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(q, p, 64, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(back, q, 64, cudaMemcpyDeviceToHost));
  CHECK(!memcmp(back, host, 64));
  memset(back, 0, 64);
  OK(cudaMemcpy(back, host, 64, cudaMemcpyHostToHost));
  CHECK(!memcmp(back, host, 64));
  WRONG(cudaErrorInvalidMemcpyDirection, cudaMemcpy(back, q, 64, (cudaMemcpyKind)9));
  WRONG(cudaErrorInvalidValue, cudaMemcpy(p, host, 65, cudaMemcpyHostToDevice));
  OK(cudaMemcpyAsync(p, host, 64, cudaMemcpyDefault));
  WRONG(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(back, q, 64, (cudaMemcpyKind)9));
  OK(cudaMemcpyPeer(q, 0, p, 0, 64));
  WRONG(cudaErrorInvalidDevice, cudaMemcpyPeer(q, 99, p, 0, 64));
  OK(cudaMemcpyPeerAsync(q, 0, p, 0, 64));
  WRONG(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(q, 99, p, 0, 64));
  OK(cudaMemset(p, 7, 64));
  OK(cudaMemcpy2D(p, 16, host, 8, 8, 4, cudaMemcpyHostToDevice));
  WRONG(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, 4, host, 8, 8, 4, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DAsync(back, 8, p, 16, 8, 4, cudaMemcpyDeviceToHost));
  WRONG(cudaErrorInvalidPitchValue,
        cudaMemcpy2DAsync(back, 8, p, 4, 8, 4, cudaMemcpyDeviceToHost));
  OK(cudaDeviceSynchronize());
  CHECK(!memcmp(back, host, 32));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 4, 4, 4);
  copy.dstPtr = make_cudaPitchedPtr(q, 4, 4, 4);
  copy.extent = make_cudaExtent(4, 4, 4), copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  OK(cudaMemcpy3DAsync(&copy));
  copy.extent.width = 5;
  WRONG(cudaErrorInvalidPitchValue, cudaMemcpy3D(&copy));
  WRONG(cudaErrorInvalidValue, cudaMemcpy3DAsync(nullptr));
  cudaMemcpy3DPeerParms between = {};
  between.srcPtr = copy.dstPtr, between.dstPtr = make_cudaPitchedPtr(p, 8, 4, 4);
  between.srcPos = make_cudaPos(1, 0, 0), between.extent = make_cudaExtent(3, 4, 2);
  OK(cudaMemset(p, 7, 64));
  OK(cudaMemcpy3DPeer(&between));
  between.srcPos = make_cudaPos(1, 0, 2), between.dstPos = make_cudaPos(4, 0, 0);
  OK(cudaMemcpy3DPeerAsync(&between));
  OK(cudaMemcpy(back, p, 64, cudaMemcpyDefault));
  for (int i = 0; i < 64; ++i) {
    int x = i % 8, wanted = x % 4 == 3 ? 7 : host[1 + x % 4 + i / 8 * 4 + x / 4 * 32];
    CHECK(back[i] == wanted);
  }
  between.dstDevice = 99;
  WRONG(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&between));
  WRONG(cudaErrorInvalidValue, cudaMemcpy3DPeerAsync(nullptr));
  OK(cudaMemcpy(back, q, 64, cudaMemcpyDefault));
  CHECK(!memcmp(back, host, 64));
  OK(cudaFree(p));
  OK(cudaFree(q));
}

void symbols() {
  int host[4] = {}, two[2] = {20, 30}, *address;
  size_t bytes;
  OK(cudaMemcpyFromSymbol(host, variable, sizeof host));
  CHECK(host[0] == 1 && host[3] == 4);
  OK(cudaMemcpyToSymbol(variable, two, sizeof two, sizeof(int)));
  OK(cudaMemcpyFromSymbolAsync(host, variable, sizeof host, 0, cudaMemcpyDeviceToHost));
  OK(cudaDeviceSynchronize());
  CHECK(host[0] == 1 && host[1] == 20 && host[2] == 30 && host[3] == 4);
  OK(cudaMemcpyToSymbolAsync(variable, two, sizeof two, 0, cudaMemcpyHostToDevice));
  WRONG(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host_variable, two, sizeof two));
  WRONG(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(two, host_variable, sizeof two));
  WRONG(cudaErrorInvalidValue, cudaMemcpyToSymbol(variable, host, sizeof host, 4));
  WRONG(cudaErrorInvalidSymbol,
        cudaMemcpyToSymbolAsync(host_variable, two, sizeof two, 0, cudaMemcpyHostToDevice));
  WRONG(cudaErrorInvalidSymbol,
        cudaMemcpyFromSymbolAsync(two, host_variable, sizeof two, 0, cudaMemcpyDeviceToHost));
  OK(cudaGetSymbolAddress((void **)&address, variable));
  OK(cudaMemcpy(host, address, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 20 && host[1] == 30);
  WRONG(cudaErrorInvalidSymbol, cudaGetSymbolAddress((void **)&address, host_variable));
  OK(cudaGetSymbolSize(&bytes, variable));
  CHECK(bytes == sizeof variable);
  WRONG(cudaErrorInvalidSymbol, cudaGetSymbolSize(&bytes, host_variable));
}

void fills() {
  char host[64], *p;
  OK(cudaMalloc(&p, 64));
  OK(cudaMemset(p, 1, 64));
  WRONG(cudaErrorInvalidValue, cudaMemset(p, 1, 65));
  WRONG(cudaErrorInvalidValue, cudaMemset(host, 1, 64));
  OK(cudaMemsetAsync(p + 32, 2, 32));
  WRONG(cudaErrorInvalidValue, cudaMemsetAsync(host, 1, 64));
  OK(cudaMemset2D(p, 8, 3, 2, 4));
  WRONG(cudaErrorInvalidPitchValue, cudaMemset2D(p, 8, 3, 9, 4));
  OK(cudaMemset2DAsync(p + 2, 8, 4, 1, 4));
  WRONG(cudaErrorInvalidPitchValue, cudaMemset2DAsync(p, 8, 3, 9, 4));
  cudaPitchedPtr volume = make_cudaPitchedPtr(p + 32, 8, 8, 2);
  OK(cudaMemset3D(volume, 5, make_cudaExtent(1, 2, 2)));
  OK(cudaMemset3DAsync(volume, 6, make_cudaExtent(1, 1, 2)));
  WRONG(cudaErrorInvalidPitchValue, cudaMemset3D(volume, 5, make_cudaExtent(9, 2, 2)));
  WRONG(cudaErrorInvalidPitchValue, cudaMemset3DAsync(volume, 5, make_cudaExtent(9, 2, 2)));
  OK(cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost));
  const char first[] = {3, 3, 4, 1, 1, 1, 1, 1};
  for (int row = 0; row < 4; ++row) CHECK(!memcmp(host + 8 * row, first, 8));
  for (int row = 4; row < 8; ++row) {
    CHECK(host[8 * row] == (row % 2 ? 5 : 6));
    CHECK(host[8 * row + 1] == 2);
  }
  OK(cudaFree(p));
}

int main() {
  allocations();
  pools();
  copies();
  symbols();
  fills();
  puts("PASS");
}
