// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values in memory that streams write and wait for.
#include <cuda.h>

#include "check.h"

#define DRIVER(CALL) CHECK((CALL) == CUDA_SUCCESS)

__global__ void twice(float *value) { *value *= 2; }

// One stream waits in memory for what the other one writes.
int main() {
  DRIVER(cuInit(0));
  OK(cudaFree(nullptr));
  CUstream first, second;
  DRIVER(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  DRIVER(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  CUdevice device = -1;
  DRIVER(cuStreamGetDevice(first, &device));
  CHECK(device == 0);
  CUdeviceptr flag, array;
  DRIVER(cuMemAlloc(&flag, 8));
  DRIVER(cuMemAlloc(&array, 4));
  DRIVER(cuMemsetD32(flag, 0, 2));
  float value = 4;
  DRIVER(cuMemcpyHtoD(array, &value, 4));
  DRIVER(cuStreamWaitValue32(second, flag, 7, CU_STREAM_WAIT_VALUE_GEQ));
  twice<<<1, 1, 0, second>>>((float *)array);
  twice<<<1, 1, 0, first>>>((float *)array);
  DRIVER(cuStreamWriteValue32(first, flag, 8, CU_STREAM_WRITE_VALUE_DEFAULT));
  DRIVER(cuStreamSynchronize(second));
  DRIVER(cuMemcpyDtoH(&value, array, 4));
  CHECK(value == 16);
  DRIVER(cuMemFree(flag));
  DRIVER(cuMemFree(array));
  DRIVER(cuStreamDestroy(first));
  DRIVER(cuStreamDestroy(second));
  puts("PASS");
}
