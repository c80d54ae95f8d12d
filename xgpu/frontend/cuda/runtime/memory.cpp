// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory, pools, copies and fills.
#include "internal.h"

using namespace xgpu;

namespace {

CUdeviceptr device(const void *address) { return (CUdeviceptr)address; }

bool is_kind(cudaMemcpyKind kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }

CUmemorytype from_type(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
  bool is_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
  return is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

CUmemorytype to_type(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
  bool is_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
  return is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

// `stream` is null for a copy that the host waits for.
cudaError_t copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                 const cudaStream_t *stream) {
  if (!is_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  if (!bytes) return ready();
  if (cudaError_t error = ready()) return error;
  if (!stream) {
    cudaError_t error;
    switch (kind) {
    case cudaMemcpyHostToDevice: error = XGPU_DRIVER(cuMemcpyHtoD, device(to), from, bytes); break;
    case cudaMemcpyDeviceToHost: error = XGPU_DRIVER(cuMemcpyDtoH, to, device(from), bytes); break;
    case cudaMemcpyDeviceToDevice:
      error = XGPU_DRIVER(cuMemcpyDtoD, device(to), device(from), bytes);
      break;
    default: error = XGPU_DRIVER(cuMemcpy, device(to), device(from), bytes);
    }
    if (!error) pull_managed();
    return error;
  }
  CUstream s = stream_of(*stream);
  switch (kind) {
  case cudaMemcpyHostToDevice: return XGPU_DRIVER(cuMemcpyHtoDAsync, device(to), from, bytes, s);
  case cudaMemcpyDeviceToHost: return XGPU_DRIVER(cuMemcpyDtoHAsync, to, device(from), bytes, s);
  case cudaMemcpyDeviceToDevice:
    return XGPU_DRIVER(cuMemcpyDtoDAsync, device(to), device(from), bytes, s);
  default: return XGPU_DRIVER(cuMemcpyAsync, device(to), device(from), bytes, s);
  }
}

cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                    size_t height, cudaMemcpyKind kind, const cudaStream_t *stream) {
  if (!is_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
  if (!width || !height) return ready();
  CUDA_MEMCPY2D c = {};
  c.srcMemoryType = from_type(kind);
  c.srcHost = from;
  c.srcDevice = device(from);
  c.srcPitch = from_pitch;
  c.dstMemoryType = to_type(kind);
  c.dstHost = to;
  c.dstDevice = device(to);
  c.dstPitch = to_pitch;
  c.WidthInBytes = width;
  c.Height = height;
  if (cudaError_t error = ready()) return error;
  if (stream) return XGPU_DRIVER(cuMemcpy2DAsync, &c, stream_of(*stream));
  cudaError_t error = XGPU_DRIVER(cuMemcpy2DUnaligned, &c);
  if (!error) pull_managed();
  return error;
}

cudaError_t fill_2d(void *address, size_t pitch, int value, size_t width, size_t height,
                    const cudaStream_t *stream) {
  if (width > pitch && height > 1) return cudaErrorInvalidPitchValue;
  if (cudaError_t error = ready()) return error;
  if (!width || !height) return cudaSuccess;
  unsigned char byte = (unsigned char)value;
  if (!stream) return XGPU_DRIVER(cuMemsetD2D8, device(address), pitch, byte, width, height);
  return XGPU_DRIVER(cuMemsetD2D8Async, device(address), pitch, byte, width, height,
                     stream_of(*stream));
}

// Slices whose rows follow each other are one plane of all rows.
cudaError_t fill_3d(cudaPitchedPtr p, int value, cudaExtent extent, const cudaStream_t *stream) {
  for (size_t z = 0; z < extent.depth; ++z) {
    char *slice = (char *)p.ptr + z * p.pitch * p.ysize;
    cudaError_t error = fill_2d(slice, p.pitch, value, extent.width, extent.height, stream);
    if (error) return error;
  }
  return ready();
}

cudaError_t copy_symbol(const void *symbol, size_t offset, size_t bytes, cudaMemcpyKind kind,
                        const cudaStream_t *stream, void *to, const void *from) {
  void *place;
  cudaError_t error = place_in(symbol, offset, bytes, &place);
  if (error) return error;
  return copy(to ? to : place, from ? from : place, bytes, kind, stream);
}

// The contexts of two devices. Errors: a device that is none.
cudaError_t both_contexts(int to_device, int from_device, CUcontext *there, CUcontext *here) {
  cudaError_t error = ready();
  if (!error) error = primary_context(to_device, there);
  if (!error) error = primary_context(from_device, here);
  return error;
}

// A copy between devices as the driver has it. Errors: an array that is none, a pitch or a device that is none.
cudaError_t peer_copy_of(const cudaMemcpy3DPeerParms *p, CUDA_MEMCPY3D_PEER *c) {
  if (!p) return cudaErrorInvalidValue;
  cudaMemcpy3DParms plain = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                             p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  CUDA_MEMCPY3D copy;
  CUcontext there, here;
  cudaError_t error = copy_of(&plain, &copy);
  if (!error) error = both_contexts(p->dstDevice, p->srcDevice, &there, &here);
  if (error) return error;
  static_assert(sizeof(copy) == sizeof(*c), "reserved words are the contexts");
  memcpy(c, &copy, sizeof(copy));
  c->srcContext = here;
  c->dstContext = there;
  return cudaSuccess;
}

}  // namespace

namespace xgpu {

cudaError_t place_in(const void *symbol, size_t offset, size_t bytes, void **place) {
  CUdeviceptr address;
  size_t size;
  cudaError_t error = ready();
  if (!error) error = variable_of(symbol, &address, &size);
  if (error) return error;
  if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
  *place = (void *)(address + offset);
  return cudaSuccess;
}

cudaError_t copy_of(const cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c) {
  if (!p) return cudaErrorInvalidValue;
  if (!is_kind(p->kind)) return cudaErrorInvalidMemcpyDirection;
  // Of an array, places count texels; so does the extent where there is one.
  size_t from_texel = 1, to_texel = 1;
  cudaError_t error = cudaSuccess;
  if (p->srcArray) error = texel_bytes(p->srcArray, &from_texel);
  if (!error && p->dstArray) error = texel_bytes(p->dstArray, &to_texel);
  if (error) return error;
  if (p->srcArray && p->dstArray && from_texel != to_texel) return cudaErrorInvalidValue;
  size_t width = p->extent.width * (p->srcArray ? from_texel : to_texel);
  if ((!p->srcArray && !p->srcPtr.ptr) || (!p->dstArray && !p->dstPtr.ptr)) {
    return cudaErrorInvalidValue;
  }
  if ((!p->srcArray && width > p->srcPtr.pitch) || (!p->dstArray && width > p->dstPtr.pitch)) {
    return cudaErrorInvalidPitchValue;
  }
  *c = CUDA_MEMCPY3D();
  c->srcArray = (CUarray)p->srcArray;
  c->dstArray = (CUarray)p->dstArray;
  c->srcMemoryType = p->srcArray ? CU_MEMORYTYPE_ARRAY : from_type(p->kind);
  c->srcHost = p->srcPtr.ptr;
  c->srcDevice = device(p->srcPtr.ptr);
  c->srcPitch = p->srcPtr.pitch;
  c->srcHeight = p->srcPtr.ysize;
  c->srcXInBytes = p->srcPos.x * from_texel;
  c->srcY = p->srcPos.y;
  c->srcZ = p->srcPos.z;
  c->dstMemoryType = p->dstArray ? CU_MEMORYTYPE_ARRAY : to_type(p->kind);
  c->dstHost = p->dstPtr.ptr;
  c->dstDevice = device(p->dstPtr.ptr);
  c->dstPitch = p->dstPtr.pitch;
  c->dstHeight = p->dstPtr.ysize;
  c->dstXInBytes = p->dstPos.x * to_texel;
  c->dstY = p->dstPos.y;
  c->dstZ = p->dstPos.z;
  c->WidthInBytes = width;
  c->Height = p->extent.height;
  c->Depth = p->extent.depth;
  return cudaSuccess;
}

}  // namespace xgpu

extern "C" {

// -- memory

cudaError_t cudaMalloc(void **address, size_t bytes) {
  if (!address) return noted(cudaErrorInvalidValue);
  *address = nullptr;
  if (!bytes) return noted(ready());
  XGPU_CALL(cuMemAlloc, (CUdeviceptr *)address, bytes);
}

cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
  if (!address || !pitch) return noted(cudaErrorInvalidValue);
  *address = nullptr;
  *pitch = 0;
  if (!width || !height) return noted(ready());
  XGPU_CALL(cuMemAllocPitch, (CUdeviceptr *)address, pitch, width, height, 4u);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent) {
  if (!p) return noted(cudaErrorInvalidValue);
  *p = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMallocManaged(void **address, size_t bytes, unsigned int flags) {
  if (!address || !bytes) return noted(cudaErrorInvalidValue);
  XGPU_CALL(cuMemAllocManaged, (CUdeviceptr *)address, bytes, flags);
}

cudaError_t cudaMallocHost(void **address, size_t bytes) { return cudaHostAlloc(address, bytes, 0); }

cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned int flags) {
  if (!address) return noted(cudaErrorInvalidValue);
  *address = nullptr;
  if (!bytes) return noted(ready());
  XGPU_CALL(cuMemHostAlloc, address, bytes, flags);
}

cudaError_t cudaFree(void *address) {
  if (!address) return noted(ready());
  XGPU_CALL(cuMemFree, device(address));
}

cudaError_t cudaFreeHost(void *address) {
  if (!address) return noted(ready());
  XGPU_CALL(cuMemFreeHost, address);
}

cudaError_t cudaHostRegister(void *address, size_t bytes, unsigned int flags) {
  XGPU_CALL(cuMemHostRegister, address, bytes, flags);
}

cudaError_t cudaHostUnregister(void *address) { XGPU_CALL(cuMemHostUnregister, address); }

cudaError_t cudaHostGetDevicePointer(void **address, void *host, unsigned int flags) {
  XGPU_CALL(cuMemHostGetDevicePointer, (CUdeviceptr *)address, host, flags);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
  XGPU_CALL(cuMemHostGetFlags, flags, host);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  if (!free || !total) return noted(cudaErrorInvalidValue);
  XGPU_CALL(cuMemGetInfo, free, total);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *found, const void *address) {
  if (!found) return noted(cudaErrorInvalidValue);
  unsigned int type = 0, managed = 0;
  int ordinal = -2;
  void *host = nullptr;
  CUdeviceptr there = 0;
  CUpointer_attribute asked[] = {
      CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_HOST_POINTER,
      CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
  void *values[] = {&type, &managed, &ordinal, &host, &there};
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuPointerGetAttributes, 5u, asked, values, device(address));
  if (error) return noted(error);
  if (!type) {  // CUDA does not know it
    *found = {cudaMemoryTypeUnregistered, -2, nullptr, (void *)address};
    return cudaSuccess;
  }
  found->type = managed ? cudaMemoryTypeManaged
                        : (type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost : cudaMemoryTypeDevice);
  found->device = ordinal;
  found->devicePointer = (void *)there;
  found->hostPointer = found->type == cudaMemoryTypeDevice ? nullptr : host;
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes, int to, cudaStream_t stream) {
  XGPU_CALL(cuMemPrefetchAsync, device(address), bytes, to, stream_of(stream));
}

cudaError_t cudaMemRangeGetAttribute(void *into, size_t room, cudaMemRangeAttribute attribute,
                                     const void *address, size_t bytes) {
  XGPU_CALL(cuMemRangeGetAttribute, into, room, (CUmem_range_attribute)attribute,
            (CUdeviceptr)address, bytes);
}

cudaError_t cudaMemRangeGetAttributes(void **into, size_t *rooms,
                                      cudaMemRangeAttribute *attributes, size_t count,
                                      const void *address, size_t bytes) {
  XGPU_CALL(cuMemRangeGetAttributes, into, rooms, (CUmem_range_attribute *)attributes, count,
            (CUdeviceptr)address, bytes);
}

cudaError_t cudaMemAdvise(const void *address, size_t bytes, cudaMemoryAdvise advice, int to) {
  XGPU_CALL(cuMemAdvise, device(address), bytes, (CUmem_advise)advice, to);
}

// -- memory in the order of a stream, pools

cudaError_t cudaMallocAsync(void **address, size_t bytes, cudaStream_t stream) {
  if (!address) return noted(cudaErrorInvalidValue);
  *address = nullptr;
  if (!bytes) return noted(ready());
  XGPU_CALL(cuMemAllocAsync, (CUdeviceptr *)address, bytes, stream_of(stream));
}

cudaError_t cudaFreeAsync(void *address, cudaStream_t stream) {
  if (!address) return noted(ready());
  XGPU_CALL(cuMemFreeAsync, device(address), stream_of(stream));
}

cudaError_t cudaMallocFromPoolAsync(void **address, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (!address) return noted(cudaErrorInvalidValue);
  XGPU_CALL(cuMemAllocFromPoolAsync, (CUdeviceptr *)address, bytes, pool, stream_of(stream));
}

// Structures and attributes of pools are the driver's.
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
  XGPU_CALL(cuMemPoolCreate, pool, (const CUmemPoolProps *)properties);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) { XGPU_CALL(cuMemPoolDestroy, pool); }

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  XGPU_CALL(cuMemPoolTrimTo, pool, bytes);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  XGPU_CALL(cuMemPoolSetAttribute, pool, (CUmemPool_attribute)attribute, value);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  XGPU_CALL(cuMemPoolGetAttribute, pool, (CUmemPool_attribute)attribute, value);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *access, size_t count) {
  XGPU_CALL(cuMemPoolSetAccess, pool, (const CUmemAccessDesc *)access, count);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  XGPU_CALL(cuDeviceGetDefaultMemPool, pool, device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  XGPU_CALL(cuDeviceGetMemPool, pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  XGPU_CALL(cuDeviceSetMemPool, device, pool);
}

// -- copies

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return noted(copy(to, from, bytes, kind, nullptr));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return noted(copy(to, from, bytes, kind, &stream));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return noted(copy_2d(to, to_pitch, from, from_pitch, width, height, kind, nullptr));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return noted(copy_2d(to, to_pitch, from, from_pitch, width, height, kind, &stream));
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters) {
  CUDA_MEMCPY3D c;
  cudaError_t error = copy_of(parameters, &c);
  if (!error) error = ready();
  if (!error) error = XGPU_DRIVER(cuMemcpy3D, &c);
  return noted(error);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  CUDA_MEMCPY3D c;
  cudaError_t error = copy_of(parameters, &c);
  if (!error) error = ready();
  if (!error) error = XGPU_DRIVER(cuMemcpy3DAsync, &c, stream_of(stream));
  return noted(error);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *parameters) {
  CUDA_MEMCPY3D_PEER c;
  cudaError_t error = peer_copy_of(parameters, &c);
  if (!error) error = XGPU_DRIVER(cuMemcpy3DPeer, &c);
  return noted(error);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *parameters, cudaStream_t stream) {
  CUDA_MEMCPY3D_PEER c;
  cudaError_t error = peer_copy_of(parameters, &c);
  if (!error) error = XGPU_DRIVER(cuMemcpy3DPeerAsync, &c, stream_of(stream));
  return noted(error);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes) {
  CUcontext there, here;
  cudaError_t error = both_contexts(to_device, from_device, &there, &here);
  if (!error) error = XGPU_DRIVER(cuMemcpyPeer, device(to), there, device(from), here, bytes);
  return noted(error);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  CUcontext there, here;
  cudaError_t error = both_contexts(to_device, from_device, &there, &here);
  if (error) return noted(error);
  return noted(XGPU_DRIVER(cuMemcpyPeerAsync, device(to), there, device(from), here, bytes,
                           stream_of(stream)));
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return noted(copy_symbol(symbol, offset, bytes, kind, nullptr, nullptr, from));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return noted(copy_symbol(symbol, offset, bytes, kind, nullptr, to, nullptr));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return noted(copy_symbol(symbol, offset, bytes, kind, &stream, nullptr, from));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return noted(copy_symbol(symbol, offset, bytes, kind, &stream, to, nullptr));
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  if (!address) return noted(cudaErrorInvalidValue);
  size_t bytes;
  cudaError_t error = ready();
  if (!error) error = variable_of(symbol, (CUdeviceptr *)address, &bytes);
  return noted(error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  if (!bytes) return noted(cudaErrorInvalidValue);
  CUdeviceptr address;
  cudaError_t error = ready();
  if (!error) error = variable_of(symbol, &address, bytes);
  return noted(error);
}

// -- fills

cudaError_t cudaMemset(void *address, int value, size_t bytes) {
  if (!bytes) return noted(ready());
  XGPU_CALL(cuMemsetD8, device(address), (unsigned char)value, bytes);
}

cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes, cudaStream_t stream) {
  if (!bytes) return noted(ready());
  XGPU_CALL(cuMemsetD8Async, device(address), (unsigned char)value, bytes, stream_of(stream));
}

cudaError_t cudaMemset2D(void *address, size_t pitch, int value, size_t width, size_t height) {
  return noted(fill_2d(address, pitch, value, width, height, nullptr));
}

cudaError_t cudaMemset2DAsync(void *address, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return noted(fill_2d(address, pitch, value, width, height, &stream));
}

cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent) {
  return noted(fill_3d(p, value, extent, nullptr));
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t stream) {
  return noted(fill_3d(p, value, extent, &stream));
}

}  // extern "C"
