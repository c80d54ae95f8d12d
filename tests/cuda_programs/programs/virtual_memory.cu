// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays whose memory is mapped piece by piece, as containers that grow do; what modules and kernels
// say of themselves.
#include <cuda.h>
#include <cudaProfiler.h>

#include <cstring>
#include <vector>

#include "check.h"

#define DRIVER(CALL) CHECK((CALL) == CUDA_SUCCESS)

__global__ void twice(float *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= 2;
}

// An array in one piece of addresses, to which memory is added behind what is there.
class Growing {
 public:
  Growing(CUdevice device, size_t pieces) {
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    DRIVER(cuMemGetAllocationGranularity(&piece, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    reserved = pieces * piece;
    DRIVER(cuMemAddressReserve(&begin, reserved, 0, 0, 0));
  }
  void grow() {
    CUmemGenericAllocationHandle handle;
    DRIVER(cuMemCreate(&handle, piece, &properties, 0));
    DRIVER(cuMemMap(begin + bytes, piece, 0, handle, 0));
    DRIVER(cuMemRelease(handle));  // the mapping keeps it
    CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    DRIVER(cuMemSetAccess(begin + bytes, piece, &access, 1));
    bytes += piece;
  }
  ~Growing() {
    DRIVER(cuMemUnmap(begin, bytes));
    DRIVER(cuMemAddressFree(begin, reserved));
  }
  CUmemAllocationProp properties = {};
  CUdeviceptr begin = 0;
  size_t piece = 0, bytes = 0, reserved = 0;
};

void check_growing(CUdevice device) {
  Growing array(device, 4);
  array.grow();
  std::vector<float> values(2 * array.piece / sizeof(float), 3);
  DRIVER(cuMemcpyHtoD(array.begin, values.data(), array.bytes));
  array.grow();
  DRIVER(cuMemcpyHtoD(array.begin + array.piece, values.data(), array.piece));
  int count = int(values.size());
  twice<<<(count + 255) / 256, 256>>>((float *)array.begin, count);
  OK(cudaDeviceSynchronize());
  DRIVER(cuMemcpyDtoH(values.data(), array.begin, array.bytes));
  for (float value : values) CHECK(value == 6);
  unsigned long long flags = 0;
  DRIVER(cuMemGetAccess(&flags, &array.properties.location, array.begin));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUmemGenericAllocationHandle handle;
  DRIVER(cuMemRetainAllocationHandle(&handle, (void *)array.begin));
  CUmemAllocationProp said = {};
  DRIVER(cuMemGetAllocationPropertiesFromHandle(&said, handle));
  CHECK(said.type == array.properties.type && said.location.id == device);
  DRIVER(cuMemRelease(handle));
  CHECK(cuMemMap(array.begin, array.piece, 0, handle, 0) != CUDA_SUCCESS);  // mapped already
}

void check_functions() {
  cudaFunction_t known;
  OK(cudaGetFuncBySymbol(&known, (const void *)twice));
  CUfunction function = (CUfunction)known;
  CUmodule module;
  DRIVER(cuFuncGetModule(&module, function));
  unsigned int count = 0;
  DRIVER(cuModuleGetFunctionCount(&count, module));
  CHECK(count >= 1);
  std::vector<CUfunction> functions(count);
  DRIVER(cuModuleEnumerateFunctions(functions.data(), count, module));
  bool found = false;
  for (CUfunction other : functions) {
    const char *name = nullptr;
    DRIVER(cuFuncGetName(&name, other));
    found = found || strstr(name, "twice");
  }
  CHECK(found);
  size_t offset = 1, bytes = 0;
  DRIVER(cuFuncGetParamInfo(function, 1, &offset, &bytes));
  CHECK(offset == 8 && bytes == 4);
  CHECK(cuFuncGetParamInfo(function, 2, &offset, &bytes) == CUDA_ERROR_INVALID_VALUE);
  CUfunctionLoadingState state;
  DRIVER(cuFuncLoad(function));
  DRIVER(cuFuncIsLoaded(&state, function));
  CHECK(state == CU_FUNCTION_LOADING_STATE_LOADED);
}

int main() {
  DRIVER(cuInit(0));
  OK(cudaFree(nullptr));
  DRIVER(cuProfilerStart());
  check_growing(0);
  check_functions();
  DRIVER(cuProfilerStop());
  puts("PASS");
}
