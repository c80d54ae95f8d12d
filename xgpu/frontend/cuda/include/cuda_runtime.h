// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA C++ expects, for clang's `-x cuda` without NVIDIA's toolkit. In C++ it is the runtime
// alone.
#pragma once
#define __CUDA_RUNTIME_H__  // other headers ask by this name whether it is included
#include <xgpu/types.h>
#ifdef __CUDA__
#include <xgpu/device.h>
#include <xgpu/math.h>
#include <xgpu/texture.h>
#endif
#ifdef XGPU_WHOLE_PROGRAM
// nvcc's header has these, and programs count on them. They come behind the functions of the
// device, so that <cmath> takes those into namespace std.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <utility>
#endif
#endif
#ifdef __cplusplus
#include <xgpu/host.h>
#else
#include <cuda_runtime_api.h>
#endif
