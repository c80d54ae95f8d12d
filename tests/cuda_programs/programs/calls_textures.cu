// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, textures and surfaces: each function once, against what the host computes.
#include <cmath>
#include <vector>

#include "check.h"

__global__ void read_plane(cudaTextureObject_t t, float *out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}

__global__ void turn(cudaTextureObject_t t, float *out, int width, int height, float angle) {
  float u = threadIdx.x / (float)width - 0.5f, v = blockIdx.x / (float)height - 0.5f;
  float x = u * cosf(angle) - v * sinf(angle) + 0.5f, y = v * cosf(angle) + u * sinf(angle) + 0.5f;
  out[blockIdx.x * width + threadIdx.x] = tex2D<float>(t, x, y);
}

__global__ void of_memory(cudaTextureObject_t t, int *out, int count) {
  int x = (int)threadIdx.x - 4;
  int2 found = tex1Dfetch<int2>(t, x);
  out[threadIdx.x] = found.x + found.y;
}

__global__ void of_volume(cudaTextureObject_t t, float *out) {
  int at = threadIdx.x;
  out[at] = tex3D<float>(t, at % 4 + 0.5f, at / 4 % 3 + 0.5f, at / 12 + 0.5f);
}

__global__ void of_layers(cudaTextureObject_t plane, cudaTextureObject_t line, float *out) {
  int at = threadIdx.x, layer = blockIdx.x;
  out[layer * 8 + at] = tex2DLayered<float>(plane, at % 4 + 0.5f, at / 4 + 0.5f, layer) +
                        tex1DLayered<float>(line, at + 0.5f, layer);
}

__global__ void of_cube(cudaTextureObject_t cube, cudaTextureObject_t cubes, float *out) {
  const float3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  float3 a = axes[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(cube, a.x, a.y, a.z);
  out[threadIdx.x + 6] = texCubemapLayered<float>(cubes, a.x, a.y, a.z, 1);
}

__global__ void as_floats(cudaTextureObject_t t, float4 *out) {
  out[threadIdx.x] = tex1D<float4>(t, threadIdx.x + 0.5f);
}

__global__ void of_a_level(cudaTextureObject_t t, float *out) {
  float2 none = {0, 0};
  float x = 1.5f, y = 2.5f, found;
  tex2D(&found, t, x, y);
  out[0] = found;
  out[1] = tex2DLod<float>(t, x, y, 0);
  out[2] = tex2DGrad<float>(t, x, y, none, none);
  float4 four = tex2Dgather<float4>(t, 2.0f, 3.0f);
  out[3] = four.x;
  out[4] = four.y;
  out[5] = four.z;
  out[6] = four.w;
}

template <typename T> __global__ void double_all(cudaSurfaceObject_t s) {
  int x = threadIdx.x * sizeof(T), y = blockIdx.x;
  T value = surf2Dread<T>(s, x, y);
  value.x *= 2;
  value.y *= 2;
  surf2Dwrite(value, s, x, y);
}

__global__ void outside(cudaSurfaceObject_t s, int *out) {
  int x = ((int)threadIdx.x - 4) * 4;
  out[threadIdx.x] = surf1Dread<int>(s, x, cudaBoundaryModeZero);
  surf1Dwrite<int>(100 + threadIdx.x, s, x, cudaBoundaryModeZero);
}

__global__ void clamped(cudaSurfaceObject_t s, int *out) {
  out[threadIdx.x] = surf1Dread<int>(s, ((int)threadIdx.x - 4) * 4, cudaBoundaryModeClamp);
}

__global__ void of_slices(cudaSurfaceObject_t solid, cudaSurfaceObject_t layers) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  unsigned char value = surf3Dread<unsigned char>(solid, x, y, z);
  surf2DLayeredwrite<short>(value * 3, layers, x * 2, y, z);
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, bool normalized,
                               cudaTextureAddressMode mode,
                               cudaTextureReadMode read = cudaReadModeElementType) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc given = {};
  for (auto &each : given.addressMode) each = mode;
  given.filterMode = filter;
  given.readMode = read;
  given.normalizedCoords = normalized;
  cudaTextureObject_t made = 0;
  OK(cudaCreateTextureObject(&made, &resource, &given, nullptr));
  return made;
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t made = 0;
  OK(cudaCreateSurfaceObject(&made, &resource));
  cudaResourceDesc known;
  OK(cudaGetSurfaceObjectResourceDesc(&known, made));
  CHECK(known.resType == cudaResourceTypeArray && known.res.array.array == array);
  return made;
}

template <typename T> T *memory(size_t count) {
  T *made;
  OK(cudaMallocManaged(&made, count * sizeof(T)));
  return made;
}

// An array of slices, or layers, whose texels count from 0.
template <typename T> cudaArray_t counted(cudaExtent extent, unsigned flags, size_t slices) {
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  OK(cudaMalloc3DArray(&array, &channels, extent, flags));
  size_t height = extent.height ? extent.height : 1;
  std::vector<T> texels(extent.width * height * slices);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = (T)i;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), extent.width * sizeof(T), extent.width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, height, slices);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  return array;
}

void planes() {
  const int width = 8, height = 5;
  std::vector<float> texels(width * height);
  for (int i = 0; i < width * height; ++i) texels[i] = std::sin(i * 0.7f);
  cudaChannelFormatDesc channels = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array;
  OK(cudaMallocArray(&array, &channels, width, height));
  OK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * 4, width * 4, height,
                            cudaMemcpyHostToDevice));
  cudaChannelFormatDesc known;
  cudaExtent extent;
  unsigned flags = 9;
  OK(cudaArrayGetInfo(&known, &extent, &flags, array));
  CHECK(known.x == 32 && known.y == 0 && known.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == width && extent.height == height && extent.depth == 0 && flags == 0);
  OK(cudaGetChannelDesc(&known, array));
  float *out = memory<float>(width * height);
  cudaTextureObject_t points =
      texture_of(array, cudaFilterModePoint, false, cudaAddressModeClamp);
  read_plane<<<height, width>>>(points, out, width);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < width * height; ++i) CHECK(out[i] == texels[i]);

  cudaTextureObject_t mixed = texture_of(array, cudaFilterModeLinear, true, cudaAddressModeWrap);
  cudaTextureDesc description;
  OK(cudaGetTextureObjectTextureDesc(&description, mixed));
  CHECK(description.filterMode == cudaFilterModeLinear && description.normalizedCoords == 1);
  cudaResourceDesc resource;
  OK(cudaGetTextureObjectResourceDesc(&resource, mixed));
  CHECK(resource.res.array.array == array);
  turn<<<height, width>>>(mixed, out, width, height, 0.5f);
  OK(cudaDeviceSynchronize());
  for (int j = 0; j < height; ++j) {
    for (int i = 0; i < width; ++i) {
      float u = i / (float)width - 0.5f, v = j / (float)height - 0.5f;
      float x = (u * cosf(0.5f) - v * sinf(0.5f) + 0.5f) * width - 0.5f;
      float y = (v * cosf(0.5f) + u * sinf(0.5f) + 0.5f) * height - 0.5f;
      int x0 = (int)floorf(x), y0 = (int)floorf(y);
      float a = x - x0, b = y - y0;
      auto texel = [&](int p, int q) {
        return texels[(q + 8 * height) % height * width + (p + 8 * width) % width];
      };
      float wanted = (1 - b) * ((1 - a) * texel(x0, y0) + a * texel(x0 + 1, y0)) +
                     b * ((1 - a) * texel(x0, y0 + 1) + a * texel(x0 + 1, y0 + 1));
      CHECK(fabsf(out[j * width + i] - wanted) < 0.01f);  // weights have 8 bits
    }
  }
  of_a_level<<<1, 1>>>(points, out);
  OK(cudaDeviceSynchronize());
  const float one = texels[2 * width + 1];
  CHECK(out[0] == one && out[1] == one && out[2] == one);
  CHECK(out[3] == texels[3 * width + 1] && out[4] == texels[3 * width + 2]);
  CHECK(out[5] == texels[2 * width + 2] && out[6] == one);
  OK(cudaDestroyTextureObject(points));
  OK(cudaDestroyTextureObject(mixed));
  WRONG(cudaErrorInvalidValue, cudaDestroyTextureObject(mixed));
  OK(cudaFreeArray(array));
  OK(cudaFreeArray(nullptr));
}

void other_shapes() {
  float *out = memory<float>(64);
  cudaArray_t solid = counted<float>({4, 3, 2}, 0, 2);
  of_volume<<<1, 24>>>(texture_of(solid, cudaFilterModePoint, false, cudaAddressModeClamp), out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 24; ++i) CHECK(out[i] == i);

  cudaArray_t planes = counted<float>({4, 2, 3}, cudaArrayLayered, 3);
  cudaArray_t lines = counted<float>({8, 0, 3}, cudaArrayLayered, 3);
  of_layers<<<3, 8>>>(texture_of(planes, cudaFilterModePoint, false, cudaAddressModeClamp),
                      texture_of(lines, cudaFilterModePoint, false, cudaAddressModeClamp), out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 24; ++i) CHECK(out[i] == 2 * i);

  cudaArray_t cube = counted<float>({1, 1, 6}, cudaArrayCubemap, 6);
  cudaArray_t cubes = counted<float>({1, 1, 12}, cudaArrayCubemap | cudaArrayLayered, 12);
  of_cube<<<1, 6>>>(texture_of(cube, cudaFilterModePoint, true, cudaAddressModeClamp),
                    texture_of(cubes, cudaFilterModePoint, true, cudaAddressModeClamp), out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 12; ++i) CHECK(out[i] == i);

  cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
  cudaArray_t colors;
  OK(cudaMallocArray(&colors, &channels, 4));
  unsigned char bytes[16];
  for (int i = 0; i < 16; ++i) bytes[i] = i * 17;
  OK(cudaMemcpyToArray(colors, 0, 0, bytes, 16, cudaMemcpyHostToDevice));
  float4 *four = memory<float4>(4);
  as_floats<<<1, 4>>>(texture_of(colors, cudaFilterModePoint, false, cudaAddressModeClamp,
                                 cudaReadModeNormalizedFloat), four);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) CHECK(fabsf(((float *)four)[i] - i / 15.0f) < 1e-6f);
}

void of_linear_memory() {
  int *numbers = memory<int>(20), *out = memory<int>(16);
  for (int i = 0; i < 20; ++i) numbers[i] = i + 1;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = numbers;
  resource.res.linear.desc = cudaCreateChannelDesc<int2>();
  resource.res.linear.sizeInBytes = 80;
  cudaTextureDesc given = {};
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &resource, &given, nullptr));
  of_memory<<<1, 16>>>(texture, out, 10);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) CHECK(out[i] == (i < 4 || i > 13 ? 0 : 4 * (i - 4) + 3));

  float *rows;
  size_t pitch;
  OK(cudaMallocPitch(&rows, &pitch, 12, 4));
  float texels[12], *found = memory<float>(12);
  for (int i = 0; i < 12; ++i) texels[i] = i * 0.5f;
  OK(cudaMemcpy2D(rows, pitch, texels, 12, 12, 4, cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = rows;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 3;
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = pitch;
  OK(cudaCreateTextureObject(&texture, &resource, &given, nullptr));
  read_plane<<<4, 3>>>(texture, found, 3);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 12; ++i) CHECK(found[i] == texels[i]);
  given.filterMode = cudaFilterModeLinear;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  WRONG(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &given, nullptr));
  resource.res.pitch2D.desc.y = 8;
  WRONG(cudaErrorInvalidChannelDescriptor, cudaCreateTextureObject(&texture, &resource, &given, nullptr));
}

template <typename T> void doubled() {
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  OK(cudaMallocArray(&array, &channels, 6, 3, cudaArraySurfaceLoadStore));
  T texels[18], got[18];
  for (int i = 0; i < 18; ++i) {
    texels[i] = {};
    texels[i].x = i;
    texels[i].y = 40 - i;
  }
  const size_t row = 6 * sizeof(T);
  OK(cudaMemcpyToArray(array, 0, 0, texels, sizeof(texels), cudaMemcpyHostToDevice));
  double_all<T><<<3, 6>>>(surface_of(array));
  OK(cudaMemcpy2DFromArray(got, row, array, 0, 0, row, 3, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 18; ++i) CHECK(got[i].x == 2 * i && got[i].y == 2 * (40 - i));
}

void surfaces() {
  doubled<uchar2>();
  doubled<short2>();
  doubled<float2>();
  doubled<int4>();
  cudaArray_t line = counted<int>({8, 0, 0}, cudaArraySurfaceLoadStore, 1);
  int *out = memory<int>(32), got[8];
  cudaSurfaceObject_t surface = surface_of(line);
  clamped<<<1, 16>>>(surface, out + 16);
  outside<<<1, 16>>>(surface, out);
  OK(cudaMemcpyFromArray(got, line, 0, 0, 32, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) {
    bool is_inside = i >= 4 && i < 12;
    CHECK(out[i] == (is_inside ? i - 4 : 0));
    CHECK(out[i + 16] == (i < 4 ? 0 : i < 12 ? i - 4 : 7));
    if (is_inside) CHECK(got[i - 4] == 100 + i);
  }
  OK(cudaDestroySurfaceObject(surface));
  cudaArray_t solid = counted<unsigned char>({4, 3, 2}, cudaArraySurfaceLoadStore, 2);
  cudaArray_t layers =
      counted<short>({4, 3, 2}, cudaArraySurfaceLoadStore | cudaArrayLayered, 2);
  of_slices<<<1, dim3(4, 3, 2)>>>(surface_of(solid), surface_of(layers));
  short shorts[24];
  cudaMemcpy3DParms copy = {};
  copy.srcArray = layers;
  copy.dstPtr = make_cudaPitchedPtr(shorts, 8, 4, 3);
  copy.extent = make_cudaExtent(4, 3, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&copy));
  for (int i = 0; i < 24; ++i) CHECK(shorts[i] == 3 * i);
  cudaResourceDesc resource = {};
  resource.res.array.array = counted<float>({4, 3, 2}, 0, 2);
  cudaSurfaceObject_t none;
  WRONG(cudaErrorInvalidValue, cudaCreateSurfaceObject(&none, &resource));
}

void copies() {
  cudaArray_t one = counted<int>({5, 4, 0}, 0, 1), two = counted<int>({5, 4, 0}, 0, 1);
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  int numbers[7] = {90, 91, 92, 93, 94, 95, 96}, got[20];
  OK(cudaMemcpyToArrayAsync(one, 12, 1, numbers, 28, cudaMemcpyHostToDevice, stream));
  OK(cudaMemcpyFromArrayAsync(got, one, 0, 0, 80, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 20; ++i) CHECK(got[i] == (i >= 8 && i < 15 ? 82 + i : i));
  OK(cudaMemcpyArrayToArray(two, 4, 0, one, 12, 1, 28));
  OK(cudaMemcpyFromArray(got, two, 0, 0, 80, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 20; ++i) CHECK(got[i] == (i >= 1 && i < 8 ? 89 + i : i));
  OK(cudaMemcpy2DArrayToArray(two, 0, 2, one, 8, 1, 12, 2));
  OK(cudaMemcpy2DFromArrayAsync(got, 20, two, 0, 0, 20, 4, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(got[10] == 7 && got[11] == 90 && got[15] == 94 && got[17] == 96);
  OK(cudaMemcpy2DToArrayAsync(two, 4, 0, numbers, 12, 12, 2, cudaMemcpyHostToDevice, stream));
  OK(cudaMemcpy2DFromArray(got, 20, two, 0, 0, 20, 4, cudaMemcpyDeviceToHost));
  CHECK(got[0] == 0 && got[1] == 90 && got[3] == 92 && got[6] == 93 && got[8] == 95);
  WRONG(cudaErrorInvalidPitchValue, cudaMemcpy2DFromArray(got, 8, two, 0, 0, 20, 4, cudaMemcpyDeviceToHost));
  WRONG(cudaErrorInvalidValue, cudaMemcpyToArray(two, 0, 3, numbers, 28, cudaMemcpyHostToDevice));
}

// Each function once more, with what is wrong.
void mistakes() {
  cudaArray_t none = (cudaArray_t)7, array = counted<int>({5, 4, 0}, 0, 1), made;
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>(), odd = {8, 16, 0, 0};
  cudaExtent extent;
  char bytes[80];
  odd.f = cudaChannelFormatKindSigned;
  WRONG(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&made, &odd, 4, 4));
  WRONG(cudaErrorInvalidValue, cudaMallocArray(&made, &channels, 0, 4));
  WRONG(cudaErrorInvalidValue, cudaMalloc3DArray(&made, &channels, {4, 5, 6}, cudaArrayCubemap));
  FAILS(cudaFreeArray(none));
  FAILS(cudaArrayGetInfo(&channels, &extent, nullptr, none));
  FAILS(cudaGetChannelDesc(&channels, none));
  const auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  FAILS(cudaMemcpy2DToArray(array, 8, 0, bytes, 20, 20, 4, in));
  FAILS(cudaMemcpy2DToArrayAsync(array, 0, 1, bytes, 20, 20, 4, in));
  FAILS(cudaMemcpy2DFromArray(bytes, 20, none, 0, 0, 20, 4, out));
  FAILS(cudaMemcpy2DFromArrayAsync(bytes, 8, array, 0, 0, 20, 4, out));
  FAILS(cudaMemcpy2DArrayToArray(array, 0, 0, none, 0, 0, 20, 4));
  FAILS(cudaMemcpyToArray(array, 20, 0, bytes, 20, in));
  FAILS(cudaMemcpyToArrayAsync(none, 0, 0, bytes, 20, in));
  FAILS(cudaMemcpyFromArray(bytes, array, 4, 0, 80, out));
  FAILS(cudaMemcpyFromArrayAsync(bytes, none, 0, 0, 20, out));
  FAILS(cudaMemcpyArrayToArray(array, 0, 0, array, 0, 4, 4));
  cudaMemcpy3DParms copy = {};
  copy.srcArray = none;
  copy.dstArray = array;
  copy.extent = {5, 4, 1};
  copy.kind = cudaMemcpyDeviceToDevice;
  FAILS(cudaMemcpy3D(&copy));
  copy.srcArray = counted<short>({5, 4, 0}, 0, 1);
  WRONG(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  cudaTextureDesc given = {};
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  FAILS(cudaCreateTextureObject(&texture, &resource, &given, nullptr));
  FAILS(cudaCreateSurfaceObject(&surface, &resource));
  resource.resType = cudaResourceTypeMipmappedArray;
  WRONG(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &resource, &given, nullptr));
  FAILS(cudaDestroyTextureObject(12345));
  FAILS(cudaDestroySurfaceObject(12345));
  FAILS(cudaGetTextureObjectResourceDesc(&resource, 12345));
  FAILS(cudaGetTextureObjectTextureDesc(&given, 12345));
  FAILS(cudaGetSurfaceObjectResourceDesc(&resource, 12345));
}

int main() {
  planes();
  other_shapes();
  of_linear_memory();
  surfaces();
  copies();
  mistakes();
  printf("PASS\n");
}
