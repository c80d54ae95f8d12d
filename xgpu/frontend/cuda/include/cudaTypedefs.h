// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of pointers to functions of the driver, as programs that ask for their addresses name them.
#pragma once
#include <cuda.h>

#define XGPU_POINTER(NAME, VERSION)                                                            \
  typedef __typeof__(&NAME) PFN_##NAME;                                                        \
  typedef __typeof__(&NAME) PFN_##NAME##_##VERSION
XGPU_POINTER(cuTensorMapEncodeTiled, v12000);
XGPU_POINTER(cuTensorMapReplaceAddress, v12000);
XGPU_POINTER(cuGetProcAddress, v12000);
XGPU_POINTER(cuDriverGetVersion, v2020);
XGPU_POINTER(cuGetErrorName, v6000);
XGPU_POINTER(cuGetErrorString, v6000);
#undef XGPU_POINTER
