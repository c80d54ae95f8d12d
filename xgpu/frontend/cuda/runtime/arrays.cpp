// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, and textures and surfaces of them.
#include "internal.h"

using namespace xgpu;

namespace {

CUarray array_of(cudaArray_const_t array) { return (CUarray)array; }

// A format of the driver, or 0, and how many channels there are. Channels have the same bits.
CUarray_format format_of(const cudaChannelFormatDesc &d, unsigned *channels) {
  int bits[] = {d.x, d.y, d.z, d.w}, count = 0;
  while (count < 4 && bits[count]) ++count;
  for (int i = 0; i < 4; ++i) {
    if (bits[i] != (i < count ? bits[0] : 0)) return (CUarray_format)0;
  }
  *channels = count;
  int size = bits[0] == 8 ? 0 : bits[0] == 16 ? 1 : bits[0] == 32 ? 2 : -1;
  if (size < 0) return (CUarray_format)0;
  switch (d.f) {
  case cudaChannelFormatKindUnsigned: return (CUarray_format)(CU_AD_FORMAT_UNSIGNED_INT8 + size);
  case cudaChannelFormatKindSigned: return (CUarray_format)(CU_AD_FORMAT_SIGNED_INT8 + size);
  case cudaChannelFormatKindFloat:
    return size == 0 ? (CUarray_format)0 : size == 1 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  default: return (CUarray_format)0;
  }
}

int bits_of(CUarray_format format) {
  switch (format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT8: return 8;
  case CU_AD_FORMAT_UNSIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_HALF: return 16;
  default: return 32;
  }
}

cudaChannelFormatDesc channels_of(CUarray_format format, unsigned channels) {
  int bits = bits_of(format);
  bool is_float = format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT;
  cudaChannelFormatKind kind = is_float ? cudaChannelFormatKindFloat
                               : format >= CU_AD_FORMAT_SIGNED_INT8
                                   ? cudaChannelFormatKindSigned
                                   : cudaChannelFormatKindUnsigned;
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

cudaError_t known_of(cudaArray_const_t array, CUDA_ARRAY3D_DESCRIPTOR *known) {
  cudaError_t error = ready();
  return error ? error : XGPU_DRIVER(cuArray3DGetDescriptor, known, array_of(array));
}

size_t row_of(const CUDA_ARRAY3D_DESCRIPTOR &known) {
  return known.Width * known.NumChannels * bits_of(known.Format) / 8;
}

cudaError_t made(cudaArray_t *array, const cudaChannelFormatDesc *channels, cudaExtent extent,
                 unsigned int flags) {
  if (!array || !channels) return cudaErrorInvalidValue;
  CUDA_ARRAY3D_DESCRIPTOR d = {extent.width, extent.height, extent.depth};
  d.Format = format_of(*channels, &d.NumChannels);
  d.Flags = flags;
  if (!d.Format) return cudaErrorInvalidChannelDescriptor;
  cudaError_t error = ready();
  return error ? error : XGPU_DRIVER(cuArray3DCreate, (CUarray *)array, &d);
}

// -- copies: an end is an array and a place in it, or memory with rows

struct End {
  cudaArray_const_t array;
  size_t x, y;
  const void *memory;
  size_t pitch;
};

cudaError_t copied(End to, End from, size_t width, size_t height, cudaMemcpyKind kind,
                   const cudaStream_t *stream) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if ((!to.array && width > to.pitch) || (!from.array && width > from.pitch)) {
    return cudaErrorInvalidPitchValue;
  }
  bool is_unified = kind == cudaMemcpyDefault;
  bool to_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
  bool from_host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
  CUmemorytype unified = CU_MEMORYTYPE_UNIFIED, array = CU_MEMORYTYPE_ARRAY;
  CUDA_MEMCPY2D c = {};
  c.srcMemoryType = from.array   ? array
                    : is_unified ? unified
                    : from_host  ? CU_MEMORYTYPE_HOST
                                 : CU_MEMORYTYPE_DEVICE;
  c.dstMemoryType = to.array     ? array
                    : is_unified ? unified
                    : to_host    ? CU_MEMORYTYPE_HOST
                                 : CU_MEMORYTYPE_DEVICE;
  c.srcArray = array_of(from.array);
  c.srcXInBytes = from.x;
  c.srcY = from.y;
  c.srcHost = from.memory;
  c.srcDevice = (CUdeviceptr)from.memory;
  c.srcPitch = from.pitch;
  c.dstArray = array_of(to.array);
  c.dstXInBytes = to.x;
  c.dstY = to.y;
  c.dstHost = (void *)to.memory;
  c.dstDevice = (CUdeviceptr)to.memory;
  c.dstPitch = to.pitch;
  c.WidthInBytes = width;
  c.Height = height;
  cudaError_t error = ready();
  if (error || !width || !height) return error;
  if (stream) return XGPU_DRIVER(cuMemcpy2DAsync, &c, stream_of(*stream));
  error = XGPU_DRIVER(cuMemcpy2D, &c);
  if (!error) pull_managed();
  return error;
}

// Bytes that run on from row to row of arrays.
cudaError_t flowed(End to, End from, size_t bytes, cudaMemcpyKind kind,
                   const cudaStream_t *stream) {
  size_t to_row = 0, from_row = 0;
  for (End *end : {&to, &from}) {
    if (!end->array) continue;
    CUDA_ARRAY3D_DESCRIPTOR known;
    if (cudaError_t error = known_of(end->array, &known)) return error;
    size_t row = row_of(known);
    if (end->x >= row) return cudaErrorInvalidValue;
    (end == &to ? to_row : from_row) = row;
  }
  while (bytes) {
    size_t width = bytes;
    if (to_row && width > to_row - to.x) width = to_row - to.x;
    if (from_row && width > from_row - from.x) width = from_row - from.x;
    to.pitch = from.pitch = width;
    if (cudaError_t error = copied(to, from, width, 1, kind, stream)) return error;
    bytes -= width;
    for (End *end : {&to, &from}) {
      if (!end->array) {
        end->memory = (const char *)end->memory + width;
      } else if ((end->x += width) == (end == &to ? to_row : from_row)) {
        end->x = 0;
        ++end->y;
      }
    }
  }
  return cudaSuccess;
}

End in(cudaArray_const_t array, size_t x, size_t y) { return {array, x, y, nullptr, 0}; }
End at(const void *memory, size_t pitch = 0) { return {nullptr, 0, 0, memory, pitch}; }

// -- textures

cudaError_t resource_of(const cudaResourceDesc *given, CUDA_RESOURCE_DESC *d) {
  if (!given) return cudaErrorInvalidValue;
  *d = CUDA_RESOURCE_DESC();
  d->resType = (CUresourcetype)given->resType;
  d->flags = given->flags;
  unsigned channels = 0;
  switch (given->resType) {
  case cudaResourceTypeArray: d->res.array.hArray = array_of(given->res.array.array); break;
  case cudaResourceTypeMipmappedArray: return cudaErrorNotSupported;
  case cudaResourceTypeLinear:
    d->res.linear.devPtr = (CUdeviceptr)given->res.linear.devPtr;
    d->res.linear.format = format_of(given->res.linear.desc, &channels);
    d->res.linear.numChannels = channels;
    d->res.linear.sizeInBytes = given->res.linear.sizeInBytes;
    if (!d->res.linear.format) return cudaErrorInvalidChannelDescriptor;
    break;
  case cudaResourceTypePitch2D:
    d->res.pitch2D.devPtr = (CUdeviceptr)given->res.pitch2D.devPtr;
    d->res.pitch2D.format = format_of(given->res.pitch2D.desc, &channels);
    d->res.pitch2D.numChannels = channels;
    d->res.pitch2D.width = given->res.pitch2D.width;
    d->res.pitch2D.height = given->res.pitch2D.height;
    d->res.pitch2D.pitchInBytes = given->res.pitch2D.pitchInBytes;
    if (!d->res.pitch2D.format) return cudaErrorInvalidChannelDescriptor;
    break;
  default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

void give_resource(const CUDA_RESOURCE_DESC &d, cudaResourceDesc *into) {
  *into = cudaResourceDesc();
  into->resType = (cudaResourceType)d.resType;
  switch (d.resType) {
  case CU_RESOURCE_TYPE_ARRAY: into->res.array.array = (cudaArray_t)d.res.array.hArray; break;
  case CU_RESOURCE_TYPE_LINEAR:
    into->res.linear.devPtr = (void *)d.res.linear.devPtr;
    into->res.linear.desc = channels_of(d.res.linear.format, d.res.linear.numChannels);
    into->res.linear.sizeInBytes = d.res.linear.sizeInBytes;
    break;
  default:
    into->res.pitch2D.devPtr = (void *)d.res.pitch2D.devPtr;
    into->res.pitch2D.desc = channels_of(d.res.pitch2D.format, d.res.pitch2D.numChannels);
    into->res.pitch2D.width = d.res.pitch2D.width;
    into->res.pitch2D.height = d.res.pitch2D.height;
    into->res.pitch2D.pitchInBytes = d.res.pitch2D.pitchInBytes;
  }
}

// The format of what a resource reads. Errors: an array that is none.
cudaError_t format_in(const CUDA_RESOURCE_DESC &d, CUarray_format *format) {
  if (d.resType == CU_RESOURCE_TYPE_LINEAR) *format = d.res.linear.format;
  if (d.resType == CU_RESOURCE_TYPE_PITCH2D) *format = d.res.pitch2D.format;
  if (d.resType != CU_RESOURCE_TYPE_ARRAY) return cudaSuccess;
  CUDA_ARRAY3D_DESCRIPTOR known;
  cudaError_t error = known_of((cudaArray_const_t)d.res.array.hArray, &known);
  if (!error) *format = known.Format;
  return error;
}

CUDA_TEXTURE_DESC texture_of(const cudaTextureDesc &given, CUarray_format format) {
  CUDA_TEXTURE_DESC d = {};
  for (int i = 0; i < 3; ++i) d.addressMode[i] = (CUaddress_mode)given.addressMode[i];
  d.filterMode = (CUfilter_mode)given.filterMode;
  bool is_integer = format != CU_AD_FORMAT_HALF && format != CU_AD_FORMAT_FLOAT;
  if (is_integer && given.readMode == cudaReadModeElementType) d.flags |= CU_TRSF_READ_AS_INTEGER;
  if (given.normalizedCoords) d.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (given.sRGB) d.flags |= CU_TRSF_SRGB;
  if (given.disableTrilinearOptimization) d.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  if (given.seamlessCubemap) d.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  d.maxAnisotropy = given.maxAnisotropy;
  d.mipmapFilterMode = (CUfilter_mode)given.mipmapFilterMode;
  d.mipmapLevelBias = given.mipmapLevelBias;
  d.minMipmapLevelClamp = given.minMipmapLevelClamp;
  d.maxMipmapLevelClamp = given.maxMipmapLevelClamp;
  for (int i = 0; i < 4; ++i) d.borderColor[i] = given.borderColor[i];
  return d;
}

}  // namespace

namespace xgpu {

cudaError_t texel_bytes(cudaArray_const_t array, size_t *bytes) {
  CUDA_ARRAY3D_DESCRIPTOR known;
  cudaError_t error = known_of(array, &known);
  if (!error) *bytes = known.NumChannels * bits_of(known.Format) / 8;
  return error;
}

}  // namespace xgpu

extern "C" {

// -- arrays

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *channels,
                            size_t width, size_t height, unsigned int flags) {
  return noted(made(array, channels, {width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *channels,
                              cudaExtent extent, unsigned int flags) {
  return noted(made(array, channels, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (!array) return noted(ready());
  XGPU_CALL(cuArrayDestroy, array_of(array));
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *channels, cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array) {
  CUDA_ARRAY3D_DESCRIPTOR known;
  if (cudaError_t error = known_of(array, &known)) return noted(error);
  if (channels) *channels = channels_of(known.Format, known.NumChannels);
  if (extent) *extent = {known.Width, known.Height, known.Depth};
  if (flags) *flags = known.Flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *channels, cudaArray_const_t array) {
  if (!channels) return noted(cudaErrorInvalidValue);
  return cudaArrayGetInfo(channels, nullptr, nullptr, (cudaArray_t)array);
}

// -- copies

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return noted(copied(in(to, x, y), at(from, pitch), width, height, kind, nullptr));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return noted(copied(in(to, x, y), at(from, pitch), width, height, kind, &stream));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return noted(copied(at(to, pitch), in(from, x, y), width, height, kind, nullptr));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return noted(copied(at(to, pitch), in(from, x, y), width, height, kind, &stream));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return noted(
      copied(in(to, to_x, to_y), in(from, from_x, from_y), width, height, kind, nullptr));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              cudaMemcpyKind kind) {
  return noted(flowed(in(to, x, y), at(from), bytes, kind, nullptr));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return noted(flowed(in(to, x, y), at(from), bytes, kind, &stream));
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return noted(flowed(at(to), in(from, x, y), bytes, kind, nullptr));
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return noted(flowed(at(to), in(from, x, y), bytes, kind, &stream));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                   cudaArray_const_t from, size_t from_x, size_t from_y,
                                   size_t bytes, cudaMemcpyKind kind) {
  return noted(flowed(in(to, to_x, to_y), in(from, from_x, from_y), bytes, kind, nullptr));
}

// -- textures and surfaces

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *given,
                                    const cudaResourceViewDesc *view) {
  if (!texture || !given) return noted(cudaErrorInvalidValue);
  if (view && view->format) return noted(cudaErrorNotSupported);
  CUDA_RESOURCE_DESC d;
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  cudaError_t error = resource_of(resource, &d);
  if (!error) error = format_in(d, &format);
  if (error) return noted(error);
  CUDA_TEXTURE_DESC t = texture_of(*given, format);
  XGPU_CALL(cuTexObjectCreate, (CUtexObject *)texture, &d, &t, (CUDA_RESOURCE_VIEW_DESC *)nullptr);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  XGPU_CALL(cuTexObjectDestroy, texture);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaTextureObject_t texture) {
  CUDA_RESOURCE_DESC d;
  if (!resource) return noted(cudaErrorInvalidValue);
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuTexObjectGetResourceDesc, &d, texture);
  if (!error) give_resource(d, resource);
  return noted(error);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *into, cudaTextureObject_t texture) {
  CUDA_TEXTURE_DESC d;
  if (!into) return noted(cudaErrorInvalidValue);
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuTexObjectGetTextureDesc, &d, texture);
  if (error) return noted(error);
  CUDA_RESOURCE_DESC resource;
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  error = XGPU_DRIVER(cuTexObjectGetResourceDesc, &resource, texture);
  if (!error) error = format_in(resource, &format);
  *into = cudaTextureDesc();
  for (int i = 0; i < 3; ++i) into->addressMode[i] = (cudaTextureAddressMode)d.addressMode[i];
  into->filterMode = (cudaTextureFilterMode)d.filterMode;
  bool is_float = format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT;
  bool is_element = is_float || (d.flags & CU_TRSF_READ_AS_INTEGER);
  into->readMode = is_element ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  into->sRGB = (d.flags & CU_TRSF_SRGB) != 0;
  for (int i = 0; i < 4; ++i) into->borderColor[i] = d.borderColor[i];
  into->normalizedCoords = (d.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  into->maxAnisotropy = d.maxAnisotropy;
  into->mipmapFilterMode = (cudaTextureFilterMode)d.mipmapFilterMode;
  into->mipmapLevelBias = d.mipmapLevelBias;
  into->minMipmapLevelClamp = d.minMipmapLevelClamp;
  into->maxMipmapLevelClamp = d.maxMipmapLevelClamp;
  into->disableTrilinearOptimization = (d.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  return noted(error);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const cudaResourceDesc *resource) {
  CUDA_RESOURCE_DESC d;
  if (!surface) return noted(cudaErrorInvalidValue);
  if (cudaError_t error = resource_of(resource, &d)) return noted(error);
  XGPU_CALL(cuSurfObjectCreate, (CUsurfObject *)surface, &d);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  XGPU_CALL(cuSurfObjectDestroy, surface);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaSurfaceObject_t surface) {
  CUDA_RESOURCE_DESC d;
  if (!resource) return noted(cudaErrorInvalidValue);
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuSurfObjectGetResourceDesc, &d, surface);
  if (!error) give_resource(d, resource);
  return noted(error);
}

}  // extern "C"
